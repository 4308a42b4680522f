// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/advice/advice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "jobs/advice/trials.hpp"
#include "jobs/words/describe.hpp"
#include "kernel/files/user_error.hpp"

namespace regroup {
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
