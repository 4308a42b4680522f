// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/mpi/collect.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <type_traits>

namespace regroup {
namespace {

/// Everybody's `own`, in the order of ranks, with the number that each rank gave. On rank 0.
template <class Content>
std::vector<Content> gather(std::span<const Content> own, std::vector<int>& counts,
                            MPI_Comm world) {
  static_assert(std::is_trivially_copyable_v<Content>);
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(world, &rank);
  MPI_Comm_size(world, &ranks);
  const int bytes = static_cast<int>(own.size_bytes());
  counts.assign(rank == 0 ? static_cast<std::size_t>(ranks) : 0, 0);
  MPI_Gather(&bytes, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, world);
  std::vector<int> places(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), places.begin(), 0);
  const int total = std::accumulate(counts.begin(), counts.end(), 0);
  std::vector<Content> all(static_cast<std::size_t>(total) / sizeof(Content));
  MPI_Gatherv(own.data(), bytes, MPI_BYTE, all.data(), counts.data(), places.data(), MPI_BYTE, 0,
              world);
  for (int& count : counts) count /= static_cast<int>(sizeof(Content));
  return all;
}

}  // namespace

std::vector<GroupLife> collect_lives(std::span<const GroupLife> own, MPI_Comm world) {
  std::vector<int> counts;
  const std::vector<GroupLife> all = gather(own, counts, world);

  // A group may regroup with itself, so its range can occur several times: the members' nth life
  // with a range belongs to the leader's nth.
  std::vector<GroupLife> lives;
  std::map<std::pair<int, int>, std::vector<std::size_t>> by_range;
  std::size_t next = 0;
  for (int rank = 0; rank < static_cast<int>(counts.size()); ++rank) {
    std::map<std::pair<int, int>, std::size_t> seen;
    for (int i = 0; i < counts[static_cast<std::size_t>(rank)]; ++i) {
      const GroupLife& life = all[next++];
      const std::pair range{life.ranks.lo, life.ranks.hi};
      std::vector<std::size_t>& places = by_range[range];
      const std::size_t nth = seen[range]++;
      if (nth == places.size()) {
        places.push_back(lives.size());
        lives.push_back(life);
        continue;
      }
      GroupLife& group = lives[places[nth]];
      group.executed_min = std::min(group.executed_min, life.executed_min);
      group.executed_max = std::max(group.executed_max, life.executed_max);
      group.busy_until_s = std::max(group.busy_until_s, life.busy_until_s);
    }
  }
  return lives;
}

int largest(int value, MPI_Comm world) {
  int result = 0;
  MPI_Reduce(&value, &result, 1, MPI_INT, MPI_MAX, 0, world);
  return result;
}

}  // namespace regroup
