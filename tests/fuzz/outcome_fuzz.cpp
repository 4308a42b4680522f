// SPDX-License-Identifier: BSD-3-Clause
//
// What launched processes leave for the sweep to read: outcomes of runs, findings of measurements.
// An outcome that is not whole, or that cannot be, is one that the sweep refuses by an exception.
#include "jobs/configuration/experiment_reader.hpp"
#include "jobs/configuration/measurement_reader.hpp"
#include "jobs/sweep/measurement_series.hpp"
#include "jobs/sweep/run_series.hpp"
#include "tests/fuzz/input.hpp"

namespace regroup {
namespace {

RunSeries small_run() {
  return RunSeries(
      read_experiment(fuzz::write("run.yaml",
                                  "ranks: 8\ngroup_size: 2\nitem_ms: 1\nbalancers: [asynchronous]\n"
                                  "workload: {kind: cyclic, multiplier: 1, modulus: 8}\n")));
}

MeasurementSeries small_measurement() {
  return MeasurementSeries(read_measurements(
      fuzz::write("steps.yaml", "measure: steps\nranks: 8\ngroup_size: 2\n"), "steps"));
}

void report(const Series& series, const std::string& outcome) {
  // What is refused, the sweep makes a failed row of.
  fuzz::survived([&] {
    const Report report = series.report(0, Ended{}, outcome);
    fuzz::expect(report.lines.size() == series.files.size(), "a report that misses a file");
  });
}

}  // namespace
}  // namespace regroup

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace regroup;
  static const RunSeries run = small_run();
  static const MeasurementSeries measurement = small_measurement();
  const std::string outcome(fuzz::text_of(data, size));
  report(run, outcome);
  report(measurement, outcome);
  return 0;
}
