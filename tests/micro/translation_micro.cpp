// SPDX-License-Identifier: BSD-3-Clause
//
// Measures the translation of a rank of a group to a rank of the parent (`parent_rank`) and back
// (`rank_of`), for range communicators and for MPI_Group_translate_ranks.
//
//   mpiexec -n 16 build/translation_micro
//
// MPI translates `at_once` ranks per call. Times are processor time per rank in seconds: `range_s`
// and `mpi_s` are medians over the iterations of the maximum over ranks. `ratio` is the quotient of
// the medians: below 1, the range communicator is faster. No rank waits within a measurement;
// between measurements, waiting is polite if ranks outnumber cores.

#include <numeric>
#include <string>
#include <vector>

#include "regroup/communicator.hpp"
#include "tests/micro/mpi_main.hpp"

namespace {

using namespace regroup;

/// A group of the parent's ranks 0, stride, 2 · stride, …
struct Strided {
  range::Comm range;
  GroupHandle group;
  GroupHandle all;
  std::vector<int> own;     ///< ranks of the members in the group
  std::vector<int> parent;  ///< ranks of the members in the parent

  Strided(const range::Comm& world, int stride)
      : range(world.range(0, world.size() - 1, stride)),
        group(group_of(world.parent().comm(), Members::range(0, range.size(), stride))),
        all(group_of(world.parent().comm(), Members::range(0, world.size()))),
        own(static_cast<std::size_t>(range.size())) {
    std::iota(own.begin(), own.end(), 0);
    for (const int rank : own) parent.push_back(range.parent_rank(rank));
  }
};

/// Returns a function that translates `count` ranks, cycling through `ranks`, `at_once` per call.
template <class Translate>
auto in_turn(const std::vector<int>& ranks, int at_once, Translate translate) {
  return [=, &ranks](int count) {
    std::vector<int> found(static_cast<std::size_t>(at_once));
    const int size = static_cast<int>(ranks.size());
    int first = 0;
    for (int done = 0; done < count; done += at_once) {
      translate(&ranks[static_cast<std::size_t>(first)], found.data());
      benchmark::DoNotOptimize(found.data());
      benchmark::ClobberMemory();
      first = first + 2 * at_once <= size ? first + at_once : 0;
    }
  };
}

void compare(benchmark::State& state, const range::Comm& world, bool to_parent, int stride,
             bool all_at_once) {
  const Strided group(world, stride);
  const int at_once = all_at_once ? group.range.size() : 1;
  const auto ours = [&, at_once](const int* ranks, int* found) {
    for (int i = 0; i < at_once; ++i) {
      found[i] = to_parent ? group.range.parent_rank(ranks[i]) : group.range.rank_of(ranks[i]);
    }
  };
  const auto theirs = [&, at_once](const int* ranks, int* found) {
    const MPI_Group from = to_parent ? group.group.get() : group.all.get();
    const MPI_Group to = to_parent ? group.all.get() : group.group.get();
    MPI_Group_translate_ranks(from, at_once, ranks, to, found);
  };
  const std::vector<int>& ranks = to_parent ? group.own : group.parent;
  micro::time_in_turn(state, world,
                      {{"range_s", 100'000, in_turn(ranks, at_once, ours), micro::processor_time},
                       {"mpi_s", 100'000, in_turn(ranks, at_once, theirs), micro::processor_time}});
}

void add_all(const range::Comm& world) {
  for (const bool to_parent : {true, false}) {
    for (const int stride : {1, 2}) {
      for (const bool all : {false, true}) {
        micro::add(std::string(to_parent ? "parent_rank" : "rank_of") +
                       "/stride:" + std::to_string(stride) + "/at_once:" + (all ? "all" : "1"),
                   benchmark::kNanosecond, 30,
                   [=](auto& state) { compare(state, world, to_parent, stride, all); });
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) { return micro::main(argc, argv, add_all); }
