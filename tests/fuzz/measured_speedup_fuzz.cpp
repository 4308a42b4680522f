// SPDX-License-Identifier: BSD-3-Clause
//
// The reader of measured items: the speed-up that a run takes from items.csv.
#include <cmath>

#include "library/resolve.hpp"
#include "tests/fuzz/input.hpp"

namespace regroup {
namespace {

void check_times(const Scenario& scenario) {
  const ItemTime time = resolve_item_time(scenario);
  for (int ranks = 1; ranks <= scenario.ranks; ranks = 2 * ranks + 1) {
    const double seconds = time.seconds(ranks);
    fuzz::expect(std::isfinite(seconds) && seconds > 0, "an item that takes no time");
  }
}

}  // namespace
}  // namespace regroup

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace regroup;
  const std::string file = fuzz::write("items.csv", fuzz::text_of(data, size));
  Scenario scenario;
  scenario.ranks = 1 << 20;
  for (const char* setting : {"0", "1", "2"}) {
    scenario.speedup = {"measured", {{"items_file", file}, {"items_setting", setting}}};
    fuzz::accepted(file, [&] { check_times(scenario); });
  }
  return 0;
}
