// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/mpi/sorting/sort_check.hpp"

#include <fmt/format.h>

#include <array>
#include <stdexcept>
#include <string_view>

namespace regroup {

Contents of_all(const Contents& own, Site& world) {
  const std::array sums{own.number, own.sum};
  std::array<std::uint64_t, 2> all_sums{};
  Contents all;
  allreduce(sums.data(), all_sums.data(), 2, MPI_UINT64_T, MPI_SUM, world.all());
  allreduce(&own.exclusive_or, &all.exclusive_or, 1, MPI_UINT64_T, MPI_BXOR, world.all());
  all.number = all_sums[0];
  all.sum = all_sums[1];
  return all;
}

void expect_right(WrongSort own, Site& world) {
  constexpr std::array<std::string_view, 5> words{
      "", "its elements are not in order", "its first element is less than one of a rank before",
      "what came out of all ranks is not what went in", "it has not its share of the elements"};
  const int code =
      static_cast<int>(own) * world.size() + (own == WrongSort::nothing ? 0 : world.rank());
  int worst = 0;
  allreduce(&code, &worst, 1, MPI_INT, MPI_MAX, world.all());
  if (worst == 0) return;
  throw std::runtime_error(fmt::format("wrongly sorted, as rank {} finds: {}", worst % world.size(),
                                       words.at(static_cast<std::size_t>(worst / world.size()))));
}

}  // namespace regroup
