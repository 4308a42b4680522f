// SPDX-License-Identifier: BSD-3-Clause
#include "driver/advise/advice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include "driver/execute/engines.hpp"
#include "driver/execute/simulate_all.hpp"
#include "kernel/files/files.hpp"
#include "kernel/numbers/statistics.hpp"
#include "kernel/starting_groups.hpp"
#include "kernel/text/plain_text.hpp"
#include "kernel/text/terminal.hpp"
#include "library/describe.hpp"
#include "library/resolve.hpp"
#include "regroup/catalog.hpp"

namespace regroup {
namespace {

std::vector<std::string_view> values_of(const OptionSpec& spec) {
  if (spec.tried.empty()) return {spec.fallback};
  return {spec.tried.begin(), spec.tried.end()};
}

/// Returns the costs of communication; nullopt, and the reason in `why`, if they are unknown for
/// the strategy of `contender`.
std::optional<Costs> costs_for(const Contender& contender, const Task& run, std::string& why) {
  try {
    return costs_of(run_by(contender, run));
  } catch (const UserError& error) {
    why = error.what();
    costs_of(run_by({contender.balancer, nullptr}, run));  // throws for any other cause
    return std::nullopt;
  }
}

}  // namespace

std::vector<Contender> all_contenders(const Catalog& catalog) {
  std::vector<Contender> all;
  for (const BalancerEntry& balancer : catalog.balancers) {
    for (const Chosen<BalancerEntry>& variant : combinations(balancer, values_of)) {
      if (balancer.regrouping == Regrouping::never) {
        all.push_back({variant, nullptr});
        continue;
      }
      for (const Strategy& strategy : catalog.strategies) {
        if (hindrance(balancer, strategy).empty()) all.push_back({variant, &strategy});
      }
    }
  }
  return all;
}

Task run_by(const Contender& contender, Task task) {
  task.run().balancer = contender.balancer;
  task.run().strategy = contender.strategy;
  return task;
}

bool forms_communicators(const Contender& contender) {
  return contender.strategy != nullptr && !contender.strategy->local();
}

std::string words(const Contender& contender) {
  const std::string balancer = describe_balancer(run_by({contender.balancer, nullptr}, {}));
  return contender.strategy == nullptr
             ? balancer
             : fmt::format("{} over {}", balancer, contender.strategy->name);
}

std::string yaml(const Contender& contender) {
  std::string options;
  const auto add = [&](std::string_view name, std::string_view value) {
    options += fmt::format("{}{}: {}", options.empty() ? "" : ", ", name, value);
  };
  for (const OptionSpec& spec : contender.balancer->options) {
    add(spec.name, contender.balancer.options.text(spec.name));
  }
  if (contender.strategy != nullptr) add("communicator", contender.strategy->name);
  const std::string_view name = contender.balancer->name;
  return options.empty() ? std::string(name) : fmt::format("{}: {{{}}}", name, options);
}

Entrants entrants(const Task& run, const Catalog& catalog) {
  Entrants found;
  std::map<const Strategy*, std::optional<Costs>> costs;
  std::string why;
  for (Contender& contender : all_contenders(catalog)) {
    const auto [known, is_new] = costs.try_emplace(contender.strategy);
    if (is_new) {
      known->second = costs_for(contender, run, why);
      if (!known->second) found.not_measured.emplace_back(contender.strategy->name);
    }
    if (!known->second) continue;
    const bool same = std::ranges::any_of(found.all, [&](const Entrant& other) {
      return other.balancer == contender.balancer && other.costs == *known->second;
    });
    if (!same) found.all.push_back({std::move(contender), *known->second});
  }
  if (!why.empty() && std::ranges::none_of(found.all, forms_communicators)) throw UserError(why);
  return found;
}

namespace {

constexpr std::size_t most_problems = 1000;
constexpr std::size_t most_streams = 20;  // per problem

/// Returns the problems of a configuration of runs: all combinations of the parameters in `names`,
/// which include the costs unless `costs` replaces them.
std::vector<Problem> problems(const Experiment& experiment,
                              const std::optional<Chosen<CostModel>>& costs) {
  const Grid& grid = experiment.grid();
  std::vector<std::string_view> names{
      "workload", "wants", "walkers_per_group", "walkers_in_all", "speedup",
      "jitter",   "ranks", "group_size",        "item_ms",        "groups"};
  if (!costs) names.emplace_back("costs");
  std::size_t number = 1;
  for (const std::size_t axis : grid.axes(names)) number *= grid.values(axis);
  if (number > most_problems) {
    throw UserError(
        fmt::format("{}: {} combinations of workload, wants, walkers, speedup, jitter, ranks, "
                    "group_size, item_ms and costs; allowed: {}, because each gets its own advice",
                    experiment.file, number, most_problems));
  }

  std::vector<std::pair<std::uint64_t, int>> streams;
  experiment.each({"seed", "repetitions"}, [&](std::size_t i) {
    if (streams.size() == most_streams) return;
    const Task run = grid.at(i);
    streams.emplace_back(run.seed, run.repetition);
  });

  std::vector<Problem> all;
  const Engine* simulator = find_engine(experiment.catalog(), "virtual");
  experiment.each(names, [&](std::size_t i) {
    Problem problem{grid.at(i), streams};
    Run& run = problem.run.run();
    if (!run.equal_groups_at_start()) {
      throw UserError(
          fmt::format("{}: advise needs groups of equal size; remove 'groups' and set group_size",
                      experiment.file));
    }
    run.engine = simulator;
    if (costs) run.costs = *costs;
    all.push_back(std::move(problem));
  });
  return all;
}

Prices measured(const std::string& creation, const std::string& steps, const Catalog& catalog) {
  const CostModel& model = *find_entry(catalog.costs, "measured");
  return {Chosen<CostModel>{&model, {{"costs_file", creation}, {"steps_file", steps}}},
          fmt::format("measured, {} and {}", creation, steps),
          {}};
}

Prices modelled(std::string_view name, const Catalog& catalog) {
  const CostModel& model = *find_entry(catalog.costs, name);
  return {Chosen<CostModel>{&model, with_fallbacks(model).options}, std::string(name), {}};
}

/// Returns the newest file `name` in the subdirectories of `results`; empty if there is none.
std::string newest(const std::string& results, const std::string& name) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::path found;
  fs::file_time_type when;
  for (const auto& directory : fs::directory_iterator(results, error)) {
    const fs::path file = directory.path() / name;
    if (!fs::is_regular_file(file, error)) continue;
    const fs::file_time_type written = fs::last_write_time(file, error);
    if (!found.empty() && written <= when) continue;
    found = file;
    when = written;
  }
  return found.string();
}

bool says_costs(const Experiment& experiment) {
  const Grid& grid = experiment.grid();
  const std::size_t axis = grid.axis("costs");
  return grid.values(axis) > 1 || grid.at(0).run().costs->name != "free";
}

}  // namespace

