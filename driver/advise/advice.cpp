// SPDX-License-Identifier: BSD-3-Clause
#include "driver/advise/advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>

#include "driver/config/read_experiment.hpp"
#include "driver/execute/simulate_all.hpp"
#include "kernel/numbers/statistics.hpp"
#include "kernel/starting_groups.hpp"
#include "kernel/text/plain_text.hpp"
#include "library/describe.hpp"
#include "library/resolve.hpp"
#include "regroup/catalog.hpp"

namespace regroup {
namespace {

/// Values to try of an option; of all others the usual one is tried.
struct Tried {
  std::string_view balancer;
  std::string_view option;
  std::array<std::string_view, 4> values;  ///< those that are empty do not count
};

constexpr std::array values_to_try{
    Tried{"collective", "exchange_interval", {"1", "16", "64", "128"}},
    Tried{"spread", "loads", {"unknown", "known"}},
    Tried{"spread", "start_division", {"as_is", "proportional"}},
};

std::vector<std::string> values_of(const BalancerEntry& balancer, const OptionSpec& spec) {
  for (const Tried& one : values_to_try) {
    if (one.balancer != balancer.name || one.option != spec.name) continue;
    std::vector<std::string> values(one.values.begin(), one.values.end());
    std::erase(values, "");
    return values;
  }
  return {std::string(spec.fallback)};
}

/// What communication costs; nothing, and why, where that was not measured with the contender's
/// strategy.
std::optional<Costs> costs_of(const Contender& contender, const Scenario& run, std::string& why) {
  try {
    return resolve_costs(run_by(contender, run));
  } catch (const UserError& error) {
    why = error.what();
    resolve_costs(run_by({{"none", {}}, ""}, run));  // throws where it is not for the strategy
    return std::nullopt;
  }
}

}  // namespace

std::vector<Contender> all_contenders() {
  std::vector<Contender> all;
  for (const BalancerEntry& balancer : standard_catalog().balancers) {
    Balancings balancings{{std::string(balancer.name), {}}, communicators_of(balancer)};
    for (const OptionSpec& spec : balancer.options) {
      balancings.balancers.options.emplace_back(spec.name, values_of(balancer, spec));
    }
    for (std::size_t i = 0; i < balancings.size(); ++i) {
      auto [choice, communicator] = balancings.at(i);
      all.push_back({std::move(choice), std::move(communicator)});
    }
  }
  return all;
}

Scenario run_by(const Contender& contender, Scenario run) {
  run.balancer = contender.balancer;
  run.communicator = contender.communicator;
  return run;
}

bool forms_communicators(const Contender& contender) {
  const Strategy* strategy = find_entry(standard_catalog().strategies, contender.communicator);
  return strategy != nullptr && !strategy->local();
}

std::string words(const Contender& contender) {
  const std::string balancer = describe_balancer(run_by({contender.balancer, ""}, {}));
  return contender.communicator.empty()
             ? balancer
             : fmt::format("{} over {}", balancer, contender.communicator);
}

std::string yaml(const Contender& contender) {
  std::string options;
  const auto add = [&](std::string_view name, std::string_view value) {
    options += fmt::format("{}{}: {}", options.empty() ? "" : ", ", name, value);
  };
  const BalancerEntry* entry = find_entry(standard_catalog().balancers, contender.balancer.name);
  for (const OptionSpec& spec : entry->options) {
    add(spec.name, contender.balancer.options.text(spec.name));
  }
  if (!contender.communicator.empty()) add("communicator", contender.communicator);
  return options.empty() ? contender.balancer.name
                         : fmt::format("{}: {{{}}}", contender.balancer.name, options);
}

Entrants entrants(const Scenario& run) {
  Entrants found;
  std::map<std::string, std::optional<Costs>> costs;  // by strategy
  std::string why;
  for (Contender& contender : all_contenders()) {
    const auto [known, is_new] = costs.try_emplace(contender.communicator);
    if (is_new) {
      known->second = costs_of(contender, run, why);
      if (!known->second) found.not_measured.push_back(contender.communicator);
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

std::vector<Problem> problems(const Experiment& experiment, const std::optional<Choice>& costs) {
  const Grid<Scenario>& grid = experiment.grid();
  std::vector<std::size_t> axes;
  for (const char* axis : {"workload", "wants", "walkers_per_group", "walkers_in_all", "speedup",
                           "jitter", "ranks", "group_size", "item_ms", "groups"}) {
    axes.push_back(grid.axis(axis));
  }
  if (!costs) axes.push_back(grid.axis("costs"));
  std::size_t number = 1;
  for (const std::size_t axis : axes) number = product(number, grid.values(axis));
  if (number > most_problems) {
    throw UserError(
        fmt::format("{}: {} combinations of workload, wants, walkers, speedup, jitter, ranks, "
                    "group_size, item_ms and costs; allowed: {}, since each is advised on its own",
                    experiment.file, number, most_problems));
  }

  std::vector<std::pair<std::uint64_t, int>> streams;
  const std::vector<std::size_t> repeated{grid.axis("seed"), grid.axis("repetitions")};
  grid.each(0, repeated, [&](std::size_t place) {
    if (streams.size() == most_streams) return;
    const Scenario run = grid.at(place);
    streams.emplace_back(run.seed, run.repetition);
  });

  std::vector<Problem> all;
  grid.each(0, axes, [&](std::size_t place) {
    Problem problem{grid.at(place), streams};
    if (problem.run.groups != equal_groups) {
      throw UserError(fmt::format(
          "{}: advice is about groups of equal size; leave out 'groups', and give group_size",
          experiment.file));
    }
    problem.run.engine = "virtual";
    if (costs) problem.run.costs = *costs;
    all.push_back(std::move(problem));
  });
  return all;
}

namespace {

Prices measured(const std::string& creation, const std::string& steps) {
  return {Choice{"measured", {{"costs_file", creation}, {"steps_file", steps}}},
          fmt::format("measured, {} and {}", creation, steps),
          {}};
}

Prices modelled(std::string_view model) {
  return {with_fallbacks(*find_entry(standard_catalog().costs, model)), std::string(model), {}};
}

/// The newest file of that name in a directory of `results`; empty where there is none.
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
  const Grid<Scenario>& grid = experiment.grid();
  const std::size_t axis = grid.axis("costs");
  return grid.values(axis) > 1 || grid.at(0).costs.name != "free";
}

}  // namespace

Prices prices(const AskedPrices& asked, const Experiment& experiment, const std::string& results) {
  if (!asked.creation.empty()) return measured(asked.creation, asked.steps);
  if (!asked.costs.empty()) return modelled(asked.costs);
  if (says_costs(experiment)) return {{}, "as the configuration says", {}};
  const std::string creation = newest(results, "creation.csv");
  const std::string steps = newest(results, "steps.csv");
  if (!creation.empty() && !steps.empty()) return measured(creation, steps);
  Prices cluster = modelled("cluster");
  cluster.source += ", a present-day InfiniBand cluster";
  cluster.hint = fmt::format(
      "nobody has measured this machine ({0}/*/{1} is missing):{2}{3}", results,
      creation.empty() ? "creation.csv" : "steps.csv",
      creation.empty() ? " build/regroup creation configs/creation.yaml" : "",
      steps.empty()
          ? fmt::format("{} build/regroup steps configs/steps.yaml", creation.empty() ? " and" : "")
          : "");
  return cluster;
}

namespace {

Scenario with_stream(Scenario run, const std::pair<std::uint64_t, int>& stream) {
  run.seed = stream.first;
  run.repetition = stream.second;
  return run;
}

/// What `of` says of the run and the items of each stream.
template <class Of>
std::vector<double> of_streams(const Problem& problem, Of of) {
  std::vector<double> all;
  for (const auto& stream : problem.streams) {
    const Scenario run = with_stream(problem.run, stream);
    all.push_back(of(run, initial_items(run)));
  }
  return all;
}

}  // namespace

double Trial::makespan_s() const { return median(makespans_s); }

double Trial::over(const std::vector<double>& times_s) const {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < makespans_s.size(); ++i) {
    // Where nobody has anything to do, everybody is as fast as can be.
    ratios.push_back(times_s[i] > 0 ? makespans_s[i] / times_s[i] : 1);
  }
  return median(ratios);
}

std::vector<Trial> try_all(const Problem& problem, std::span<const Entrant> entrants, double factor,
                           const std::function<void(std::size_t, std::size_t)>& progress) {
  std::vector<std::pair<std::size_t, std::size_t>> runs;  // entrant, stream
  for (std::size_t i = 0; i < entrants.size(); ++i) {
    const std::size_t streams =
        draws(run_by(entrants[i], problem.run)) ? problem.streams.size() : 1;
    for (std::size_t stream = 0; stream < streams; ++stream) runs.emplace_back(i, stream);
  }
  const Runs all{.number = runs.size(),
                 .at =
                     [&](std::size_t i) {
                       const auto [entrant, stream] = runs[i];
                       return with_stream(run_by(entrants[entrant], problem.run),
                                          problem.streams[stream]);
                     },
                 .ranks = [&](std::size_t) { return problem.run.ranks; },
                 .costs =
                     [&](std::size_t i) {
                       return entrants[runs[i].first].costs.with_dearer_creation(factor);
                     }};
  std::vector<Trial> trials(entrants.size());
  std::size_t done = 0;
  simulate_all(all, [&](const Record& record) {
    Trial& trial = trials[runs[done++].first];
    if (record.outcome) {
      trial.makespans_s.push_back(record.outcome->makespan_s());
    } else {
      trial.failure = record.message;
    }
    if (progress) progress(done, runs.size());
    return true;
  });
  return trials;
}

std::vector<double> ideals_s(const Problem& problem) {
  return of_streams(problem,
                    [](const Scenario& run, const auto& items) { return ideal_s(run, items); });
}

std::vector<double> bounds_s(const Problem& problem) {
  return of_streams(problem,
                    [](const Scenario& run, const auto& items) { return bound_s(run, items); });
}

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
  problem.run.group_size = ranks;
  std::vector<double> ideals;
  try {
    ideals = ideals_s(problem);
  } catch (const std::invalid_argument&) {  // a trace has as many walkers as it has
    return std::nullopt;
  }
  const Trial trial = try_all(problem, {&entrant, 1}).front();
  if (!trial.well() || std::ranges::min(ideals) <= 0) return std::nullopt;
  return GroupSize{ranks, initial_groups(problem.run.ranks, ranks).size(), trial.makespan_s(),
                   problem.run.item_ms * trial.over(ideals)};
}

}  // namespace

