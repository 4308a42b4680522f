// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <span>

#include "python/team_handle.hpp"
#include "regroup/walker.hpp"

namespace regroup {

/// A walker whose class is defined in Python. Its functions acquire the interpreter's lock (GIL),
/// and release it while members wait for each other. Python exceptions become std::runtime_error
/// with the exception and the line that raised it (RunInterrupted for KeyboardInterrupt and such).
class PythonWalker final : public Walker {
 public:
  /// Creates the object by `make(chain)`. Throws as the other functions do.
  PythonWalker(const py::object& make, ChainName chain);
  PythonWalker(const PythonWalker&) = delete;
  PythonWalker& operator=(const PythonWalker&) = delete;
  ~PythonWalker() override;

  void execute(const Item& item, Team& team) override;
  void pack(Packer& state) const override;
  void unpack(Unpacker& state) override;
  void joined(Team& team) override;
  void leaving(Team& team) override;
  bool done() const override;
  void observe(std::span<double> draw) const override;
  bool warming_up() const override;
  std::uint64_t digest() const override;

  const py::object& object() const { return object_; }

 private:
  template <class Call>
  void with_team(Team& team, Call call);

  py::object object_;
  py::object execute_;
  py::object handle_object_;  // owns *handle_
  TeamHandle* handle_ = nullptr;
  // Methods of the class; empty if it does not define them.
  py::object done_, warming_up_, digest_, joined_, leaving_;
};

/// Selects whether the traceback of each exception of a walker is printed or the exception is kept
/// for last_error().
void print_tracebacks(bool print);

/// Returns and forgets the last exception of a walker that was not printed; None if there is none.
py::object last_error();

/// Converts a Python exception to a C++ exception, and prints or keeps it (print_tracebacks).
std::runtime_error failure(py::error_already_set& error);

}  // namespace regroup
