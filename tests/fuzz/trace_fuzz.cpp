// SPDX-License-Identifier: BSD-3-Clause
//
// Fuzzes the reader of recorded workloads.
#include <algorithm>

#include "kernel/starting_groups.hpp"
#include "kernel/workloads/workloads.hpp"
#include "tests/fuzz/input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace regroup;
  const std::string path = fuzz::write("trace.csv", fuzz::text_of(data, size));
  for (const int ranks : {2, 8}) {
    const std::vector<RankRange> groups = initial_groups(ranks, 2);
    fuzz::accepted(path, [&] {
      const Items items = trace({{"trace_file", path}}, groups, 1);
      fuzz::expect(items.size() == groups.size(), "a trace that does not fit");
      fuzz::expect(std::ranges::min(items) >= 0, "items below zero");
    });
  }
  return 0;
}
