// SPDX-License-Identifier: BSD-3-Clause
#include "communicators/range/error.hpp"

#include <fmt/format.h>

namespace regroup::range {

void throw_mpi_error(int code) {
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw MpiError(std::string(text, static_cast<std::size_t>(length)));
}

void throw_out_of_bounds(const char* what, int number, int lowest, int highest) {
  throw std::invalid_argument(fmt::format("range communicator: {} is {}, allowed are {} to {}",
                                          what, number, lowest, highest));
}

}  // namespace regroup::range
