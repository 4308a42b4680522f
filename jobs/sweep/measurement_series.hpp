// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "jobs/configuration/measurement_reader.hpp"
#include "jobs/sweep/series.hpp"

namespace regroup {

/// Measurements of one kind; their file bears its name.
class MeasurementSeries final : public Series {
 public:
  explicit MeasurementSeries(Measurements measurements);

  std::size_t size() const override { return measurements_.size(); }
  Task task(std::size_t place) const override;
  std::string id(std::size_t place) const override;
  std::string description(std::size_t place) const override;
  std::string unsupported(std::size_t place) const override;
  std::optional<double> predicted_s(std::size_t place) const override;
  void check(std::span<const std::size_t> chosen) const override;
  MpiJob job(std::size_t place, const std::string& task_file, const std::string& outcome_file,
             const std::string& directory) const override;
  Report report(std::size_t place, const Ended& ended, const std::string& outcome) const override;

 private:
  Measurements measurements_;
  const MeasurementKind& kind_;
};

}  // namespace regroup