std::vector<GroupSize> try_group_sizes(const Problem& problem, const Entrant& entrant) {
  std::set<int> candidates{problem.run.group_size};
  for (int ranks = 1; ranks <= problem.run.ranks / 2; ranks *= 2) candidates.insert(ranks);
  std::vector<GroupSize> sizes;
  for (const int ranks : candidates) {
    if (const auto size = of_size(problem, entrant, ranks)) sizes.push_back(*size);
  }
  return sizes;
}

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

/// Fills in the standings.
void rank(Advice& advice, const Tick& tick) {
  Entrants found = entrants(advice.problem.run);
  advice.not_measured = std::move(found.not_measured);
  const std::vector<Trial> trials =
      try_all(advice.problem, found.all, 1, [&](std::size_t done, std::size_t all) {
        tick(fmt::format("choices, {} of {} runs", done, all));
      });
  const std::vector<double> bounds = bounds_s(advice.problem);
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

/// The first of each balancer with its options that fits: another strategy of it hardly wins where
/// the first does not, whatever forming a communicator costs.
template <class Fits>
std::vector<Entrant> rivals(const std::vector<Standing>& standings, Fits fits) {
  std::vector<Entrant> all;
  for (const Standing& standing : standings) {
    const auto same = [&](const Entrant& e) { return e.balancer == standing.entrant.balancer; };
    if (fits(standing.entrant) && std::ranges::none_of(all, same)) all.push_back(standing.entrant);
  }
  return all;
}

/// Who beats the first of them by more than the margin.
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

void find_shortest_items(Advice& advice, const Tick& tick) {
  if (advice.problem.run.item_ms <= shortest_ms) return;
  const auto all = rivals(advice.standings, [](const Entrant&) { return true; });
  Problem problem = advice.problem;
  advice.item_ms = named(crossing(problem.run.item_ms, shortest_ms,
                                  [&](double item_ms) {
                                    tick(fmt::format("items of {:g} ms", item_ms));
                                    problem.run.item_ms = item_ms;
                                    return winner_over_first(try_all(problem, all));
                                  }),
                         all);
}

void find_dearest_communicators(Advice& advice, const Tick& tick) {
  const auto forms = [](const Standing& standing) { return forms_communicators(standing.entrant); };
  const auto best = std::ranges::find_if(advice.standings, forms);
  const Standing* none = advice.none();
  if (best == advice.standings.end() || (none != nullptr && none->makespan_s <= best->makespan_s))
    return;
  advice.communicators = *best;
  advice.members = std::min(2 * advice.problem.run.group_size, advice.problem.run.ranks);
  if (advice.price_s() <= 0) return;
  const auto all = rivals(advice.standings, [&](const Entrant& entrant) {
    const bool same_group = forms_communicators(advice.best().entrant);
    return same_group || forms_communicators(entrant) || entrant.communicator.empty();
  });
  advice.dearer = named(crossing(1, dearest,
                                 [&](double factor) {
                                   tick(fmt::format("communicators {:.3g} times as dear", factor));
                                   return winner_over_first(try_all(advice.problem, all, factor));
                                 }),
                        all);
}

}  // namespace

