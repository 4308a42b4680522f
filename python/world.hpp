// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>
#include <pybind11/pybind11.h>

#include <array>
#include <optional>
#include <string>

namespace regroup {

namespace py = pybind11;

/// Shows the symbols of the MPI library to the whole process, where plug-ins of Open MPI look for
/// them.
void load_mpi_for_all();
/// Starts MPI. Whether this did, and not somebody before.
bool initialise_mpi();
/// Ends MPI, if nobody has.
void finalise_mpi();

/// Throws std::invalid_argument on all ranks, where some rank has a `problem`, with the first
/// one's; or where `identity` is not the same on all.
void agree(const std::string& problem, const std::string& identity);

/// On rank 0 the bytes of all ranks, in their order; nothing on others.
py::list gather(const std::string& bytes);

/// Keeps MPI's error handlers, which mpi4py replaces where it is imported, from enter() to leave().
class KeptErrorHandlers {
 public:
  void enter();
  void leave();

 private:
  std::optional<std::array<MPI_Errhandler, 2>> handlers_;
};

}  // namespace regroup
