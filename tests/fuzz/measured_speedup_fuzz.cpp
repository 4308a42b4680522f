// SPDX-License-Identifier: BSD-3-Clause
//
// Fuzzes the reader of measured items: the speed-up that a run reads from items.csv.
#include <cmath>

#include "library/resolve.hpp"
#include "tests/fuzz/input.hpp"
#include "tests/tasks.hpp"

namespace regroup {
namespace {

void check_times(const Task& run) {
  const ItemTime time = item_time_of(run);
  for (int ranks = 1; ranks <= run.ranks; ranks = 2 * ranks + 1) {
    const double seconds = time.seconds(ranks);
    fuzz::expect(std::isfinite(seconds) && seconds > 0, "an item that takes no time");
  }
}

}  // namespace
}  // namespace regroup

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace regroup;
  const std::string file = fuzz::write("items.csv", fuzz::text_of(data, size));
  Task run = virtual_run();
  run.ranks = 1 << 20;
  for (const char* setting : {"0", "1", "2"}) {
    run.run().speedup = speedup("measured", {{"items_file", file}, {"items_setting", setting}});
    fuzz::accepted(file, [&] { check_times(run); });
  }
  return 0;
}
