// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <array>
#include <stdexcept>
#include <type_traits>

#include "engines/mpi/surroundings.hpp"
#include "kernel/numbers/parse.hpp"
#include "kernel/rank_order.hpp"
#include "library/describe.hpp"
#include "library/task.hpp"
#include "regroup/catalog.hpp"

namespace regroup {
namespace {

using enum Parameter::Of;
using enum Parameter::Column;

constexpr std::array<std::string_view, 3> keep_draws_words{"auto", "true", "false"};
constexpr std::array<std::string_view, 2> keep_states_words{"true", "false"};
constexpr std::array chain_errors_words{end_run, end_chain};

/// A parameter that names a row of a list.
constexpr OptionSpec name_of(std::string_view parameter, std::string_view fallback,
                             std::string_view help) {
  return choice_option(parameter, fallback, {}, help);
}

// ---- plain values

template <class Part, class Value>
Part part_of(Value Part::*);

/// Returns a member of `task`, or of its run or measurement: the one of the members that it has.
template <auto Member, auto... Members>
auto& member(auto& task) {
  using Part = decltype(part_of(Member));
  if constexpr (std::is_same_v<Part, Task>) {
    return task.*Member;
  } else if constexpr (sizeof...(Members) == 0) {
    return std::get<Part>(task.what).*Member;
  } else {
    auto* part = std::get_if<Part>(&task.what);
    return part != nullptr ? part->*Member : member<Members...>(task);
  }
}

template <class Value>
void parse_into(Value& value, std::string_view text) {
  if constexpr (std::is_same_v<Value, std::string>) {
    value = text;
  } else {
    // `text` was checked against the specification, which reads integers as signed: -0 is 0.
    using Parsed = std::conditional_t<std::is_integral_v<Value>, std::int64_t, Value>;
    value = static_cast<Value>(parse<Parsed>(text).value());
  }
}

template <auto... Members>
std::string plain_text(const Task& task) {
  return fmt::format("{}", member<Members...>(task));
}
template <auto... Members>
void set_plain(Task& task, std::string_view text, const Catalog&) {
  parse_into(member<Members...>(task), text);
}

template <auto... Members>
void copy_member(Task& to, const Task& from) {
  member<Members...>(to) = member<Members...>(from);
}

// ---- rows of lists

std::string choices_of(const auto& rows) {
  std::string names;
  for (const auto& row : rows) names += fmt::format("{}{}", names.empty() ? "" : " | ", row.name);
  return names;
}

template <class Rows>
const auto& row_named(const Rows& rows, std::string_view what, std::string_view name) {
  const auto* found = find_entry(rows, name);
  if (found == nullptr) {
    throw std::invalid_argument(
        fmt::format("unknown {} '{}'; allowed: {}", what, name, choices_of(rows)));
  }
  return *found;
}

/// Returns the options of `row`: the values in `choice`, and the defaults of all others.
Options options_of(const Entry& row, const Choice& choice) {
  Options options = with_fallbacks(row).options;
  for (const auto& [name, value] : choice.options) {
    if (find_entry(row.options, name) == nullptr) {
      const std::string names = choices_of(row.options);
      throw std::invalid_argument(fmt::format("{} has no option '{}'{}", row.name, name,
                                              names.empty() ? "" : "; allowed: " + names));
    }
    options.set(name, value);
  }
  check_options(row, options);
  return options;
}

template <auto List>
Entries listed(const Catalog& catalog) {
  return entries_of(catalog.*List);
}
Entries listed_engines(const Catalog& catalog) {
  Entries entries;
  for (const Engine* engine : catalog.engines) entries.push_back(*engine);
  return entries;
}

template <auto... Members>
std::string chosen_text(const Task& task) {
  const auto& chosen = member<Members...>(task);
  return chosen ? text_of(chosen->name, chosen.options) : "";
}
template <auto... Members>
std::string chosen_brief(const Task& task) {
  const auto& chosen = member<Members...>(task);
  return chosen ? describe_row(*chosen.row, chosen.options) : "";
}
template <auto List, auto... Members>
void choose(Task& task, std::string_view text, const Catalog& catalog) {
  auto& chosen = member<Members...>(task);
  if (text.empty()) {
    chosen = {};
    return;
  }
  const Choice choice = choice_from(text);
  const auto& row = row_named(catalog.*List, "name", choice.name);
  chosen = {&row, options_of(row, choice)};
}

std::string engine_text(const Task& task) {
  return task.run().engine == nullptr ? "" : std::string(task.run().engine->name);
}
void set_engine(Task& task, std::string_view text, const Catalog& catalog) {
  task.run().engine = find_engine(catalog, text);
  if (task.run().engine == nullptr && !catalog.engines.empty()) {
    throw std::invalid_argument(fmt::format("unknown engine '{}'", text));
  }
}

std::string strategy_text(const Task& task) {
  return task.run().strategy == nullptr ? "" : std::string(task.run().strategy->name);
}
void set_strategy(Task& task, std::string_view text, const Catalog& catalog) {
  task.run().strategy =
      text.empty() ? nullptr : &row_named(catalog.strategies, "communicator", text);
}

// ---- the table

/// A parameter with plain values.
template <auto... Members>
constexpr Parameter plain(const OptionSpec& spec, int nesting, Parameter rest = {}) {
  rest.spec = spec;
  rest.nesting = nesting;
  rest.text = plain_text<Members...>;
  rest.set = set_plain<Members...>;
  rest.copy = copy_member<Members...>;
  return rest;
}

/// A parameter that names a row with options.
template <auto List, auto... Members>
constexpr Parameter row(const OptionSpec& spec, int nesting, Parameter rest = {}) {
  rest.spec = spec;
  rest.nesting = nesting;
  rest.list = listed<List>;
  rest.has_options = true;
  rest.text = chosen_text<Members...>;
  rest.brief = chosen_brief<Members...>;
  rest.set = choose<List, Members...>;
  rest.copy = copy_member<Members...>;
  return rest;
}

/// In the order of the columns.
constexpr std::array rows{
    Parameter{
        .spec = name_of("engine", "mpi", "engine that executes the decisions of the balancer"),
        .nesting = 12,
        .key = "engine",
        .list = listed_engines,
        .text = engine_text,
        .set = set_engine,
        .copy = copy_member<&Run::engine>},
    plain<&Task::ranks>(integer_option("ranks", "", 1, largest_world,
                                       "number of processes in the world communicator"),
                        1, {.of = all, .key = "ranks"}),
    plain<&Task::ranks_per_node>(
        integer_option("ranks_per_node", "0", 0, largest_world,
                       "number of ranks on each node, for simulated nodes and for launchers with "
                       "such an option. If 0, the launcher places the ranks."),
        1, {.of = all, .column = settings, .key = "ranks_per_node"}),
    plain<&Task::rank_order>(
        choice_option("rank_order", "launcher", order_words,
                      "order of ranks on nodes: as the launcher places them (`launcher`), node by "
                      "node (`packed`), one rank per node in turn (`round_robin`), or random by "
                      "the seed (`random`)"),
        1, {.of = all, .column = settings, .key = "rank_order"}),
    plain<&Run::group_size>(
        integer_option(
            "group_size", "4", 1, largest_world,
            "number of ranks of each walker group at the start. The last group may be smaller. If "
            "`groups` is given, the size of its largest group takes the place of this number."),
        2, {.key = "group_size"}),
    plain<&Run::groups>(
        groups_option(
            "groups", equal_groups,
            "walker groups at the start. `equal` forms groups of `group_size` ranks. A number "
            "forms that many groups of about equal size. `0-3/4-7 12` forms two groups: the first "
            "has the ranks 0 to 3, the second has the ranks 4 to 7 and the rank 12."),
        2, {.column = settings, .key = "groups"}),
    plain<&Run::item_ms, &Measurement::item_ms>(
        real_option("item_ms", "100", 1e-6, 1e9,
                    "time of an item on one rank, in milliseconds. With perfect speed-up, a group "
                    "of n ranks takes an n-th of it."),
        3, {.key = "item_ms", .of_walkers = true, .belief = true}),
    plain<&Run::true_item_ms>(
        real_option("true_item_ms", "0", 0, 1e9,
                    "actual time of an item on one rank, in milliseconds, if balancers are to "
                    "assume a wrong `item_ms`. For virtual time, and for walkers that sleep or "
                    "spin. If 0, the same as `item_ms`."),
        3, {.column = settings, .key = "true_item_ms", .later = true}),
    row<&Catalog::workloads, &Run::workload>(
        name_of("workload", "cyclic", "number of items of each walker"), 8, {.key = "workload"}),
    plain<&Run::walkers_per_group>(integer_option("walkers_per_group", "1", 1, largest_world,
                                                  "number of walkers per group at the start. One "
                                                  "is executed, and the others wait in a queue."),
                                   2, {.column = settings, .key = "walkers_per_group"}),
    plain<&Run::walkers_in_all>(
        integer_option(
            "walkers_in_all", "0", 0, largest_world,
            "total number of walkers. If 0, there are `walkers_per_group` walkers for each group."),
        2, {.column = settings, .key = "walkers_in_all"}),
    row<&Catalog::wants, &Run::wants>(
        name_of("wants", "group_size",
                "number of ranks that each walker wants. Only used by the balancer `batch`."),
        8, {.column = settings, .key = "wants"}),
    row<&Catalog::speedups, &Run::speedup>(
        name_of("speedup", "perfect", "time of an item as a function of group size"), 6,
        {.key = "speedup", .belief = true}),
    row<&Catalog::speedups, &Run::true_speedup>(
        name_of("true_speedup", "",
                "actual time of an item as a function of group size, if balancers are to assume a "
                "wrong `speedup`"),
        6, {.column = settings, .key = "true_speedup", .may_be_empty = true, .later = true}),
    plain<&Run::jitter>(
        real_option("jitter", "0", 0, 10,
                    "standard deviation of item times, divided by the mean item time"),
        5, {.key = "jitter", .belief = true}),
    row<&Catalog::walkers, &Run::walker, &Measurement::walker>(
        name_of("walker", "sleep", "kind of Markov chain. Its transitions are the items."), 4,
        {.key = "walker", .of_walkers = true}),
    plain<&Run::report_every>(
        integer_option("report_every", "0", 0, 1e9,
                       "number of items between two reports of a chain's observations, in "
                       "chains.csv. If 0, there are no reports."),
        4, {.column = settings, .key = "report_every"}),
    plain<&Run::thin>(
        integer_option("thin", "1", 1, 1e9,
                       "number of items between two draws of a chain. A draw contains the "
                       "observations of the walker at the end of an item."),
        4, {.column = settings, .key = "thin"}),
    plain<&Run::keep_draws>(
        choice_option("keep_draws", "auto", keep_draws_words,
                      "whether to store the draws (in draws/) and to compute statistics from them. "
                      "`auto` stores them if all draws of the run together contain at most 2000000 "
                      "numbers. Without draws, statistics are computed less accurately, from means "
                      "and variances in reports (see `report_every`)."),
        4, {.column = settings, .key = "keep_draws"}),
    plain<&Run::until_r_hat>(
        real_option(
            "until_r_hat", "0", 0, 100,
            "end the run when R-hat of every quantity is at most this value. R-hat is computed "
            "from the draws, or from reports if draws are not kept. If 0, there is no such limit."),
        4, {.column = settings, .key = "until_r_hat"}),
    plain<&Run::until_effective_samples>(
        real_option("until_effective_samples", "0", 0, 1e15,
                    "end the run when both effective sample sizes of every quantity, bulk and "
                    "tail, are at least this large. If draws are not kept, the effective sample "
                    "size is estimated by batch means. If 0, there is no such limit. With "
                    "`until_r_hat`, both conditions must hold."),
        4, {.column = settings, .key = "until_effective_samples"}),
    plain<&Run::save_every>(
        integer_option("save_every", "0", 0, 1e9,
                       "number of items between two saved states of a chain, from which `run "
                       "--resume` continues. If 0, states are not saved."),
        4, {.column = settings, .key = "save_every"}),
    plain<&Run::keep_states>(
        choice_option("keep_states", "false", keep_states_words,
                      "whether to store the final states of chains when a run has ended well, so "
                      "that `run --extend` can continue them"),
        4, {.column = none, .key = "keep_states", .single = true}),
    plain<&Run::chain_errors>(
        choice_option(
            "chain_errors", end_run, chain_errors_words,
            "whether an error in an item ends the run (`end_run`) or only its chain (`end_chain`)"),
        4, {.column = settings, .key = "chain_errors", .later = true}),
    plain<&Run::item_timeout_s>(
        real_option("item_timeout_s", "0", 0, 1e7,
                    "time limit of an item, in seconds. An item that exceeds it ends its chain. "
                    "Needs `chain_errors: end_chain`. If 0, there is no limit."),
        4, {.column = settings, .key = "item_timeout_s", .later = true}),
    plain<&Run::extra_items>(integer_option("extra_items", "0", 0, 1e9,
                                            "number of items of each chain beyond those of the "
                                            "workload. `run --extend` increases it."),
                             8, {.column = settings, .key = "extra_items", .later = true}),
    plain<&Run::on_rank_loss>(
        choice_option("on_rank_loss", "end", on_rank_loss_words,
                      "reaction to the loss of a rank: end the run with the status `killed` "
                      "(`end`), or form new groups and continue without the rank (`recover`)"),
        9, {.column = settings, .key = "on_rank_loss", .later = true}),
    plain<&Run::faults>(
        faults_option("faults", "none",
                      "faults to inject: ranks that are killed (`kill`), hang (`hang`) or run "
                      "slowly (`slow`). `mtbf_s` is the mean time between random losses of ranks. "
                      "In virtual time, `detection_ms` is the time until a loss is detected, and "
                      "`save_ms` the time to save a state."),
        9, {.column = settings, .key = "faults", .later = true}),
    row<&Catalog::balancers, &Run::balancer>(
        name_of("balancer", "", "balancer that decides which groups merge or divide, and when"), 0,
        {.key = "balancers"}),
    Parameter{
        .spec = name_of("communicator", "", "communicator strategy. Empty if groups never merge."),
        .nesting = 0,
        .list = listed<&Catalog::strategies>,
        .may_be_empty = true,
        .text = strategy_text,
        .set = set_strategy,
        .copy = copy_member<&Run::strategy>},
    row<&Catalog::costs, &Run::costs>(
        name_of("costs", "free", "model of communication costs in virtual time"), 7,
        {.key = "costs", .may_be_empty = true}),
    plain<&Task::waiting>(
        choice_option(
            "waiting", "auto", waiting_words,
            "how ranks wait. With `wrapper`, they sleep briefly between polls, in Regroup and "
            "inside MPI; with `polite`, in Regroup only; with `direct`, they never sleep. `auto` "
            "selects one of the first two if ranks outnumber cores, otherwise `direct`."),
        10, {.of = all, .key = "waiting"}),
    plain<&Task::repetition>(
        integer_option("repetition", "1", 1, 1e6, "number of the repetition, from 1"), 13,
        {.of = all, .key = "repetitions"}),
    plain<&Task::seed>(integer_option("seed", "1", 0, 1e15, "seed of all random numbers"), 11,
                       {.of = all, .key = "seed"}),
    plain<&Task::timeout_s>(
        real_option("timeout_s", "120", 0.1, 1e7, "time limit of a run, in seconds"), 9,
        {.column = none, .key = "timeout_s"}),
    plain<&Task::timeout_s>(
        real_option("timeout_s", "60", 0.1, 1e7, "time limit of a measurement, in seconds"), 9,
        {.of = measurements, .column = none, .key = "timeout_s", .single = true}),
};

}  // namespace

std::span<const Parameter> parameters() { return rows; }

bool Parameter::applies_to(const MeasurementKind* kind) const {
  if (of == Of::all) return true;
  if (kind == nullptr) return of == Of::runs;
  return of == Of::measurements || (of_walkers && kind->of_walkers);
}

bool Parameter::applies_to(const Task& task) const {
  return applies_to(task.is_run() ? nullptr : task.measurement().kind);
}

}  // namespace regroup