std::vector<std::string> costs_without_files(const Catalog& catalog) {
  std::vector<std::string> names;
  for (const CostModel& model : catalog.costs) {
    const bool files = std::ranges::any_of(
        model.options, [](const OptionSpec& spec) { return spec.type == OptionSpec::Type::file; });
    if (!files) names.emplace_back(model.name);
  }
  return names;
}

namespace {

/// Returns the costs given on the command line; else those of the configuration, unless they are
/// `free`; else the newest measurements in `results`, the directory of all results; else the cost
/// model `cluster`.
Prices prices(const AskedPrices& asked, const Experiment& experiment, const std::string& results) {
  const Catalog& catalog = experiment.catalog();
  if (!asked.creation.empty()) return measured(asked.creation, asked.steps, catalog);
  if (!asked.costs.empty()) return modelled(asked.costs, catalog);
  if (says_costs(experiment)) return {{}, "as in the configuration", {}};
  const std::string creation = newest(results, "creation.csv");
  const std::string steps = newest(results, "steps.csv");
  if (!creation.empty() && !steps.empty()) return measured(creation, steps, catalog);
  Prices cluster = modelled("cluster", catalog);
  cluster.source += ", a present-day InfiniBand cluster";
  std::vector<std::string> runs;
  for (const auto& [file, kind] : {std::pair(creation, "creation"), std::pair(steps, "steps")}) {
    if (!file.empty()) continue;
    const std::string configuration = fmt::format("configs/{}.yaml", kind);
    runs.push_back(file_exists(configuration)
                       ? fmt::format("'{} run {}'", program_call(), configuration)
                       : fmt::format("a configuration with 'measure: {}'", kind));
  }
  cluster.hint = fmt::format(
      "this model does not describe this machine; to measure its costs, run {} ({}/*/{} is "
      "missing)",
      fmt::join(runs, " and "), results, creation.empty() ? "creation.csv" : "steps.csv");
  return cluster;
}

Task with_stream(Task run, const std::pair<std::uint64_t, int>& stream) {
  run.seed = stream.first;
  run.repetition = stream.second;
  return run;
}

/// Returns `time_s` of the run and its items, for each stream.
std::vector<double> of_streams(const Problem& problem,
                               double (*time_s)(const Task&, std::span<const std::int64_t>)) {
  std::vector<double> all;
  for (const auto& stream : problem.streams) {
    const Task run = with_stream(problem.run, stream);
    all.push_back(time_s(run, initial_items(run)));
  }
  return all;
}

/// The results of one entrant.
struct Trial {
  std::vector<double> makespans_s;  // one for each stream, or one in all if nothing is random
  std::string failure;              // reason if a run failed

