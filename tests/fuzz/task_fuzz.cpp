// SPDX-License-Identifier: BSD-3-Clause
//
// The task files that ranks read: runs and measurements as JSON. What passes the checks can be
// executed, which virtual time shows where it is small.

#include <cstdint>

#include "driver/config/experiment.hpp"
#include "library/resolve.hpp"
#include "library/task.hpp"
#include "tests/fuzz/input.hpp"
#include "tests/tasks.hpp"

namespace regroup {
namespace {

constexpr int most_ranks = 16;
constexpr std::int64_t most_items = 1000;

void execute(const std::string& text) {
  Task task = task_from_json(text, catalog());
  if (!task.is_run()) {
    Measurement& measurement = task.measurement();
    settle(measurement, task.ranks);
    if (!is_left_out(measurement, task.ranks)) hindrance(measurement, task.ranks, task.seed);
    return;
  }
  if (task.ranks > most_ranks || !InputFiles::of(task).empty()) return;
  for (const std::int64_t number : initial_items(task)) {
    if (number > most_items) return;
  }
  simulate(task);
}

}  // namespace
}  // namespace regroup

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace regroup;
  // What cannot be, the rank says, and ends the run.
  fuzz::survived([&] { execute(std::string(fuzz::text_of(data, size))); });
  return 0;
}