const Standing* Advice::runner_up() const {
  const auto other = std::ranges::find_if(standings, [&](const Standing& standing) {
    return standing.entrant.balancer.name != best().entrant.balancer.name;
  });
  return other == standings.end() ? nullptr : &*other;
}

const Standing* Advice::none() const {
  const auto found = std::ranges::find_if(
      standings, [](const Standing& standing) { return standing.entrant.balancer.name == "none"; });
  return found == standings.end() ? nullptr : &*found;
}

std::vector<Contender> Advice::as_good() const {
  std::vector<Contender> all;
  for (const Entrant& rival : rivals(standings, [](const Entrant&) { return true; })) {
    const auto same = [&](const Standing& s) { return s.entrant.balancer == rival.balancer; };
    const Standing& standing = *std::ranges::find_if(standings, same);
    const bool near = (1 - margin) * standing.makespan_s <= best().makespan_s;
    if (near && rival.balancer != best().entrant.balancer) all.push_back(rival);
  }
  return all;
}

double Advice::price_s() const {
  return communicators ? communicators->entrant.costs.create(members) : 0;
}

Advice advise(const Problem& problem, const Tick& tick) {
  Advice advice{};
  advice.problem = problem;
  rank(advice, tick);
  find_dearest_communicators(advice, tick);
  find_shortest_items(advice, tick);
  tick("ranks per group");
  advice.group_sizes = try_group_sizes(problem, advice.best().entrant);
  advice.group_size = best_group_size(advice.group_sizes, problem.run.group_size, margin);
  return advice;
}

}  // namespace regroup