  bool well() const { return failure.empty(); }
  double makespan_s() const { return median(makespans_s); }
  /// Returns the median ratio of the makespans to `times_s`, one for each stream.
  double over(const std::vector<double>& times_s) const {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < makespans_s.size(); ++i) {
      // Without any work, the makespan equals its lower limit.
      ratios.push_back(times_s[i] > 0 ? makespans_s[i] / times_s[i] : 1);
    }
    return median(ratios);
  }
};

/// Executes all `entrants` in virtual time, on all cores. Creating a communicator takes `factor`
/// times its cost. `progress`, if any, is called with the numbers of finished and of all runs.
std::vector<Trial> try_all(const Problem& problem, std::span<const Entrant> entrants,
                           double factor = 1,
                           const std::function<void(std::size_t, std::size_t)>& progress = {}) {
  std::vector<std::pair<std::size_t, std::size_t>> runs;  // entrant, stream
  for (std::size_t i = 0; i < entrants.size(); ++i) {
    const std::size_t streams =
        draws(run_by(entrants[i], problem.run)) ? problem.streams.size() : 1;
    for (std::size_t stream = 0; stream < streams; ++stream) runs.emplace_back(i, stream);
  }
  const auto run_at = [&](std::size_t i) {
    const auto [entrant, stream] = runs[i];
    return with_stream(run_by(entrants[entrant], problem.run), problem.streams[stream]);
  };
  const auto costs_at = [&](std::size_t i) {
    return entrants[runs[i].first].costs.with_dearer_creation(factor);
  };
  std::vector<Trial> trials(entrants.size());
  std::size_t done = 0;
  simulate_all({runs.size(), run_at, [&](std::size_t) { return problem.run.ranks; }, costs_at},
               [&](const Finished& finished) {
                 Trial& trial = trials[runs[done++].first];
                 if (finished.outcome) {
                   trial.makespans_s.push_back(finished.outcome->makespan_s());
                 } else {
                   trial.failure = finished.ending.message;
                 }
                 if (progress) progress(done, runs.size());
                 return true;
               });
  return trials;
}

}  // namespace

Crossing crossing(double from, double to,
                  const std::function<std::optional<std::size_t>(double)>& winner) {
  constexpr double close = 0.02;
  double holds = std::log(from);
  const double end = std::log(to);
  const double direction = end < holds ? -1 : 1;
  std::optional<std::size_t> wins;
  double fails = holds;
  while (!wins && holds != end) {
    const bool last = std::abs(end - holds) <= std::log(10) * 1.001;
    fails = last ? end : holds + direction * std::log(10);
    wins = winner(last ? to : std::exp(fails));
    if (!wins) holds = fails;
  }
  if (!wins) return {to, {}};
  while (std::abs(fails - holds) > close) {
    const double middle = (holds + fails) / 2;
    if (const auto found = winner(std::exp(middle))) {
      wins = found;
      fails = middle;
    } else {
      holds = middle;
    }
  }
  return {std::exp(holds), wins};
}

