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

/// Value of `groups`: the initial groups have `group_size` ranks each.
inline constexpr std::string_view equal_groups = "equal";

/// Values of `chain_errors`.
inline constexpr std::string_view end_run = "end_run";
inline constexpr std::string_view end_chain = "end_chain";

/// The parameters of a run, in addition to those of all tasks.
struct Run {
  const Engine* engine = nullptr;    ///< nullptr in programs of ranks
  int group_size = 4;                ///< size of the largest group if `groups` defines the groups
  std::string groups{equal_groups};  ///< equal, their number, or their ranks (StartingGroups::from)
  double item_ms = 100;              ///< T: the time of an item on one rank, as balancers assume
  double true_item_ms = 0;           ///< the actual time, if different; 0: the same
  Chosen<SpeedupEntry> speedup;
  Chosen<SpeedupEntry> true_speedup;  ///< the actual speed-up, if different; empty: the same
  double jitter = 0;  ///< standard deviation of an item's time, relative to its mean
  Chosen<WorkloadEntry> workload;
  int walkers_per_group = 1;
  int walkers_in_all = 0;  ///< 0: walkers_per_group in each group
  Chosen<WantsEntry> wants;
  Chosen<WalkerEntry> walker;
  int report_every = 0;                ///< items between two reports of a chain; 0: none
  int thin = 1;                        ///< items between two draws of a chain
  std::string keep_draws = "auto";     ///< auto, true or false: whether draws are kept
  double until_r_hat = 0;              ///< the run ends when R-hat is at most this; 0: no limit
  double until_effective_samples = 0;  ///< the run ends at this effective sample size; 0: no limit
  int save_every = 0;                  ///< items between two saved states of a chain; 0: none
  std::string keep_states = "false";   ///< whether final states are kept after a successful run
  std::string chain_errors{end_run};   ///< whether an error in an item ends the run or its chain
  double item_timeout_s = 0;           ///< an item that takes longer ends its chain; 0: no limit
  int extra_items = 0;                 ///< items of each chain beyond those of the workload
  std::string on_rank_loss = "end";    ///< reaction to the loss of a rank: end or recover
  std::string faults = "none";         ///< FaultPlan::text
  Chosen<BalancerEntry> balancer;
  const Strategy* strategy = nullptr;  ///< nullptr if the balancer never regroups
  Chosen<CostModel> costs;             ///< in virtual time; empty for other engines
  std::string inputs;  ///< hash of the files in its options; empty if there are none

  bool equal_groups_at_start() const { return groups == equal_groups; }
  /// Whether the run may end when its chains have observed enough.
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
  int ranks_per_node = 0;               ///< 0: the launcher decides
  std::string rank_order = "launcher";  ///< order of ranks on nodes (rank_order.hpp)
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

  /// Returns "run" or the kind of the measurement.
  std::string_view kind() const { return is_run() ? "run" : measurement().kind->name; }

  /// Whether real processes execute it: any measurement, and runs of engines that are real.
  bool is_real() const { return !is_run() || run().engine->real; }
  bool is_exact() const { return is_run() && run().engine->exact; }
  /// Whether it is a run of walkers that compute. Then item_ms and speedup are only the first guess
  /// of forecasts and balancers.
  bool has_own_times() const { return is_run() && run().engine->real && !run().walker->timed; }

  /// Whether it is a run with recorded item times. Then item_ms is only an assumption of balancers.
  /// Like has_own_times(), this needs an engine, which programs of ranks do not have.
  bool has_recorded_times() const {
    return is_run() && run().workload->recording != nullptr && !has_own_times();
  }

  /// Returns the strategy of the run or measurement, or nullptr if it has none.
  const Strategy* strategy() const { return is_run() ? run().strategy : measurement().strategy; }

  /// Returns the seed of the random numbers of this repetition.
  std::uint64_t stream() const { return seed * 1'000'003 + static_cast<std::uint64_t>(repetition); }
};

/// A parameter of tasks. Its row defines a key of configurations, an axis of sweeps, a part of the
/// task file and of the fingerprint, and a column of results or a part of the column `settings`.
struct Parameter {
  enum class Of { all, runs, measurements };
  enum class Column { own, settings, none };

