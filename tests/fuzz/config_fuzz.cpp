// SPDX-License-Identifier: BSD-3-Clause
//
// Fuzzes the reader of configurations of experiments and measurements.
#include <algorithm>

#include "driver/config/experiment.hpp"
#include "library/describe.hpp"
#include "tests/fuzz/input.hpp"
#include "tests/tasks.hpp"

namespace regroup {
namespace {

constexpr std::size_t looked_at = 32;

/// Checks that each task survives the conversion to JSON and back, as launched processes read it.
void check_tasks(const Experiment& experiment) {
  fuzz::expect(experiment.size() > 0, "a configuration of nothing");
  for (std::size_t i = 0; i < std::min(experiment.size(), looked_at); ++i) {
    const Task task = experiment.at(i);
    fuzz::expect(fingerprint(task_from_json(to_json(task), catalog())) == fingerprint(task),
                 "a task changes on its way to its processes");
    fuzz::expect(!describe(task).empty(), "a task without a description");
  }
}

}  // namespace
}  // namespace regroup

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace regroup;
  static const std::string trace = fuzz::write("trace.csv", "items\n3\n1\n");
  const std::string path = fuzz::write("input.yaml", fuzz::text_of(data, size));
  fuzz::accepted(path, [&] { check_tasks(read_experiment(path, catalog())); });
  return 0;
}