namespace {

std::optional<GroupSize> of_size(Problem problem, const Entrant& entrant, int ranks) {
  problem.run.run().group_size = ranks;
  std::vector<double> ideals;
  try {
    ideals = of_streams(problem, ideal_s);
  } catch (const std::invalid_argument&) {  // a trace has a fixed number of walkers
    return std::nullopt;
  }
  const Trial trial = try_all(problem, {&entrant, 1}).front();
  if (!trial.well() || std::ranges::min(ideals) <= 0) return std::nullopt;
  const double item_ms = problem.run.has_recorded_times()
                             ? 1e3 * item_time_of(problem.run).seconds(1)
                             : problem.run.run().item_ms;
  return GroupSize{ranks, initial_groups(problem.run.ranks, ranks).size(), trial.makespan_s(),
                   item_ms * trial.over(ideals)};
}

/// Tries group sizes with `entrant`: that of `problem`, and powers of two with at least two groups.
/// Omits sizes for which the workload has no items, or which cannot be simulated.
std::vector<GroupSize> try_group_sizes(const Problem& problem, const Entrant& entrant) {
  std::set<int> candidates{problem.run.run().group_size};
  for (int ranks = 1; ranks <= problem.run.ranks / 2; ranks *= 2) candidates.insert(ranks);
  std::vector<GroupSize> sizes;
  for (const int ranks : candidates) {
    if (const auto size = of_size(problem, entrant, ranks)) sizes.push_back(*size);
  }
  return sizes;
}

}  // namespace

int best_group_size(const std::vector<GroupSize>& sizes, int configured, double least_saving) {
  if (sizes.empty()) return configured;
  const double least =
      std::ranges::min_element(sizes, {}, &GroupSize::core_ms_per_item)->core_ms_per_item;
  const auto distance = [&](const GroupSize& size) {
    const bool good = size.core_ms_per_item * (1 - least_saving) <= least;
    return good ? std::abs(std::log2(size.ranks) - std::log2(configured)) : INFINITY;
  };
  return std::ranges::min_element(sizes, {}, distance)->ranks;
}

