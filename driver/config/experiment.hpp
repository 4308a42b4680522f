// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/config/exclusion.hpp"
#include "driver/config/grid.hpp"
#include "driver/config/reader.hpp"
#include "library/input_files.hpp"
#include "library/task.hpp"
#include "regroup/catalog.hpp"

namespace regroup {

/// Whether the seed, or the repetition, matters to `run` in virtual time: its items are drawn, or
/// their times, or the balancer's decisions.
bool draws(const Task& run);

/// A configuration, resolved: runs, or measurements of one kind, made on demand: a million take
/// four bytes each.
///
/// They are the cross product of the values of all parameters; repetitions are outermost, balancers
/// and the options of measurements innermost. What would repeat an earlier task is left out:
/// further time limits; further repetitions and seeds where nothing is drawn in virtual time;
/// further costs on other engines; measurements that differ in what does not apply to them. So are
/// measurements of groups larger than `ranks`.
class Experiment : public Configuration {
 public:
  Experiment(const Catalog& catalog, Configuration configuration, Grid grid,
             std::vector<Exclusion> exclusions = {});

  const Catalog& catalog() const { return *catalog_; }  ///< that its tasks point to

  /// Of its measurements; nullptr where it is of runs.
  const MeasurementKind* measured() const;
  bool of_runs() const { return origin_.is_run(); }
  /// "run", or the kind of the measurements.
  std::string kind() const { return std::string(origin_.kind()); }
  std::string_view noun() const { return of_runs() ? "run" : "measurement"; }

  std::size_t size() const { return kept_.size(); }
  Task at(std::size_t index) const;

  // Of the task at `index`, without making it.
  const Engine* engine(std::size_t index) const;  ///< nullptr of measurements
  bool is_real(std::size_t index) const { return !of_runs() || engine(index)->real; }
  bool is_exact(std::size_t index) const { return of_runs() && engine(index)->exact; }
  int ranks(std::size_t index) const;
  int repetition(std::size_t index) const;
  /// Equal for tasks that differ in the repetition alone.
  std::size_t setting(std::size_t index) const;
  int ranks_per_node(std::size_t index) const;  ///< 0: as the launcher does

  /// Whether any run may write states of its chains.
  bool writes_states() const;

  /// Equal for runs whose makespans are equal with free communication; in virtual time, with
  /// theirs.
  std::size_t problem(std::size_t index) const;

  /// Combinations that are no runs, because they are equal to one.
  std::size_t left_out() const { return of_runs() ? grid_.size() - kept_.size() - excluded_ : 0; }
  /// Combinations that the key `exclude` leaves out.
  std::size_t excluded() const { return excluded_; }

  /// All combinations, those that are left out included.
  const Grid& grid() const { return grid_; }
  /// Calls `visit` with the index of each combination of the values of `parameters`, that of others
  /// as at `from`; without those that are excluded whatever the others are.
  void each(const std::vector<std::string_view>& parameters,
            const std::function<void(std::size_t)>& visit, std::size_t from = 0) const;

  /// Finds the tasks among the combinations, which must not be too many. Answers which exclusion
  /// matches none of them; nothing where all match some.
  std::optional<std::size_t> enumerate();

 private:
  struct Axis {
    std::size_t repetition, engine, seed, waiting, timeout, workload, wants, costs, jitter, walker,
        ranks, ranks_per_node, order, balancers, group_size, groups, faults;
  };

  void prepare_runs();
  bool draws(std::size_t combination) const;
  bool draws_order(std::size_t combination) const;
  bool repeats_another(std::size_t combination) const;
  /// The task there, as at() answers it.
  Task task_of(std::size_t combination) const;
  /// Equal for tasks of which one is enough.
  std::uint64_t identity(std::size_t combination, Task task) const;

  const Catalog* catalog_;
  Grid grid_;
  Task origin_;  // the first combination
  std::vector<Exclusion> exclusions_;
  std::size_t excluded_ = 0;
  InputFiles files_;
  // By their value on an axis.
  Axis axis_{};
  std::vector<const Engine*> engines_;
  std::vector<int> ranks_, ranks_per_node_;
  std::vector<bool> workload_draws_, wants_draws_, heeds_wants_, jitter_draws_, balancer_draws_,
      order_draws_, equal_groups_, faults_draw_;
  std::vector<std::size_t> same_balancer_;  // the first value with it, whatever its communicator
  std::vector<std::uint32_t> kept_;         // indices of the grid
};

/// All keys of the configuration of runs; of measurements of `measured`.
std::vector<ConfigKey> configuration_keys(const Catalog& catalog,
                                          const MeasurementKind* measured = nullptr);

/// The strategies that `balancer` can be run with: an empty name where it never regroups.
std::vector<std::string> communicators_of(const BalancerEntry& balancer, const Catalog& catalog);

/// The key `communicator` of `balancer`, where it ever regroups.
std::optional<ConfigKey> communicator_key(const BalancerEntry& balancer, const Catalog& catalog);

/// Reads and checks a configuration. Throws UserError with FILE:LINE for every mistake.
Experiment read_experiment(const ConfigSource& source, const Catalog& catalog);

}  // namespace regroup
