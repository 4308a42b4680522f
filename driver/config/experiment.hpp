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

/// Returns whether seed or repetition influence `run` in virtual time: whether its items, their
/// times, wants, faults or the balancer's decisions are random.
bool draws(const Task& run);

/// A resolved configuration: its tasks are runs, or measurements of one kind. They are created on
/// demand; each takes four bytes of memory.
///
/// Tasks are the cross product of all parameter values; repetitions are outermost, balancers and
/// options of measurements innermost. Tasks that would repeat an earlier one are omitted:
/// further time limits; further repetitions and seeds if nothing is random in virtual time; further
/// costs on other engines; measurements that differ only in options that do not apply. Measurements
/// of groups larger than `ranks` are omitted, too.
class Experiment : public Configuration {
 public:
  Experiment(const Catalog& catalog, Configuration configuration, Grid grid,
             std::vector<Exclusion> exclusions = {});

  const Catalog& catalog() const { return *catalog_; }  ///< to which its tasks point

  /// Returns the kind of its measurements; nullptr for runs.
  const MeasurementKind* measured() const;
  bool of_runs() const { return origin_.is_run(); }
  /// Returns "run", or the name of the kind of measurements.
  std::string kind() const { return std::string(origin_.kind()); }
  std::string_view noun() const { return of_runs() ? "run" : "measurement"; }

  std::size_t size() const { return kept_.size(); }
  Task at(std::size_t index) const;

  // Properties of the task at `index`, without creating it.
  const Engine* engine(std::size_t index) const;  ///< nullptr for measurements
  bool is_real(std::size_t index) const { return !of_runs() || engine(index)->real; }
  bool is_exact(std::size_t index) const { return of_runs() && engine(index)->exact; }
  int ranks(std::size_t index) const;
  int repetition(std::size_t index) const;
  /// Equal for tasks that differ only in the repetition.
  std::size_t setting(std::size_t index) const;
  int ranks_per_node(std::size_t index) const;  ///< 0: the launcher decides

  /// Returns whether any run may write states of its chains.
  bool writes_states() const;

  /// Equal for runs whose makespans are equal for equal walkers and with free communication; in
  /// virtual time, with their own costs of communication.
  std::size_t problem(std::size_t index) const;

  /// Number of combinations that were omitted because they repeat another run.
  std::size_t left_out() const { return of_runs() ? grid_.size() - kept_.size() - excluded_ : 0; }
  /// Number of combinations that the key `exclude` omits.
  std::size_t excluded() const { return excluded_; }

  /// All combinations, including omitted ones.
  const Grid& grid() const { return grid_; }
  /// Calls `visit` with the index of each combination of the values of `parameters`; the others are
  /// as at `from`. Skips combinations that are excluded for any values of the others.
  void each(const std::vector<std::string_view>& parameters,
            const std::function<void(std::size_t)>& visit, std::size_t from = 0) const;

  /// Finds the tasks among the combinations, at most most_combinations. Returns the index of an
  /// exclusion that matches no combination; nullopt if there is none.
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
  /// Returns the task of a combination, settled as for at().
  Task task_of(std::size_t combination) const;
  /// Returns a hash that is equal for tasks that repeat each other.
  std::uint64_t identity(std::size_t combination, Task task) const;

  const Catalog* catalog_;
  Grid grid_;
  Task origin_;  // the first combination
  std::vector<Exclusion> exclusions_;
  std::size_t excluded_ = 0;
  InputFiles files_;
  // Properties by the index of the value on an axis.
  Axis axis_{};
  std::vector<const Engine*> engines_;
  std::vector<int> ranks_, ranks_per_node_;
  std::vector<bool> workload_draws_, wants_draws_, heeds_wants_, jitter_draws_, balancer_draws_,
      order_draws_, equal_groups_, faults_draw_;
  std::vector<std::size_t> same_balancer_;  // first value with that balancer and any communicator
  std::vector<std::uint32_t> kept_;         // indices of the grid
};

/// Returns all keys of configurations of runs, or of measurements of `measured`.
std::vector<ConfigKey> configuration_keys(const Catalog& catalog,
                                          const MeasurementKind* measured = nullptr);

/// Returns the names of the strategies that `balancer` supports; an empty one if it never regroups.
std::vector<std::string> communicators_of(const BalancerEntry& balancer, const Catalog& catalog);

/// Returns the key `communicator` of `balancer`; nullopt if it never regroups.
std::optional<ConfigKey> communicator_key(const BalancerEntry& balancer, const Catalog& catalog);

/// Reads and checks a configuration. Throws UserError with FILE:LINE for the first error.
Experiment read_experiment(const ConfigSource& source, const Catalog& catalog);

}  // namespace regroup
