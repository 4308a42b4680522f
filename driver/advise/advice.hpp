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

/// A balancer with its options, and the communicator strategy that it is run with; none where it
/// never regroups.
struct Contender {
  Chosen<BalancerEntry> balancer;
  const Strategy* strategy = nullptr;
};

/// Every balancer of the list with those values of its options that OptionSpec::tried names, over
/// every strategy that serves it.
std::vector<Contender> all_contenders(const Catalog& catalog);

Task run_by(const Contender& contender, Task run);

/// Whether it regroups and forms communicators of MPI.
bool forms_communicators(const Contender& contender);

/// "asynchronous(release) over range".
std::string words(const Contender& contender);

/// An element of the key `balancers`: "asynchronous: {finished: release, communicator: range}".
std::string yaml(const Contender& contender);

/// A contender, and what communication costs it.
struct Entrant : Contender {
  Costs costs;
};

/// The contenders for runs like `run`, with the costs that it names.
struct Entrants {
  std::vector<Entrant> all;               ///< of strategies that cost the same, the first only
  std::vector<std::string> not_measured;  ///< strategies that the costs say nothing of
};

/// Throws UserError where a file of costs cannot be read, or has nothing of any strategy.
Entrants entrants(const Task& run, const Catalog& catalog);

/// What is to be done, whoever does it.
struct Problem {
  Task run;                                            ///< whatever its balancer and its seed
  std::vector<std::pair<std::uint64_t, int>> streams;  ///< seeds and repetitions to try
};

/// What the command line says about costs; empty where it says nothing.
struct AskedPrices {
  std::string costs;     ///< a cost model that needs no files
  std::string creation;  ///< a creation.csv …
  std::string steps;     ///< … and a steps.csv
};
std::vector<std::string> costs_without_files(const Catalog& catalog);

/// What communication is taken to cost.
struct Prices {
  std::optional<Chosen<CostModel>> costs;  ///< nothing: what the configuration says
  std::string source;                      ///< in words
  std::string hint;                        ///< how to know better; empty where it is known
};

/// How far something may go before another choice wins.
struct Crossing {
  double holds;                       ///< so far none does, to 2 %; the end where none ever does
  std::optional<std::size_t> winner;  ///< that wins beyond
};

/// Goes from `from` to `to`, which is larger or smaller, in steps of ten at most, until `winner`
/// answers one, and finds where that begins. Both ends are positive; at `from` nobody wins.
Crossing crossing(double from, double to,
                  const std::function<std::optional<std::size_t>(double)>& winner);

/// A number of ranks per group at the start, and what comes of it. Every walker keeps the items
/// that the workload gives it, so other numbers of ranks per group are other numbers of walkers:
/// what can be compared is the core time that an item takes.
struct GroupSize {
  int ranks;
  std::size_t walkers;
  double makespan_s;
  double core_ms_per_item;
};

/// `configured` where none saves more than `least_saving` of the core time; else the nearest to it
/// of those that take no more than that above the least.
int best_group_size(const std::vector<GroupSize>& sizes, int configured, double least_saving);

/// Another choice wins where it saves more than this part of the time.
inline constexpr double margin = 0.01;

/// The item_ms down to which break-even is looked for.
inline constexpr double shortest_ms = 1e-3;

struct Standing {
  Entrant entrant;
  double makespan_s;
  double of_bound;  ///< makespan over the time below which nobody can end
};

/// How far a choice stays the best, and who wins beyond; nobody up to the end where there is none.
struct BreakEven {
  double holds;
  std::optional<Contender> winner;
};

struct Advice {
  Problem problem;
  std::vector<Standing> standings;        ///< the fastest first; of equals the first in the list
  std::vector<std::string> not_measured;  ///< strategies that the costs say nothing of
  std::vector<std::string> failures;      ///< contenders that could not be simulated, and why
  std::optional<BreakEven> item_ms;       ///< nothing where items are that short already
  std::optional<Standing> communicators;  ///< the best of those that form communicators of MPI
  std::optional<BreakEven> dearer;        ///< of forming those, among them and `none`
  int members = 0;                        ///< of the group that the price is told for
  std::vector<GroupSize> group_sizes;     ///< with the best choice, ascending
  int group_size = 0;                     ///< to start with

  const Standing& best() const { return standings.front(); }
  /// The fastest of another balancer, whatever its options; nothing where there is none.
  const Standing* runner_up() const;
  const Standing* none() const;
  /// Those of other balancers or options within the margin, the fastest first.
  std::vector<Contender> as_good() const;
  double price_s() const;  ///< of forming a communicator of `members`
};

/// Is told what goes on.
using Notify = std::function<void(std::string_view)>;

/// Throws UserError where nothing can be simulated.
Advice advise(const Problem& problem, const Catalog& catalog, const Notify& notify);

/// What one choice saves of a run of another one.
struct Saving {
  double seconds;
  double part;  ///< of the other's time
  double core_hours;
};
Saving saving(const Standing& best, const Standing& other, int ranks);

/// The lines of a configuration: `balancers`, and `group_size` where another is better.
std::string lines_to_paste(const Advice& advice);

/// A few lines about one problem.
std::string as_text(const Advice& advice);

/// All of it as JSON, whose keys docs/advice.md tells.
std::string as_json(const Configuration& configuration, const Prices& prices,
                    const std::vector<Advice>& advice);

/// Prints which balancer and strategy serve the problems of a configuration of runs best, what that
/// saves, and when another choice would be better. `measured`: lines of it that state measured item
/// times; none where they are assumed.
void print_advice(const Experiment& experiment, const AskedPrices& asked, bool json,
                  const std::vector<std::string>& measured = {});

}  // namespace regroup
