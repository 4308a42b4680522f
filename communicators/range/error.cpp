// SPDX-License-Identifier: BSD-3-Clause
#include "communicators/range/error.hpp"

#include <string>

namespace regroup::range {

std::exception_ptr mpi_error(int code) {
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(code, text, &length);
  return std::make_exception_ptr(MpiError(std::string(text, static_cast<std::size_t>(length))));
}

void throw_mpi_error(int code) { std::rethrow_exception(mpi_error(code)); }

void throw_out_of_bounds(const char* what, int number, int lowest, int highest) {
  throw std::invalid_argument(std::string("range communicator: ") + what + " is " +
                              std::to_string(number) + ", allowed are " + std::to_string(lowest) +
                              " to " + std::to_string(highest));
}

}  // namespace regroup::range
