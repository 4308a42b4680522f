// SPDX-License-Identifier: BSD-3-Clause
//
// One point of a sweep: a run or a measurement, with all names resolved.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "kernel/faults.hpp"
#include "regroup/catalog.hpp"

namespace regroup {

/// The groups at the start have `group_size` ranks each.
inline constexpr std::string_view equal_groups = "equal";

/// Values of `chain_errors`.
inline constexpr std::string_view end_run = "end_run";
inline constexpr std::string_view end_chain = "end_chain";

/// What runs have and measurements have not.
struct Run {
  const Engine* engine = nullptr;    ///< none in programs of ranks
  int group_size = 4;                ///< of the largest group where `groups` says which there are
  std::string groups{equal_groups};  ///< their number, or their ranks (StartingGroups::from)
  double item_ms = 100;              ///< T: the time of an item on one rank, as balancers believe
  double true_item_ms = 0;           ///< the actual time, if different; 0: the same
  Chosen<SpeedupEntry> speedup;
  Chosen<SpeedupEntry> true_speedup;  ///< likewise; empty: the same
  double jitter = 0;  ///< standard deviation of an item's time, relative to its mean
  Chosen<WorkloadEntry> workload;
  int walkers_per_group = 1;
  int walkers_in_all = 0;  ///< 0: walkers_per_group for every group
  Chosen<WantsEntry> wants;
  Chosen<WalkerEntry> walker;
  int report_every = 0;                ///< items between two reports of a chain; 0: none
  int thin = 1;                        ///< every so many items end with a draw
  std::string keep_draws = "auto";     ///< auto, true or false: whether draws are kept
  double until_r_hat = 0;              ///< the run ends when R-hat is at most this; 0: not
  double until_effective_samples = 0;  ///< … when there are at least as many; 0: not
  int save_every = 0;                  ///< items between two saved states of a chain; 0: none
  std::string keep_states = "false";   ///< whether the last states outlive a run that ended well
  std::string chain_errors{end_run};   ///< whether an error in an item ends the run or its chain
  double item_timeout_s = 0;           ///< an item that takes longer ends its chain; 0: none does
  int extra_items = 0;                 ///< of each chain, beside those of the workload
  std::string on_rank_loss = "end";    ///< end or recover: what the others do
  std::string faults = "none";         ///< FaultPlan::text
  Chosen<BalancerEntry> balancer;
  const Strategy* strategy = nullptr;  ///< none where the balancer never regroups
  Chosen<CostModel> costs;             ///< of communication in virtual time; none elsewhere
  std::string inputs;  ///< hash of the files that its options name; empty where they name none

  bool equal_groups_at_start() const { return groups == equal_groups; }
  /// Whether it ends when the chains have observed enough.
  bool may_end_early() const { return until_r_hat > 0 || until_effective_samples > 0; }
  bool recovers() const { return on_rank_loss == "recover"; }
  FaultPlan fault_plan() const { return FaultPlan::from(faults); }
  bool errors_end_chain() const { return chain_errors == end_chain; }
  bool keeps_states() const { return keep_states == "true"; }
  bool writes_states() const { return save_every > 0 || keeps_states(); }
};

struct Task {
  std::string experiment;
  int ranks = 1;
  int ranks_per_node = 0;               ///< 0: as the launcher does
  std::string rank_order = "launcher";  ///< of ranks along nodes (rank_order.hpp)
  std::string waiting = "auto";
  int repetition = 1;
  std::uint64_t seed = 1;
  double timeout_s = 120;
  std::variant<Run, Measurement> what;

  bool is_run() const { return std::holds_alternative<Run>(what); }
  const Run& run() const { return std::get<Run>(what); }
  Run& run() { return std::get<Run>(what); }
  const Measurement& measurement() const { return std::get<Measurement>(what); }
  Measurement& measurement() { return std::get<Measurement>(what); }

  /// "run", or the kind of the measurement.
  std::string_view kind() const { return is_run() ? "run" : measurement().kind->name; }

  /// Of runs that engine, measurements are made by real processes.
  bool is_real() const { return !is_run() || run().engine->real; }
  bool is_exact() const { return is_run() && run().engine->exact; }
  /// Whether it is a run of walkers that compute: item_ms and speedup are only the first guess of
  /// forecasts and balancers.
  bool has_own_times() const { return is_run() && run().engine->real && !run().walker->timed; }

  /// Whether it is a run whose items take recorded times: item_ms is only what balancers believe.
  /// As has_own_times(), not in programs of ranks.
  bool has_recorded_times() const {
    return is_run() && run().workload->recording != nullptr && !has_own_times();
  }

  /// The strategy that the task is about; nullptr where it is about none.
  const Strategy* strategy() const { return is_run() ? run().strategy : measurement().strategy; }

  /// The seed of the random numbers of this repetition.
  std::uint64_t stream() const { return seed * 1'000'003 + static_cast<std::uint64_t>(repetition); }
};

/// One parameter of tasks. Its row makes a key of configurations, an axis of sweeps, a part of the
/// task file and of the fingerprint, and a column of results or a word of the column `settings`.
struct Parameter {
  enum class Of { all, runs, measurements };
  enum class Column { own, settings, none };

