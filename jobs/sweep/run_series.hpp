// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "jobs/configuration/experiment.hpp"
#include "jobs/records/run_record.hpp"
#include "jobs/sweep/predict.hpp"
#include "jobs/sweep/series.hpp"

namespace regroup {

/// The runs of an experiment; their files are runs.csv, regroups.csv and events.csv. Those of the
/// engine `virtual` need no processes.
class RunSeries final : public Series {
 public:
  explicit RunSeries(Experiment experiment);

  std::size_t size() const override { return experiment_.size(); }
  Task task(std::size_t place) const override;
  std::string id(std::size_t place) const override;
  std::string description(std::size_t place) const override;
  std::string unsupported(std::size_t place) const override;
  std::optional<double> predicted_s(std::size_t place) const override;
  void check(std::span<const std::size_t> chosen) const override;
  MpiJob job(std::size_t place, const std::string& task_file, const std::string& outcome_file,
             const std::string& directory) const override;
  Report report(std::size_t place, const Ended& ended, const std::string& outcome) const override;
  bool execute_here(std::span<const std::size_t> places, const Done& done) const override;

 private:
  Experiment experiment_;
  mutable Predictions predictions_;
};

}  // namespace regroup
