// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>
#include <pybind11/pybind11.h>

#include <array>
#include <optional>
#include <string>

namespace regroup {

namespace py = pybind11;

/// Makes the symbols of the MPI library visible to the whole process, as plug-ins of Open MPI need
/// them.
void load_mpi_for_all();
/// Starts MPI unless it runs; returns whether it did. Throws std::runtime_error if MPI has ended.
bool initialise_mpi();
/// Ends MPI if it is running.
void finalise_mpi();
/// Aborts all ranks with exit code 1, after a pause: the launcher discards output that it has not
/// forwarded by then.
[[noreturn]] void abort_all_ranks();

/// Throws std::invalid_argument on all ranks if a rank has a `problem`, with that of the lowest
/// such rank, or if `identity` differs between ranks. Collective.
void agree(const std::string& problem, const std::string& identity);

/// Returns the bytes of all ranks, by rank, on rank 0; an empty list on others. Collective.
py::list gather(const std::string& bytes);

/// Saves MPI's error handlers in enter(), and restores them in leave(): mpi4py replaces them.
class KeptErrorHandlers {
 public:
  void enter();
  void leave();

 private:
  std::optional<std::array<MPI_Errhandler, 2>> handlers_;
};

}  // namespace regroup
