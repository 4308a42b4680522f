// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driver/config/experiment.hpp"
#include "library/task.hpp"
#include "regroup/costs.hpp"
#include "regroup/options.hpp"

namespace regroup {

/// A balancer with its options, and its communicator strategy; nullptr if the balancer never
/// regroups.
struct Contender {
  Chosen<BalancerEntry> balancer;
  const Strategy* strategy = nullptr;
};

/// Returns every balancer with all option values in OptionSpec::tried (if empty, the default), over
/// every strategy that it supports.
std::vector<Contender> all_contenders(const Catalog& catalog);

Task run_by(const Contender& contender, Task run);

/// Returns whether `contender` regroups and creates MPI communicators.
bool forms_communicators(const Contender& contender);

/// Describes a contender: "asynchronous(release) over range".
std::string words(const Contender& contender);

/// Formats an item of `balancers`: "asynchronous: {finished: release, communicator: range}".
std::string yaml(const Contender& contender);

/// A contender with its costs of communication.
struct Entrant : Contender {
  Costs costs;
};

/// The contenders for a run, with the costs that the run specifies.
struct Entrants {
  std::vector<Entrant> all;               ///< only the first of strategies with equal costs
  std::vector<std::string> not_measured;  ///< strategies without known costs
};

/// Throws UserError if the costs cannot be read, or cover no strategy with MPI communicators.
Entrants entrants(const Task& run, const Catalog& catalog);

/// The work of runs, independent of the balancer.
struct Problem {
  Task run;                                            ///< its balancer and seed are ignored
  std::vector<std::pair<std::uint64_t, int>> streams;  ///< seeds and repetitions to try
};

/// The costs given on the command line; empty if not given.
struct AskedPrices {
  std::string costs;     ///< a cost model that needs no files
  std::string creation;  ///< path of a creation.csv; needs `steps`
  std::string steps;     ///< path of a steps.csv; needs `creation`
};
std::vector<std::string> costs_without_files(const Catalog& catalog);

/// The assumed costs of communication.
struct Prices {
  std::optional<Chosen<CostModel>> costs;  ///< nullopt: those of the configuration
  std::string source;                      ///< in words
  std::string hint;                        ///< how to measure the costs; empty if not needed
};

/// The range of a parameter in which no other choice wins.
struct Crossing {
  double holds;                       ///< none wins up to here (± 2 %); the end if none ever does
  std::optional<std::size_t> winner;  ///< the choice that wins beyond
};

/// Searches from `from` to `to`, by factors of at most ten, for a value at which `winner` returns a
/// choice, then bisects. Both ends are positive, in any order; at `from` no choice wins.
Crossing crossing(double from, double to,
                  const std::function<std::optional<std::size_t>(double)>& winner);

/// A number of ranks per group at the start, and its results. It determines the number of walkers,
/// each of which keeps the items of the workload, so only the core time per item can be compared
/// between sizes.
struct GroupSize {
  int ranks;
  std::size_t walkers;
  double makespan_s;
  double core_ms_per_item;
};

/// Returns the size nearest to `configured` of those on which no size saves more than the part
/// `least_saving` of the core time per item.
int best_group_size(const std::vector<GroupSize>& sizes, int configured, double least_saving);

/// Another choice wins if it saves more than this fraction of the time.
inline constexpr double margin = 0.01;

/// The smallest item_ms in the search for break-even.
inline constexpr double shortest_ms = 1e-3;

struct Standing {
  Entrant entrant;
  double makespan_s;
  double of_bound;  ///< makespan divided by its lower bound
};

/// The value up to which a choice stays the best, and the winner beyond; nullopt if none ever wins.
struct BreakEven {
  double holds;
  std::optional<Contender> winner;
};

struct Advice {
  Problem problem;
  std::vector<Standing> standings;        ///< by makespan; equal ones as in the list
  std::vector<std::string> not_measured;  ///< strategies without known costs
  std::vector<std::string> failures;      ///< contenders that could not be simulated, with reasons
  std::optional<BreakEven> item_ms;       ///< nullopt if recorded, or already that short
  std::optional<Standing> communicators;  ///< the best with MPI communicators, if faster than none
  std::optional<BreakEven> dearer;        ///< break-even factor of their creation cost
  int members = 0;                        ///< size of the group in price_s()
  std::vector<GroupSize> group_sizes;     ///< with the best choice, ascending
  int group_size = 0;                     ///< recommended initial size

  const Standing& best() const { return standings.front(); }
  /// Returns the fastest choice with another balancer; nullptr if there is none.
  const Standing* runner_up() const;
  const Standing* none() const;
  /// Returns the choices with other balancers or options within the margin, the fastest first.
  std::vector<Contender> as_good() const;
  double price_s() const;  ///< cost of creating a communicator of `members` ranks
};

/// Called with descriptions of the progress.
using Notify = std::function<void(std::string_view)>;

/// Finds the best choice by simulations. Throws UserError if no contender can be simulated.
Advice advise(const Problem& problem, const Catalog& catalog, const Notify& notify);

/// The time that one choice saves compared with another.
struct Saving {
  double seconds;
  double part;  ///< fraction of the other's makespan
  double core_hours;
};
Saving saving(const Standing& best, const Standing& other, int ranks);

/// Returns lines for a configuration: `balancers`, and `group_size` if another one is better.
std::string lines_to_paste(const Advice& advice);

/// Returns a few lines about one problem, for people.
std::string as_text(const Advice& advice);

/// Returns all advice as JSON. docs/advice.md documents its keys.
std::string as_json(const Configuration& configuration, const Prices& prices,
                    const std::vector<Advice>& advice);

/// Prints the best balancer and strategy for each problem of a configuration of runs, its savings,
/// and its break-even with other choices. `measured`: configuration lines with measured item times;
/// empty if item times are assumed.
void print_advice(const Experiment& experiment, const AskedPrices& asked, bool json,
                  const std::vector<std::string>& measured = {});

}  // namespace regroup
