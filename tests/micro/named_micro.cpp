// SPDX-License-Identifier: BSD-3-Clause
//
// Measures the creation and freeing of a communicator that a file names, compared with the bare
// strategy for the same members. The name is looked up once, beforehand. All ranks form disjoint
// groups of N members at the same time.
//
//   mpiexec -n 32 build/named_micro
//
// One iteration is a batch of each; its time is the maximum over ranks. `named_s` and `bare_s` are
// medians in seconds, and `ratio` is the first over the second. A range is created without
// communication: its time is processor time.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>

#include "regroup/communicator.hpp"
#include "regroup/named.hpp"
#include "regroup/options.hpp"
#include "tests/micro/mpi_main.hpp"

namespace {

using namespace regroup;

/// Returns definitions of groups of `size` consecutive ranks, all with the same name.
std::string groups_of(int size, int ranks) {
  std::string text = "communicators:\n";
  for (int lo = 0; lo < ranks; lo += size) {
    const int hi = std::min(lo + size, ranks) - 1;
    text += fmt::format("- {{name: GROUP, members: [{}-{}]}}\n", lo, hi);
  }
  return text;
}

void named_beside_bare(benchmark::State& state, const range::Comm& world, int size,
                       std::string_view name) {
  const Strategy& strategy = *find_entry(strategies(), name);
  Site site(world.parent().comm(), world.parent().waiter());
  const NamedCommunicators named(Definitions::parse(groups_of(size, world.size()), "groups.yaml"),
                                 world.parent().comm());
  const Members members = named.group("GROUP");
  const auto times = [&](auto make) {
    return [&, make](int count) {
      site.waiter().blocking([&] {
        for (int i = 0; i < count; ++i) {
          GroupComm comm = make();
          benchmark::DoNotOptimize(comm);
        }
      });
    };
  };
  const bool waits = name != "range";
  const int batch = waits ? 10 : 100'000;
  const clockid_t clock = waits ? CLOCK_MONOTONIC : micro::processor_time;
  const auto bare = [&, make = strategy.make] { return make(site, members, 0); };
  const auto by_name = [&, make = named.maker("GROUP", strategy)] { return make(site); };
  micro::time_in_turn(
      state, world,
      {{"named_s", batch, times(by_name), clock}, {"bare_s", batch, times(bare), clock}});
}

void add_all(const range::Comm& world) {
  for (const char* strategy : {"create_group", "comm_split", "range"}) {
    for (int size = std::min(4, world.size());; size = std::min(4 * size, world.size())) {
      micro::add(fmt::format("{}/members:{}", strategy, size), benchmark::kMicrosecond, 30,
                 [=](auto& state) { named_beside_bare(state, world, size, strategy); });
      if (size == world.size()) break;
    }
  }
}

}  // namespace

int main(int argc, char** argv) { return micro::main(argc, argv, add_all); }
