// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "driver/config/grid.hpp"
#include "driver/config/reader.hpp"
#include "library/task.hpp"
#include "regroup/measurement.hpp"

namespace regroup {

/// Whether the seed, or the repetition, matters to `run` in virtual time: its items are drawn, or
/// their times, or the balancer's decisions.
bool draws(const Scenario& run);

/// A configuration, resolved: runs, or measurements of one kind. They are made on demand: a sweep
/// of a million takes no more memory than four bytes for each.
///
/// They are the cross product of the values of all parameters; repetitions are outermost, balancers
/// and the options of measurements innermost. Left out is what would be an earlier task once more:
/// further time limits; where nothing is drawn in virtual time, further repetitions and seeds;
/// further costs on other engines, which have none; measurements that differ in what does not
/// apply to them. Measurements of groups that are larger than some values of `ranks` are left out
/// there.
class Experiment : public Configuration {
 public:
  /// `hashes`: of the contents of all files that options name, by their names.
  Experiment(Configuration configuration, Grid<Scenario> grid,
             std::map<std::string, std::string> hashes);

  bool of_runs() const { return origin_.is_run(); }
  /// "run", or the kind of the measurements.
  std::string kind() const { return origin_.kind(); }
  std::string_view noun() const { return of_runs() ? "runs" : "measurements"; }

  std::size_t size() const { return kept_.size(); }
  Scenario at(std::size_t place) const;

  // Of the task at `place`, without making it.
  const EngineEntry& engine(std::size_t place) const;
  int ranks(std::size_t place) const;
  int ranks_per_node(std::size_t place) const;  // 0: as the launcher does

  /// Whether any run may write states of its chains.
  bool writes_states() const;

  /// A number that runs have in common whose makespans are the same with free communication; in
  /// virtual time: with theirs.
  std::size_t problem(std::size_t place) const;

  /// Combinations that are no runs, because they are equal to one.
  std::size_t left_out() const { return of_runs() ? grid_.size() - kept_.size() : 0; }

  /// All combinations, those that are left out included.
  const Grid<Scenario>& grid() const { return grid_; }
  /// Calls `visit` with a place of each combination of the values of `parameters`, that of others
  /// as at `from`.
  void each(const std::vector<std::string_view>& parameters,
            const std::function<void(std::size_t)>& visit, std::size_t from = 0) const;
  bool reads_files() const { return !hashes_.empty(); }

  /// Finds the tasks among the combinations, which must not be too many.
  void enumerate();

 private:
  struct Axis {
    std::size_t repetition, engine, seed, waiting, timeout, workload, wants, costs, jitter, walker,
        ranks, ranks_per_node, order, balancers, group_size, groups;
  };

  void enumerate_runs();
  void enumerate_measurements();
  bool draws(std::size_t combination) const;
  bool draws_order(std::size_t combination) const;
  bool repeats_another(std::size_t combination) const;

  Grid<Scenario> grid_;
  Scenario origin_;  // the first combination
  std::map<std::string, std::string> hashes_;
  // By their value on an axis.
  Axis axis_{};
  std::vector<const EngineEntry*> engines_;
  std::vector<int> ranks_, ranks_per_node_;
  std::vector<bool> workload_draws_, wants_draws_, heeds_wants_, jitter_draws_, balancer_draws_,
      order_draws_, equal_groups_;
  std::vector<std::size_t> same_balancer_;  // the first value with it, whatever its communicator
  std::vector<std::uint32_t> kept_;         // places of the grid
};

/// All keys of the configuration of runs; of measurements of `measured`.
std::vector<ConfigKey> configuration_keys(const MeasurementKind* measured = nullptr);

/// Those keys of runs whose values are numbers, or words that no list has.
std::vector<ConfigKey> keys_of_parameters();

/// Reads and checks a configuration, which must be one that `regroup KIND` executes; empty: any.
/// Throws UserError with FILE:LINE for every mistake.
Experiment read_experiment(const ConfigSource& source, std::string_view kind = "");

}  // namespace regroup
