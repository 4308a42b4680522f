// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "engines/mpi/engine.hpp"
#include "library/resolve.hpp"
#include "library/task.hpp"
#include "regroup/engine.hpp"

namespace regroup {
namespace {

template <class... Arguments>
[[noreturn]] void refuse(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  throw std::invalid_argument(fmt::format(text, std::forward<Arguments>(arguments)...));
}

template <class Rows>
std::string names(const Rows& rows) {
  std::vector<std::string_view> all;
  for (const auto& row : rows) all.push_back(row.name);
  return fmt::format("{}", fmt::join(all, ", "));
}

/// `choice` with the usual value of every option that it leaves out.
Choice completed(const Choice& choice, const BalancerEntry& entry) {
  Choice whole = with_fallbacks(entry);
  for (const auto& [name, value] : choice.options) {
    const OptionSpec* spec = find_entry(entry.options, name);
    if (spec == nullptr) {
      refuse("balancer {} has no option '{}'; allowed: {}", entry.name, name, names(entry.options));
    }
    const std::string wrong = complaint(*spec, value);
    if (!wrong.empty()) refuse("balancer {}: {}", entry.name, wrong);
    whole.options.set(name, value);
  }
  return whole;
}

/// The scenario of the ensemble on so many ranks.
Scenario scenario_of(const Ensemble& ensemble, int ranks, const Catalog& catalog) {
  const BalancerEntry* balancer = find_entry(catalog.balancers, ensemble.balancer.name);
  if (balancer == nullptr) {
    refuse("unknown balancer '{}'; allowed: {}", ensemble.balancer.name, names(catalog.balancers));
  }
  Scenario scenario;
  scenario.ranks = ranks;
  scenario.group_size = ensemble.group_size;
  scenario.item_ms = ensemble.item_ms;
  scenario.walkers_in_all = static_cast<int>(ensemble.items.size());
  scenario.balancer = completed(ensemble.balancer, *balancer);
  scenario.seed = ensemble.seed;
  scenario.waiting = ensemble.waiting;
  for (const Parameter& parameter : parameters()) {
    if (!parameter.applies("run") || parameter.list != nullptr) continue;
    const std::string wrong = complaint(parameter.spec, text_of(parameter, scenario));
    if (!wrong.empty()) throw std::invalid_argument(wrong);
  }
  if (balancer->regrouping == Regrouping::never) return scenario;
  const Strategy* strategy = find_entry(catalog.strategies, ensemble.strategy);
  if (strategy == nullptr) {
    refuse("unknown strategy '{}'; allowed: {}", ensemble.strategy, names(catalog.strategies));
  }
  const std::string wrong = hindrance(*balancer, *strategy);
  if (!wrong.empty()) throw std::invalid_argument(wrong);
  scenario.communicator = ensemble.strategy;
  return scenario;
}

}  // namespace

Outcome execute(const Ensemble& ensemble, MPI_Comm comm, const Catalog& catalog) {
  if (!ensemble.make) refuse("an ensemble needs a function that makes its walkers");
  if (ensemble.items.empty()) refuse("an ensemble needs the items of each of its chains");
  if (std::ranges::min(ensemble.items) < 0) {
    refuse("a chain has {} items; allowed: 0 and more", std::ranges::min(ensemble.items));
  }
  if (ensemble.report_every < 0) {
    refuse("chains report every {} items; allowed: 0 and more", ensemble.report_every);
  }
  if (ensemble.enough.asked() && ensemble.report_every == 0) {
    refuse("an ensemble that ends when chains have observed enough needs report_every");
  }
  int ranks = 0;
  MPI_Comm_size(comm, &ranks);
  const Scenario scenario = scenario_of(ensemble, ranks, catalog);
  walkers_of(scenario);  // throws where they are too few or too many
  RunInput run = resolve(scenario, ensemble.items, catalog);
  Hands hands;
  if (run.strategy) hands.make = maker(*run.strategy);
  hands.walkers.make = ensemble.make;
  hands.walkers.has_state = true;
  hands.walkers.open_end = true;  // Walker::done() says
  hands.walkers.report_every = ensemble.report_every;
  hands.walkers.enough = ensemble.enough;
  hands.walkers.on_reports = ensemble.on_reports;
  hands.walkers.at_end = ensemble.at_end;
  hands.waiting = ensemble.waiting;
  return execute(std::move(run), hands, comm);
}

}  // namespace regroup