namespace {

constexpr double dearest = 1e6;  // largest factor of the creation cost in the search for break-even

/// Fills in `standings`, `not_measured` and `failures`.
void rank(Advice& advice, const Catalog& catalog, const Notify& notify) {
  Entrants found = entrants(advice.problem.run, catalog);
  advice.not_measured = std::move(found.not_measured);
  const std::vector<Trial> trials =
      try_all(advice.problem, found.all, 1, [&](std::size_t done, std::size_t all) {
        notify(fmt::format("choices, {} of {} runs", done, all));
      });
  const std::vector<double> bounds = of_streams(advice.problem, bound_s);
  for (std::size_t i = 0; i < trials.size(); ++i) {
    const Trial& trial = trials[i];
    if (trial.well()) {
      advice.standings.push_back({std::move(found.all[i]), trial.makespan_s(), trial.over(bounds)});
    } else {
      advice.failures.push_back(fmt::format("{}: {}", words(found.all[i]), trial.failure));
    }
  }
  if (advice.standings.empty()) {
    throw UserError(fmt::format("{}: nothing could be simulated; {}",
                                describe_problem(advice.problem.run), advice.failures.front()));
  }
  std::ranges::stable_sort(advice.standings, {}, &Standing::makespan_s);
}

/// Returns the first fitting entrant of each balancer with its options. Its other strategies hardly
/// win if the first does not, for any cost of creating communicators.
template <class Fits>
std::vector<Entrant> rivals(const std::vector<Standing>& standings, Fits fits) {
  std::vector<Entrant> all;
  for (const Standing& standing : standings) {
    const auto same = [&](const Entrant& e) { return e.balancer == standing.entrant.balancer; };
    if (fits(standing.entrant) && std::ranges::none_of(all, same)) all.push_back(standing.entrant);
  }
  return all;
}

/// Returns the index of the fastest trial if it beats the first by more than the margin.
std::optional<std::size_t> winner_over_first(const std::vector<Trial>& trials) {
  const auto time = [](const Trial& trial) {
    return trial.well() ? trial.makespan_s() : std::numeric_limits<double>::infinity();
  };
  const auto fastest = std::ranges::min_element(trials, {}, time);
  if (!(time(*fastest) < (1 - margin) * time(trials.front()))) return std::nullopt;
  return static_cast<std::size_t>(fastest - trials.begin());
}

BreakEven named(const Crossing& crossing, const std::vector<Entrant>& rivals) {
  if (!crossing.winner) return {crossing.holds, {}};
  return {crossing.holds, rivals[*crossing.winner]};
}

void find_shortest_items(Advice& advice, const Notify& notify) {
  const Task& run = advice.problem.run;
  if (run.has_recorded_times() || run.run().item_ms <= shortest_ms) return;
  const auto all = rivals(advice.standings, [](const Entrant&) { return true; });
  Problem problem = advice.problem;
  advice.item_ms = named(crossing(problem.run.run().item_ms, shortest_ms,
                                  [&](double item_ms) {
                                    notify(fmt::format("items of {:g} ms", item_ms));
                                    problem.run.run().item_ms = item_ms;
                                    return winner_over_first(try_all(problem, all));
                                  }),
                         all);
}

void find_dearest_communicators(Advice& advice, const Notify& notify) {
  const auto forms = [](const Standing& standing) { return forms_communicators(standing.entrant); };
  const auto best = std::ranges::find_if(advice.standings, forms);
  const Standing* none = advice.none();
  if (best == advice.standings.end() || (none != nullptr && none->makespan_s <= best->makespan_s))
    return;
  advice.communicators = *best;
  advice.members = std::min(2 * advice.problem.run.run().group_size, advice.problem.run.ranks);
  if (advice.price_s() <= 0) return;
  const auto all = rivals(advice.standings, [&](const Entrant& entrant) {
    const bool same_group = forms_communicators(advice.best().entrant);
    return same_group || forms_communicators(entrant) || entrant.strategy == nullptr;
  });
  advice.dearer = named(crossing(1, dearest,
                                 [&](double factor) {
                                   notify(fmt::format("communicator cost × {:.3g}", factor));
                                   return winner_over_first(try_all(advice.problem, all, factor));
                                 }),
                        all);
}

}  // namespace

const Standing* Advice::runner_up() const {
  const auto balancer = [](const Standing& standing) { return standing.entrant.balancer->name; };
  const auto other = std::ranges::find_if(
      standings, [&](std::string_view name) { return name != balancer(best()); }, balancer);
  return other == standings.end() ? nullptr : &*other;
}

const Standing* Advice::none() const {
  const auto found = std::ranges::find(
      standings, "none", [](const Standing& one) { return one.entrant.balancer->name; });
  return found == standings.end() ? nullptr : &*found;
}

std::vector<Contender> Advice::as_good() const {
  std::vector<Contender> all;
  for (const Standing& standing : standings) {
    if ((1 - margin) * standing.makespan_s > best().makespan_s) break;
    const auto same = [&](const Contender& c) { return c.balancer == standing.entrant.balancer; };
    if (!same(best().entrant) && std::ranges::none_of(all, same)) all.push_back(standing.entrant);
  }
  return all;
}

double Advice::price_s() const {
  return communicators ? communicators->entrant.costs.create(members) : 0;
}

Advice advise(const Problem& problem, const Catalog& catalog, const Notify& notify) {
  Advice advice{};
  advice.problem = problem;
  rank(advice, catalog, notify);
  find_dearest_communicators(advice, notify);
  find_shortest_items(advice, notify);
  notify("ranks per group");
  advice.group_sizes = try_group_sizes(problem, advice.best().entrant);
  advice.group_size = best_group_size(advice.group_sizes, problem.run.run().group_size, margin);
  return advice;
}