  OptionSpec spec{};  ///< named like the column; without words if there is a list
  int nesting = 0;    ///< the axis with the largest value varies most slowly in a sweep
  Of of = Of::runs;
  Column column = Column::own;
  std::string_view key{};   ///< in configurations; empty if another key sets it, too
  bool of_walkers = false;  ///< measurements of walkers have it, too

  /// The list whose rows it names; nullptr if it has plain values.
  Entries (*list)(const Catalog& catalog) = nullptr;
  bool has_options = false;   ///< the rows have options
  bool may_be_empty = false;  ///< an empty value, which names no row, is allowed
  bool single = false;        ///< a configuration contains one value instead of a list
  bool later = false;         ///< newer than fingerprints: not part of them if it has its default
  bool belief = false;        ///< for walkers that compute, only an assumption of balancers

  /// Returns the value in `task`; for a row with options, name(option=value option=value).
  std::string (*text)(const Task& task) = nullptr;
  /// Like `text`, but without options that have their default; nullptr if rows have no options.
  std::string (*brief)(const Task& task) = nullptr;
  /// Sets the value from a result of `text`; omitted options get their default. Throws
  /// std::invalid_argument with the allowed values if the value is invalid.
  void (*set)(Task& task, std::string_view text, const Catalog& catalog) = nullptr;
  /// Copies the value from `from` to `to`.
  void (*copy)(Task& to, const Task& from) = nullptr;

  /// Whether tasks of this kind have the parameter.
  bool applies_to(const Task& task) const;
  bool applies_to(const MeasurementKind* kind) const;  ///< nullptr: runs

  /// Whether it is only an assumption about `task`, which does not affect the work of `task`.
  bool is_belief(const Task& task) const {
    return belief &&
           (task.has_own_times() || (spec.name == "item_ms" && task.has_recorded_times()));
  }
};

std::span<const Parameter> parameters();

/// Returns a run, or a measurement of `kind`, with the default of every parameter. Parameters
/// without a default must be set: the balancer, and options of measurements.
Task usual_task(const Catalog& catalog, const MeasurementKind* kind = nullptr);

/// Returns a run with the given parameters: names, and values as Parameter::set reads them. Throws
/// std::invalid_argument.
Task run_of(const Catalog& catalog,
            std::initializer_list<std::pair<std::string_view, std::string>> values);

/// Returns "mean_items=20 tail_exponent=1.5". Quotes values with blanks, quotes or parentheses.
std::string text_of(const Options& options);
/// Returns a row and options, as Parameter::set reads them: "pareto(mean_items=20)".
std::string text_of(std::string_view name, const Options& options);

/// These parse the results of text_of. They throw std::invalid_argument if `text` is malformed.
Options options_from(std::string_view text);
Choice choice_from(std::string_view text);

/// Sets an option of `measurement`, and the row of `catalog` that it names.
void set_option(Measurement& measurement, const std::string& name, const std::string& value,
                const Catalog& catalog);

/// Returns the task as one line of JSON, for the processes that execute it.
std::string to_json(const Task& task);
/// Parses a result of to_json. Throws if `text` is not a task that can be executed.
Task task_from_json(const std::string& text, const Catalog& catalog);

/// Returns a hash of the parameters, sixteen hexadecimal digits. It ignores the experiment, the
/// time limit and keep_states, which are no properties of the result.
std::string fingerprint(const Task& task);

/// How much is stored about the groups of a run. It does not affect the run itself.
enum class EventDetail : std::uint8_t {
  all,      ///< every group in events.csv
  summary,  ///< a histogram of regroupings per process, in regroups.csv
  none      ///< only the numbers in runs.csv
};

/// The configuration key for EventDetail. `auto` selects a summary above most_ranks_with_events.
inline constexpr int most_ranks_with_events = 1 << 14;
inline constexpr std::array<std::string_view, 4> event_words{"auto", "all", "summary", "none"};
inline constexpr OptionSpec events_key =
    choice_option("events", "auto", event_words,
                  "what is stored about groups: each group (`all`), a histogram of regroupings per "
                  "process (`summary`), or nothing (`none`). `auto` selects `all` for up to 16384 "
                  "ranks, and `summary` for more.");

/// Returns the detail that `asked`, a value of events_key, selects for a run on `ranks` ranks.
EventDetail event_detail(std::string_view asked, int ranks);

/// The configuration key for the order of tasks. By default, runs are executed as written,
/// beginning with the fewest ranks, and measurements in random order.
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
