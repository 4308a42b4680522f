// SPDX-License-Identifier: BSD-3-Clause
//
// Letters as tests send and receive them.
#pragma once

#include "engines/mpi/mailbox.hpp"
#include "tests/mpi/world.hpp"

namespace regroup {

/// It tells `number`, and `more` numbers behind it.
inline Letter letter_with(std::int64_t number, int more = 0) {
  Letter letter;
  letter.put(number);
  for (int i = 1; i <= more; ++i) letter.put(number + i);
  return letter;
}

inline Letter received_from(int rank, int tag) {
  Letter letter;
  MPI_Request request = MPI_REQUEST_NULL;
  begin_to_receive(letter, rank, tag, MPI_COMM_WORLD, request);
  complete(request);
  receive_rest(letter, rank, tag, MPI_COMM_WORLD, world().waiter);
  return letter;
}

/// Every `step`th rank from `first` to `last`.
inline RankSet strided(int first, int last, int step) {
  std::vector<RankRange> ranges;
  for (int rank = first; rank <= last; rank += step) ranges.push_back({rank, rank});
  return RankSet::of(std::move(ranges));
}

}  // namespace regroup
