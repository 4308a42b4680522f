// SPDX-License-Identifier: BSD-3-Clause
//
// Fuzzes the readers of recorded item times: vt's JSON if the input begins with `{`, else CSV.
#include <algorithm>

#include "kernel/workloads/recorded.hpp"
#include "tests/fuzz/input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace regroup;
  const bool json = size > 0 && data[0] == '{';
  const std::string name = json ? "recorded.json" : "recorded.csv";
  const std::string path = fuzz::write(name, fuzz::text_of(data, size));
  for (const int run : {0, 1}) {
    fuzz::accepted(path, [&] {
      const Recording recording = read_recording(path, run);
      const Items items = recording.items();
      for (std::size_t chain = 0; chain < items.size(); ++chain) {
        fuzz::expect(items[chain] >= 0, "items below zero");
        if (items[chain] == 0) continue;
        for (const std::int64_t left : {std::int64_t{1}, items[chain]}) {
          const Recording::Stretch& stretch = recording.stretch(chain, left);
          fuzz::expect(stretch.seconds >= 0 && stretch.ranks > 0, "an item that takes no time");
        }
      }
    });
  }
  return 0;
}
