// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "jobs/config.hpp"
#include "jobs/run_record.hpp"
#include "jobs/series.hpp"

namespace regroup {

/// The runs of an experiment; their files are runs.csv, regroups.csv and events.csv. Those of the
/// engine `virtual` need no processes.
class RunSeries final : public Series {
 public:
  explicit RunSeries(const Experiment& experiment);

  void check(std::span<const std::size_t> chosen) const override;
  MpiJob job(std::size_t place, const std::string& task_file, const std::string& outcome_file,
             const std::string& directory) const override;
  Report report(std::size_t place, const Ended& ended, const std::string& outcome) const override;
  bool execute_here(std::span<const std::size_t> places, const Done& done) const override;

 private:
  std::vector<Scenario> runs_;
};

}  // namespace regroup