namespace {

/// Throws UserError for an invalid combination of options.
void check(const AskedPrices& asked) {
  if (asked.creation.empty() != asked.steps.empty()) {
    throw UserError(
        "--creation and --steps must be given together: measured costs need both files");
  }
  if (!asked.creation.empty() && !asked.costs.empty()) {
    throw UserError("--costs cannot be combined with --creation and --steps");
  }
}

/// Throws UserError if the engine cannot execute a problem, or if the files of costs are missing or
/// have no costs for its number of ranks.
void check(const std::vector<Problem>& problems, const std::string& config,
           const Catalog& catalog) {
  std::set<std::pair<int, std::string>> checked;
  for (const Problem& problem : problems) {
    const std::string lacking = engine_of(problem.run).lacks(problem.run);
    if (!lacking.empty()) throw UserError(fmt::format("{}: no advice: {}", config, lacking));
    const auto& costs = problem.run.run().costs;
    const std::string name = text_of(costs->name, costs.options);
    if (checked.emplace(problem.run.ranks, name).second) entrants(problem.run, catalog);
  }
}

/// Returns whether a walker computes, so that its items take their own times.
bool computes(const Experiment& experiment) {
  bool any = false;
  experiment.each({"walker"}, [&](std::size_t i) {
    any = any || !experiment.grid().at(i).run().walker->timed;
  });
  return any;
}

std::string stream_note(const Problem& problem) {
  if (problem.streams.size() == 1) return {};
  return fmt::format(", medians of {} if random", problem.streams.size());
}

/// Prints each distinct advice once, with the numbers of its problems.
void print_lines_to_paste(const std::vector<Advice>& all, const std::string& file) {
  std::map<std::string, std::vector<std::size_t>> answers;
  for (std::size_t i = 0; i < all.size(); ++i) answers[lines_to_paste(all[i])].push_back(i + 1);
  for (const auto& [lines, problems] : answers) {
    const std::string where =
        answers.size() == 1
            ? std::string()
            : fmt::format(" for {} {}", problems.size() == 1 ? "problem" : "problems",
                          fmt::join(problems, ", "));
    print_out("\nto paste into {}{}:\n\n{}", file, where, lines);
  }
}

}  // namespace

void print_advice(const Experiment& experiment, const AskedPrices& asked, bool json,
                  const std::vector<std::string>& measured) {
  check(asked);
  const Prices costs = prices(asked, experiment, "results");
  const std::vector<Problem> all = problems(experiment, costs.costs);
  check(all, experiment.file, experiment.catalog());
  if (!json) {
    print_out("{}: {} {}, every balancer with every strategy, in virtual time\ncosts: {}\n",
              experiment.name, all.size(), all.size() == 1 ? "problem" : "problems", costs.source);
    if (!costs.hint.empty()) print_out("  {}\n", costs.hint);
    if (measured.empty() && computes(experiment)) {
      print_out("item times: from item_ms and speedup; --probe 10s measures them\n");
    }
  }
  TerminalLine line;
  std::vector<Advice> advice;
  for (const Problem& problem : all) {
    const std::string number = fmt::format("[{}/{}] ", advice.size() + 1, all.size());
    const std::string title = describe_problem(problem.run);
    advice.push_back(advise(problem, experiment.catalog(), [&](std::string_view what) {
      if (!json) line.draw(number, title, fmt::format(": {} …", what));
    }));
    if (json) continue;
    line.clear();
    const bool own = !costs.costs && problem.run.run().costs->name != "free";
    print_out("\n{}{}{}{}\n{}", number, title,
              own ? fmt::format(", costs {}", problem.run.run().costs->name) : "",
              stream_note(problem), as_text(advice.back()));
    std::fflush(stdout);
  }
  if (json) {
    print_out("{}", as_json(experiment, costs, advice));
  } else {
    print_lines_to_paste(advice, experiment.file);
    for (const std::string& found : measured) print_out("{}\n", found);
  }
}

}  // namespace regroup
