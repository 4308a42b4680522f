// SPDX-License-Identifier: BSD-3-Clause
//
// Fuzzes the reader of outcomes, which launched processes write for the sweep: of runs and of
// measurements. The sweep rejects an incomplete or impossible outcome with an exception.
#include "driver/execute/execute.cpp"
#include "driver/store/run_files.hpp"
#include "tests/fuzz/input.hpp"
#include "tests/tasks.hpp"

namespace regroup {
namespace {

Task task_in(const std::string& configuration) {
  return read_experiment({"task.yaml", configuration}, catalog()).at(0);
}

/// Checks the report of an outcome. If report_of() throws, a sweep would record a failed row.
void report(const Task& task, const std::string& outcome) {
  const MeasurementKind* kind = task.is_run() ? nullptr : task.measurement().kind;
  fuzz::survived([&] {
    const Report report = report_of(task, Ending{}, outcome);
    const auto lines = lines_of(report.record, columns_of(kind, catalog()));
    fuzz::expect(lines.size() == files_of(kind, catalog()).size(), "a report that misses a file");
  });
}

}  // namespace
}  // namespace regroup

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace regroup;
  static const Task run = task_in(
      "ranks: 8\ngroup_size: 2\nitem_ms: 1\nbalancers: [asynchronous]\n"
      "workload: {kind: cyclic, multiplier: 1, modulus: 8}\n");
  static const Task measurement = task_in("measure: steps\nranks: 8\ngroup_size: 2\n");
  const std::string outcome(fuzz::text_of(data, size));
  report(run, outcome);
  report(measurement, outcome);
  return 0;
}
