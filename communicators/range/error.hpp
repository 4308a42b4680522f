// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <exception>
#include <stdexcept>
#include <string>

namespace regroup::range {

/// An MPI call failed and the communicator's error handler returned (MPI_ERRORS_RETURN): the
/// message is MPI's own text. With other handlers nobody sees this.
class MpiError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

[[noreturn]] void throw_mpi_error(int code);
std::exception_ptr mpi_error(int code);

inline void throw_on_error(int code) {
  if (code != MPI_SUCCESS) [[unlikely]]
    throw_mpi_error(code);
}

/// Throws std::invalid_argument that says which number is out of which bounds.
[[noreturn]] void throw_out_of_bounds(const char* what, int number, int lowest, int highest);

inline void require_within(const char* what, int number, int lowest, int highest) {
  if (number < lowest || number > highest) [[unlikely]] {
    throw_out_of_bounds(what, number, lowest, highest);
  }
}

}  // namespace regroup::range
