// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "jobs/measurement_config.hpp"
#include "jobs/series.hpp"

namespace regroup {

/// Measurements of one kind; their file bears its name.
class MeasurementSeries final : public Series {
 public:
  explicit MeasurementSeries(const Measurements& measurements);

  void check(std::span<const std::size_t> chosen) const override;
  MpiJob job(std::size_t place, const std::string& task_file, const std::string& outcome_file,
             const std::string& directory) const override;
  Report report(std::size_t place, const Ended& ended, const std::string& outcome) const override;

 private:
  const MeasurementKind& kind_;
  std::vector<Measurement> list_;
};

}  // namespace regroup
