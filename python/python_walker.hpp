// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <span>

#include "python/team_handle.hpp"
#include "regroup/walker.hpp"

namespace regroup {

/// A walker whose class is in Python. Its functions are called without the interpreter's lock and
/// take it; the lock is released while members wait for each other. What Python raises becomes
/// std::runtime_error with the exception and the line that raised it.
class PythonWalker final : public Walker {
 public:
  /// With the lock; `make` is called with `chain`. Throws as the other functions do.
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
  py::object handle_object_;  // of a TeamHandle
  TeamHandle* handle_ = nullptr;
  // Methods of the class; empty where it does not define them.
  py::object done_, warming_up_, digest_, joined_, leaving_;
};

/// Prints the traceback of each exception that a walker raises, or keeps the exception for
/// last_error().
void print_tracebacks(bool print);

/// The last exception that a walker raised and that was not printed; None if there is none.
py::object last_error();

/// What `error`, a Python exception, comes to as an exception of C++.
std::runtime_error failure(py::error_already_set& error);

}  // namespace regroup
