// SPDX-License-Identifier: BSD-3-Clause
//
// The task files that ranks read: scenarios and measurements as JSON. What passes the checks can be
// executed, which virtual time shows where it is small.

#include <cstdint>
#include <vector>

#include "engines/virtual/engine.hpp"
#include "library/resolve.hpp"
#include "library/task.hpp"
#include "tests/fuzz/input.hpp"

namespace regroup {
namespace {

constexpr int most_ranks = 16;
constexpr std::int64_t most_items = 1000;

void execute(const std::string& task) {
  const Scenario scenario = scenario_from_json(task);
  if (!scenario.is_run()) {
    impossible(scenario);
    return;
  }
  if (scenario.ranks > most_ranks) return;
  if (scenario.workload.options.has("trace_file") || scenario.costs.options.has("steps_file") ||
      scenario.speedup.options.has("items_file")) {
    return;
  }
  const std::vector<std::int64_t> items = initial_items(scenario);
  for (const std::int64_t number : items) {
    if (number > most_items) return;
  }
  simulate(scenario);
}

}  // namespace
}  // namespace regroup

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace regroup;
  // What cannot be, the rank says, and ends the run.
  fuzz::survived([&] { execute(std::string(fuzz::text_of(data, size))); });
  return 0;
}
