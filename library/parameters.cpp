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

/// The member of a task, or of the run or measurement that it is: the one of `Members` that it has.
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
    // The specification has allowed `text`. It reads integers as signed ones: -0 is 0.
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

/// The options of `row` that `choice` gives, and the fallback of the others.
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
    Parameter{.spec = name_of("engine", "mpi", "what carries out the decisions of a balancer"),
              .nesting = 12,
              .key = "engine",
              .list = listed_engines,
              .text = engine_text,
              .set = set_engine,
              .copy = copy_member<&Run::engine>},
    plain<&Task::ranks>(
        integer_option("ranks", "", 1, largest_world, "processes of the world communicator"), 1,
        {.of = all, .key = "ranks"}),
    plain<&Task::ranks_per_node>(
        integer_option("ranks_per_node", "0", 0, largest_world,
                       "ranks on each node, if the launcher can be told or nodes are simulated; 0: "
                       "as the launcher places them"),
        1, {.of = all, .column = settings, .key = "ranks_per_node"}),
    plain<&Task::rank_order>(
        choice_option("rank_order", "launcher", order_words,
                      "how ranks are numbered along nodes: as the launcher does, node after node "
                      "(packed), in turns (round_robin), or drawn by the seed (random)"),
        1, {.of = all, .column = settings, .key = "rank_order"}),
    plain<&Run::group_size>(
        integer_option(
            "group_size", "4", 1, largest_world,
            "G: ranks of a walker group at the start; the last group may be smaller, and "
            "with `groups` all but the largest"),
        2, {.key = "group_size"}),
    plain<&Run::groups>(
        groups_option("groups", equal_groups,
                      "the walker groups at the start: their number, with sizes that differ by at "
                      "most one rank, or the ranks of each as in 0-3/4-7 12; equal: group_size "
                      "ranks in each"),
        2, {.column = settings, .key = "groups"}),
    plain<&Run::item_ms, &Measurement::item_ms>(
        real_option("item_ms", "100", 1e-6, 1e9,
                    "T: the time of an item on one rank, in milliseconds; a group of g ranks takes "
                    "T / g with perfect speed-up"),
        3, {.key = "item_ms", .of_walkers = true, .belief = true}),
    plain<&Run::true_item_ms>(
        real_option("true_item_ms", "0", 0, 1e9,
                    "what an item on one rank takes in virtual time, and of walkers that sleep or "
                    "spin, where item_ms is only what balancers believe; 0: item_ms"),
        3, {.column = settings, .key = "true_item_ms", .later = true}),
    row<&Catalog::workloads, &Run::workload>(
        name_of("workload", "cyclic", "how many items each walker has"), 8, {.key = "workload"}),
    plain<&Run::walkers_per_group>(
        integer_option("walkers_per_group", "1", 1, largest_world,
                       "walkers for every group at the start: each group begins with one, and the "
                       "others wait"),
        2, {.column = settings, .key = "walkers_per_group"}),
    plain<&Run::walkers_in_all>(
        integer_option("walkers_in_all", "0", 0, largest_world,
                       "walkers of the run, if not walkers_per_group for each group; 0: "
                       "walkers_per_group for each"),
        2, {.column = settings, .key = "walkers_in_all"}),
    row<&Catalog::wants, &Run::wants>(
        name_of("wants", "group_size",
                "how many ranks each walker would like to have, for the balancer batch"),
        8, {.column = settings, .key = "wants"}),
    row<&Catalog::speedups, &Run::speedup>(
        name_of("speedup", "perfect", "the time of an item as a function of group size"), 6,
        {.key = "speedup", .belief = true}),
    row<&Catalog::speedups, &Run::true_speedup>(
        name_of("true_speedup", "",
                "likewise the time of an item as a function of group size, where speedup is only "
                "what balancers believe; empty: speedup"),
        6, {.column = settings, .key = "true_speedup", .may_be_empty = true, .later = true}),
    plain<&Run::jitter>(real_option("jitter", "0", 0, 10,
                                    "standard deviation of an item's time, relative to its mean"),
                        5, {.key = "jitter", .belief = true}),
    row<&Catalog::walkers, &Run::walker, &Measurement::walker>(
        name_of("walker", "sleep", "the Markov chain, and so what an item is"), 4,
        {.key = "walker", .of_walkers = true}),
    plain<&Run::report_every>(
        integer_option("report_every", "0", 0, 1e9,
                       "items between two reports of what a chain observed, in chains.csv; 0: no "
                       "reports"),
        4, {.column = settings, .key = "report_every"}),
    plain<&Run::thin>(
        integer_option(
            "thin", "1", 1, 1e9,
            "what a walker observes at the end of an item is a draw: every so many items "
            "of a chain"),
        4, {.column = settings, .key = "thin"}),
    plain<&Run::keep_draws>(
        choice_option("keep_draws", "auto", keep_draws_words,
                      "whether draws are written, in draws/, and figures computed from them; auto: "
                      "where a run has at most 2000000 numbers. Without draws figures are computed "
                      "from the means and variances of reports, and more roughly"),
        4, {.column = settings, .key = "keep_draws"}),
    plain<&Run::until_r_hat>(
        real_option("until_r_hat", "0", 0, 100,
                    "the run ends when R-hat of every quantity is at most this: that of the draws, "
                    "or the batch R-hat where draws are not kept; 0: whatever it is"),
        4, {.column = settings, .key = "until_r_hat"}),
    plain<&Run::until_effective_samples>(
        real_option(
            "until_effective_samples", "0", 0, 1e15,
            "the run ends when every quantity has as many effective samples, bulk and tail, "
            "or batch ones where draws are not kept; 0: however many; with until_r_hat: "
            "when both hold"),
        4, {.column = settings, .key = "until_effective_samples"}),
    plain<&Run::save_every>(
        integer_option("save_every", "0", 0, 1e9,
                       "items between two saved states of a chain, from which --resume continues; "
                       "0: states are not saved"),
        4, {.column = settings, .key = "save_every"}),
    plain<&Run::keep_states>(
        choice_option("keep_states", "false", keep_states_words,
                      "whether to keep the final states of chains of runs that end well, so that "
                      "'run --extend' can continue them"),
        4, {.column = none, .key = "keep_states", .single = true}),
    plain<&Run::chain_errors>(
        choice_option("chain_errors", end_run, chain_errors_words,
                      "whether an error in an item of a walker ends the run (end_run) or only its "
                      "chain, while the others go on (end_chain)"),
        4, {.column = settings, .key = "chain_errors", .later = true}),
    plain<&Run::item_timeout_s>(
        real_option("item_timeout_s", "0", 0, 1e7,
                    "with chain_errors: end_chain, an item that takes longer ends its chain; 0: "
                    "however long it takes"),
        4, {.column = settings, .key = "item_timeout_s", .later = true}),
    plain<&Run::extra_items>(integer_option("extra_items", "0", 0, 1e9,
                                            "items of each chain in addition to those of the "
                                            "workload; increased by 'run --extend'"),
                             8, {.column = settings, .key = "extra_items", .later = true}),
    plain<&Run::on_rank_loss>(
        choice_option("on_rank_loss", "end", on_rank_loss_words,
                      "what the others do when a rank is lost: end, and the run is 'killed', or "
                      "form groups anew and go on without it (recover)"),
        9, {.column = settings, .key = "on_rank_loss", .later = true}),
    plain<&Run::faults>(
        faults_option("faults", "none",
                      "ranks that are killed, hang or are slow, to see what a run makes of it"),
        9, {.column = settings, .key = "faults", .later = true}),
    row<&Catalog::balancers, &Run::balancer>(
        name_of("balancer", "", "which groups merge or divide, and when"), 0, {.key = "balancers"}),
    Parameter{.spec = name_of("communicator", "",
                              "the communicator strategy; empty where groups never merge"),
              .nesting = 0,
              .list = listed<&Catalog::strategies>,
              .may_be_empty = true,
              .text = strategy_text,
              .set = set_strategy,
              .copy = copy_member<&Run::strategy>},
    row<&Catalog::costs, &Run::costs>(
        name_of("costs", "free", "what communication costs in virtual time"), 7,
        {.key = "costs", .may_be_empty = true}),
    plain<&Task::waiting>(
        choice_option("waiting", "auto", waiting_words,
                      "how ranks wait: with naps inside MPI too (wrapper), in our own code only "
                      "(polite), or without naps (direct); auto: with naps if ranks outnumber "
                      "cores"),
        10, {.of = all, .key = "waiting"}),
    plain<&Task::repetition>(integer_option("repetition", "1", 1, 1e6, "number, from 1 on"), 13,
                             {.of = all, .key = "repetitions"}),
    plain<&Task::seed>(integer_option("seed", "1", 0, 1e15, "of all random numbers"), 11,
                       {.of = all, .key = "seed"}),
    plain<&Task::timeout_s>(
        real_option("timeout_s", "120", 0.1, 1e7, "a run that takes longer is ended"), 9,
        {.column = none, .key = "timeout_s"}),
    plain<&Task::timeout_s>(
        real_option("timeout_s", "60", 0.1, 1e7, "a measurement that takes longer is ended"), 9,
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
