// SPDX-License-Identifier: BSD-3-Clause
//
// The reader of configurations, of experiments and of measurements.
#include <algorithm>

#include "jobs/configuration/experiment_reader.hpp"
#include "jobs/configuration/measurement_reader.hpp"
#include "jobs/sweep/measurement_series.hpp"
#include "jobs/sweep/run_series.hpp"
#include "tests/fuzz/input.hpp"

namespace regroup {
namespace {

constexpr std::size_t looked_at = 32;

/// What the launched processes read is what was configured.
void check_tasks(const Series& series) {
  fuzz::expect(series.size() > 0, "a configuration of nothing");
  for (std::size_t i = 0; i < std::min(series.size(), looked_at); ++i) {
    const Task task = series.task(i);
    const std::string id = is_measurement(task.json) ? fingerprint(measurement_from_json(task.json))
                                                     : fingerprint(scenario_from_json(task.json));
    fuzz::expect(id == task.id, "a task changes on its way to its processes");
    fuzz::expect(!task.description.empty(), "a task without a description");
  }
}

}  // namespace
}  // namespace regroup

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace regroup;
  static const std::string trace = fuzz::write("trace.csv", "items\n3\n1\n");
  const std::string path = fuzz::write("input.yaml", fuzz::text_of(data, size));
  fuzz::accepted(path, [&] {
    if (is_of_measurements(path)) {
      check_tasks(MeasurementSeries(read_measurements(path)));
    } else {
      check_tasks(RunSeries(read_experiment(path)));
    }
  });
  return 0;
}
