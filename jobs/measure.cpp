// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/commands.hpp"
#include "jobs/measurement_series.hpp"
#include "jobs/summaries.hpp"

namespace regroup {

int measure(const Measurements& measurements, const SweepOptions& options) {
  const int code = run_sweep(MeasurementSeries(measurements), options);
  constexpr int interrupted = 130;
  if (code != interrupted) {
    print_summary(measurements.kind(), results_directory(measurements, options));
  }
  return code;
}

}  // namespace regroup
