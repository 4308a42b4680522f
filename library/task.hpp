// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "regroup/catalog.hpp"
#include "regroup/options.hpp"

namespace regroup {

/// What is written of that which the groups of a run did. The run itself is the same.
enum class EventDetail : std::uint8_t {
  all,      ///< every group in events.csv
  summary,  ///< how many processes regrouped how often, in regroups.csv
  none      ///< the figures of runs.csv alone
};

std::string_view name(EventDetail detail);
std::optional<EventDetail> event_detail_named(std::string_view text);

/// The key of configurations that asks for it. With `auto` larger runs than these have a summary.
inline constexpr int most_ranks_with_events = 1 << 14;
inline constexpr std::array<std::string_view, 4> event_words{"auto", "all", "summary", "none"};
inline constexpr OptionSpec events_key =
    choice_option("events", "auto", event_words,
                  "what is written of the groups of a run: each one (all), how many processes "
                  "regrouped how often (summary), or neither (none); auto: all of runs on up to "
                  "16384 ranks, a summary of larger ones");

/// What `asked`, a value of this key, comes to for a run on so many ranks.
EventDetail event_detail(std::string_view asked, int ranks);

/// The groups at the start have `group_size` ranks each.
inline constexpr std::string_view equal_groups = "equal";

/// All parameters of one task, resolved: one point of a sweep. A task is a run or, where `measure`
/// has a name, a measurement, which has no use for the members that are of runs only. What is to be
/// known of each of them stands in parameters.cpp.
struct Scenario {
  std::string experiment;
  Choice measure;  ///< the kind of measurement, and its options; no name: a run
  std::string engine = "mpi";
  int ranks = 1;
  int ranks_per_node = 0;            ///< 0: as the launcher does
  std::string order = "launcher";    ///< of ranks along nodes (rank_order.hpp)
  int group_size = 4;                ///< of the largest group where `groups` tells of them
  std::string groups{equal_groups};  ///< or the ranks of each at the start (starting_groups.hpp)
  double item_ms = 100;              ///< T: what one rank takes for one item
  Choice speedup{"perfect", {}};
  double jitter = 0;  ///< standard deviation of an item's time, relative to its mean
  Choice workload{"cyclic", {}};
  int walkers_per_group = 1;
  int walkers_in_all = 0;  ///< 0: walkers_per_group for every group
  Choice wants{"group_size", {}};
  Choice walker{"sleep", {{"state_bytes", "0"}}};
  int report_every = 0;    ///< items after which a chain tells what it observed; 0: never
  double until_r_hat = 0;  ///< the run ends when it is at most so much; 0: not
  double until_effective_samples = 0;  ///< … at least so many; 0: not
  int save_every = 0;                  ///< items after which a chain's state is written; 0: never
  Choice balancer{"none", {}};
  std::string communicator;  ///< the strategy; empty where the balancer never regroups
  Choice costs{"free", {}};  ///< of communication in virtual time; no name elsewhere
  std::string waiting = "auto";
  int repetition = 1;
  std::uint64_t seed = 1;
  double timeout_s = 120;
  std::string inputs;  ///< hash of the files that its options name; empty where they name none

  bool is_run() const { return measure.name.empty(); }
  /// "run", or the kind of the measurement.
  std::string kind() const { return is_run() ? "run" : measure.name; }

  /// Whether it ends when the chains have observed enough.
  bool may_end_early() const { return until_r_hat > 0 || until_effective_samples > 0; }

  /// The seed of this repetition's random numbers.
  std::uint64_t stream() const { return seed * 1'000'003 + static_cast<std::uint64_t>(repetition); }
};

/// As one line of JSON, which is how parameters reach the processes that execute the task.
std::string to_json(const Scenario& scenario);
/// Throws where `text` is no task that can be executed.
Scenario scenario_from_json(const std::string& text);

/// Sixteen hexadecimal digits that name these parameters: equal exactly where all are equal.
std::string fingerprint(const Scenario& scenario);

/// One parameter of tasks: a key of configurations, an axis of sweeps, a part of the task file and
/// of the fingerprint, a column of results. All of these are made from its row.
struct Parameter {
  enum class Of { all, runs, measurements };
  using Member = std::variant<int Scenario::*, std::uint64_t Scenario::*, double Scenario::*,
                              std::string Scenario::*, Choice Scenario::*>;

  OptionSpec spec;  ///< its name is that of the column; it has no words where there is a list
  Member member;
  int nesting;  ///< the axis with the largest varies most slowly in a sweep
  Of of = Of::runs;
  std::string_view key{};  ///< of the configuration; empty where another key says it, too
  const Entries& (*list)() = nullptr;  ///< whose rows it names
  bool may_be_empty = false;           ///< names none of them where that has no meaning
  std::string_view also{};             ///< of runs, and of this kind of measurement, too
  bool single = false;                 ///< a configuration gives one value, and no list

  /// `kind`: "run", or a kind of measurement.
  bool applies(std::string_view kind) const {
    return of == Of::all || (of == Of::runs) == (kind == "run") || (!also.empty() && kind == also);
  }
  /// Whether it is a property of the result, and not only of how long one waits for it.
  bool is_column() const { return spec.name != "timeout_s" && spec.name != "measure"; }
};

std::span<const Parameter> parameters();

/// The value that `scenario` has, as text; of a choice, the name.
std::string text_of(const Parameter& parameter, const Scenario& scenario);

/// `text` must be a value that the specification allows, or a name.
void set(const Parameter& parameter, Scenario& scenario, const std::string& text);

/// The key that says in which order tasks are made, of measurements and of runs: these are made as
/// written, if nobody says otherwise, which begins with the fewest ranks.
inline constexpr std::string_view as_written = "as_written";
inline constexpr std::array<std::string_view, 2> sweep_order_words{"random", as_written};
inline constexpr OptionSpec sweep_order_key = choice_option(
    "sweep_order", "random", sweep_order_words,
    "in which order measurements are made: drawn by their seeds, one repetition after the other, "
    "so that no drift of the machine looks like a difference (random), or as the lists stand");
inline constexpr OptionSpec order_of_runs_key = choice_option(
    "sweep_order", as_written, sweep_order_words,
    "in which order runs are made, one repetition after the other: as the lists stand "
    "(as_written), or drawn by their seeds (random)");

}  // namespace regroup
