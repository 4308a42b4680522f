// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/catalog/scenario.hpp"
#include "jobs/configuration/choices.hpp"
#include "jobs/configuration/configuration.hpp"
#include "jobs/configuration/grid.hpp"

namespace regroup {

/// The values of one balancer's options, and the communicator strategies that it is run with.
struct Balancings {
  Choices balancers;
  std::vector<std::string> communicators;

  std::size_t size() const { return product(balancers.size(), communicators.size()); }
  /// The communicator varies fastest.
  std::pair<Choice, std::string> at(std::size_t place) const {
    return {balancers.at(place / communicators.size()),
            communicators[place % communicators.size()]};
  }
};

/// The values of every parameter of an experiment; none without any.
struct ExperimentLists {
  using Values = std::vector<std::string>;

  std::size_t repetitions = 1;
  Values engines, seeds, waitings, timeouts_s, jitters, walkers, items_ms, group_sizes, ranks;
  Joined<Choices> workloads, costs, speedups;
  Joined<Balancings> balancings;
  std::map<std::string, std::string> hashes;  ///< of the contents of the files that options name
};

/// Whether the seed, or the repetition, matters to `run` in virtual time: its items are drawn, or
/// their times, or the balancer's decisions.
bool draws(const Scenario& run);

/// The configuration of an experiment, resolved. Its runs are made on demand: a sweep of a million
/// takes no more memory than four bytes for each.
///
/// They are the cross product of all lists; repetitions are outermost, balancers innermost. Left
/// out is what would be an earlier run once more: where nothing is drawn in virtual time, further
/// repetitions and seeds; further costs on other engines, which have none; further time limits.
class Experiment : public Configuration {
 public:
  Experiment(Configuration configuration, ExperimentLists lists);

  std::size_t size() const { return kept_.size(); }
  Scenario run(std::size_t place) const;

  /// Of the run at `place`, without making it.
  std::string_view engine(std::size_t place) const;
  int ranks(std::size_t place) const;

  /// A number that runs have in common whose makespans are the same with free communication; in
  /// virtual time: with theirs.
  std::size_t problem(std::size_t place) const;

  /// Combinations that are no runs, because they are equal to one.
  std::size_t left_out() const { return grid_.size() - kept_.size(); }

  /// All combinations, those that are left out included, and the parameters that matter most.
  const Grid<Scenario>& grid() const { return grid_; }
  const ExperimentLists& lists() const { return *lists_; }
  struct Axis {
    std::size_t repetition, engine, seed, waiting, timeout, workload, costs, speedup, jitter,
        walker, item_ms, group_size, ranks, balancing;
  };
  const Axis& axis() const { return axis_; }

  /// Finds the runs among the combinations, which must not be too many.
  void enumerate();

 private:
  bool draws(std::size_t combination) const;
  bool repeats_another(std::size_t combination) const;

  std::shared_ptr<const ExperimentLists> lists_;
  Grid<Scenario> grid_;
  Axis axis_{};
  std::vector<bool> workload_draws_, balancing_draws_;
  std::vector<std::uint32_t> kept_;  // places of the grid
};

}  // namespace regroup
