// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jobs/configuration/experiment.hpp"
#include "jobs/selection/selection.hpp"
#include "jobs/sweep/launching.hpp"
#include "jobs/sweep/predict.hpp"

namespace regroup {

struct PlanOptions {
  Selection which;
  std::string format = "text";  ///< text, json or slurm
  int shards = 0;               ///< show the division into so many; 0: the tasks
  int ranks_per_node = 0;       ///< 0: as many as this machine has cores
  std::string results;          ///< directory that launching is learnt from; empty: the usual one
};

/// A task, and what is likely to become of it.
struct PlannedTask {
  std::size_t place = 0;
  int processes = 1;
  Prediction prediction;         ///< of a run
  std::optional<double> wall_s;  ///< launching included; nothing where it is not known
  std::string lacking;           ///< of a measurement: why it is unsupported; empty where it is not
  double timeout_s = 0;
};

/// What a job must ask for to execute some tasks, one after the other.
struct Allocation {
  int processes = 0;
  int nodes = 0;
  int processes_on_a_node = 0;
  double seconds = 0;       ///< likely, of those that are known
  std::size_t unknown = 0;  ///< tasks
  double asked_s = 0;       ///< with something to spare, in whole minutes
};

class Plan {
 public:
  Plan(const Experiment& experiment, const PlanOptions& options);

  const std::vector<PlannedTask>& tasks() const { return tasks_; }
  const Launching& launching() const { return launching_; }
  const std::string& results() const { return results_; }  ///< that launching was learnt from
  int ranks_per_node() const { return ranks_per_node_; }

  Allocation allocation() const { return allocation(tasks_); }
  Allocation allocation(const std::vector<PlannedTask>& tasks) const;

  /// Which comes when, from 1 on: of each of the tasks, as far as one command does all of them.
  std::vector<std::size_t> positions() const;

  /// Those of each shard.
  std::vector<std::vector<PlannedTask>> divided(int shards) const;

 private:
  const Experiment& experiment_;
  std::string results_;
  int ranks_per_node_;
  Launching launching_;
  std::vector<PlannedTask> tasks_;
};

/// "1:05:00", hours, minutes and seconds, as schedulers take them.
std::string time_limit(double seconds);

void print_plan_as_json(const Experiment& experiment, const Plan& plan, const PlanOptions& options);
void print_plan_for_slurm(const Plan& plan, const PlanOptions& options);
void print_shards(const Experiment& experiment, const Plan& plan, const PlanOptions& options);

}  // namespace regroup
