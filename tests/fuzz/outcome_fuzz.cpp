// SPDX-License-Identifier: BSD-3-Clause
//
// What launched processes leave for the sweep to read: outcomes of runs and of measurements.
// An outcome that is not whole, or that cannot be, is one that the sweep refuses by an exception.
#include "driver/config/experiment.hpp"
#include "driver/execute/execute.hpp"
#include "driver/store/result_files.hpp"
#include "tests/fuzz/input.hpp"

namespace regroup {
namespace {

Scenario small_run() {
  return read_experiment(
             fuzz::write("run.yaml",
                         "ranks: 8\ngroup_size: 2\nitem_ms: 1\nbalancers: [asynchronous]\n"
                         "workload: {kind: cyclic, multiplier: 1, modulus: 8}\n"))
      .at(0);
}

Scenario small_measurement() {
  return read_experiment(fuzz::write("steps.yaml", "measure: steps\nranks: 8\ngroup_size: 2\n"))
      .at(0);
}

void report(const Scenario& task, const std::string& outcome) {
  // What is refused, the sweep makes a failed row of.
  fuzz::survived([&] {
    const Report report = report_of(task, Ended{}, outcome);
    fuzz::expect(report.lines.size() == files_of(task.kind()).size(),
                 "a report that misses a file");
  });
}

}  // namespace
}  // namespace regroup

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace regroup;
  static const Scenario run = small_run();
  static const Scenario measurement = small_measurement();
  const std::string outcome(fuzz::text_of(data, size));
  report(run, outcome);
  report(measurement, outcome);
  return 0;
}
