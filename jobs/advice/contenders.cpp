// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/advice/contenders.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "jobs/catalog/catalog.hpp"
#include "jobs/catalog/resolve.hpp"
#include "jobs/configuration/balancings.hpp"
#include "jobs/words/describe.hpp"
#include "kernel/files/user_error.hpp"

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

}  // namespace regroup