  OptionSpec spec{};  ///< its name is that of the column; without words where there is a list
  int nesting = 0;    ///< the axis with the largest varies most slowly in a sweep
  Of of = Of::runs;
  Column column = Column::own;
  std::string_view key{};   ///< of the configuration; empty where another key gives it, too
  bool of_walkers = false;  ///< also of measurements of walkers

  /// The list whose rows it names; nullptr where it has plain values.
  Entries (*list)(const Catalog& catalog) = nullptr;
  bool has_options = false;   ///< the row comes with options
  bool may_be_empty = false;  ///< names no row where that has no meaning
  bool single = false;        ///< a configuration gives one value, and no list
  bool later = false;         ///< newer than fingerprints: no part of them if it has its default
  bool belief = false;        ///< for walkers that compute, only a belief of balancers

  /// The value in `task`. Of a row with options: name(option=value option=value).
  std::string (*text)(const Task& task) = nullptr;
  /// … without options that are as usual; nullptr where that makes no difference.
  std::string (*brief)(const Task& task) = nullptr;
  /// The reverse of `text`: options that are left out have their fallback. Throws
  /// std::invalid_argument for what is no value, with what is allowed.
  void (*set)(Task& task, std::string_view text, const Catalog& catalog) = nullptr;
  /// Gives `to` the value that `from` has.
  void (*copy)(Task& to, const Task& from) = nullptr;

  /// Of the kind of `task`.
  bool applies_to(const Task& task) const;
  bool applies_to(const MeasurementKind* kind) const;  ///< nullptr: to runs

  /// Whether it is only a belief about `task`, on which its work does not depend.
  bool is_belief(const Task& task) const {
    return belief &&
           (task.has_own_times() || (spec.name == "item_ms" && task.has_recorded_times()));
  }
};

std::span<const Parameter> parameters();

/// A run, or a measurement of `kind`, with the fallback of every parameter. What has none must be
/// set: balancer, and options of measurements.
Task usual_task(const Catalog& catalog, const MeasurementKind* kind = nullptr);

/// A run with these parameters, by their names, as Parameter::set reads them. Throws
/// std::invalid_argument.
Task run_of(const Catalog& catalog,
            std::initializer_list<std::pair<std::string_view, std::string>> values);

/// "mean_items=20 tail_exponent=1.5"; values with blanks, quotes or parentheses in double quotes.
std::string text_of(const Options& options);
/// "pareto(mean_items=20 tail_exponent=1.5)": a row and options, as Parameter::set reads them.
std::string text_of(std::string_view name, const Options& options);

/// The reverse of both. Throw std::invalid_argument where `text` is no such text.
Options options_from(std::string_view text);
Choice choice_from(std::string_view text);

/// Sets an option of `measurement`, and the row of `catalog` that it names.
void set_option(Measurement& measurement, const std::string& name, const std::string& value,
                const Catalog& catalog);

/// As one line of JSON, which is how tasks reach the processes that execute them.
std::string to_json(const Task& task);
/// Throws where `text` is no task that can be executed.
Task task_from_json(const std::string& text, const Catalog& catalog);

/// Sixteen hexadecimal digits that name the parameters: equal exactly where all are equal, but for
/// the time limit and keep_states, which are no properties of the result.
std::string fingerprint(const Task& task);

/// How much is written of the groups of a run. The run itself is the same.
enum class EventDetail : std::uint8_t {
  all,      ///< every group in events.csv
  summary,  ///< how many processes regrouped how often, in regroups.csv
  none      ///< the figures of runs.csv alone
};

/// The key of configurations that asks for it. With `auto`, larger runs than these have a summary.
inline constexpr int most_ranks_with_events = 1 << 14;
inline constexpr std::array<std::string_view, 4> event_words{"auto", "all", "summary", "none"};
inline constexpr OptionSpec events_key =
    choice_option("events", "auto", event_words,
                  "what is stored about groups: each group (`all`), a histogram of regroupings per "
                  "process (`summary`), or nothing (`none`). `auto` selects `all` for up to 16384 "
                  "ranks, and `summary` for more.");

/// What `asked`, a value of this key, means for a run on so many ranks.
EventDetail event_detail(std::string_view asked, int ranks);

/// The key for the order in which tasks are executed. By default runs are executed as written,
/// which begins with the fewest ranks, and measurements in random order.
inline constexpr std::string_view as_written = "as_written";
inline constexpr std::array<std::string_view, 2> sweep_order_words{"random", as_written};
inline constexpr OptionSpec order_of_measurements_key = choice_option(
    "sweep_order", "random", sweep_order_words,
    "order of measurements within each repetition: random by the seeds (`random`), so that a drift "
    "of the machine affects all settings alike, or as in the configuration (`as_written`)");
inline constexpr OptionSpec order_of_runs_key =
    choice_option("sweep_order", as_written, sweep_order_words,
                  "order of runs within each repetition: as in the configuration (`as_written`), "
                  "or random by the seeds (`random`)");

}  // namespace regroup
