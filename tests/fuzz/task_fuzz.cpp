// SPDX-License-Identifier: BSD-3-Clause
//
// Fuzzes the reader of task files of ranks: runs and measurements as JSON. A task that passes the
// checks must be executable; small runs are executed in virtual time.

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
  // An impossible task ends in an exception, which the rank would report.
  fuzz::survived([&] { execute(std::string(fuzz::text_of(data, size))); });
  return 0;
}
