// SPDX-License-Identifier: BSD-3-Clause
//
// Tasks for tests.
#pragma once

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "driver/execute/engines.hpp"
#include "library/task.hpp"
#include "regroup/catalog.hpp"

namespace regroup {

/// Returns the catalog of all entries that come with Regroup.
inline const Catalog& catalog() {
  static const Catalog all = make_catalog(nullptr, engines());
  return all;
}

/// Returns the row `name` with the unchecked options `given`, and the fallbacks of all others.
template <class Rows>
auto chosen(const Rows& rows, std::string_view name, const Options& given = {}) {
  const auto* row = find_entry(rows, name);
  if (row == nullptr) throw std::invalid_argument(std::string(name));
  Options options = with_fallbacks(*row).options;
  for (const auto& [option, value] : given) options.set(option, value);
  return Chosen<std::remove_cvref_t<decltype(*row)>>{row, std::move(options)};
}
inline auto balancer(std::string_view name, const Options& given = {}) {
  return chosen(catalog().balancers, name, given);
}
inline auto workload(std::string_view name, const Options& given = {}) {
  return chosen(catalog().workloads, name, given);
}
inline auto speedup(std::string_view name, const Options& given = {}) {
  return chosen(catalog().speedups, name, given);
}
inline auto cost_model(std::string_view name, const Options& given = {}) {
  return chosen(catalog().costs, name, given);
}

/// Returns nullptr if there is no strategy of that name.
inline const Strategy* strategy(std::string_view name) {
  return find_entry(catalog().strategies, name);
}

using NamedValues = std::initializer_list<std::pair<std::string_view, std::string>>;

/// Returns `task` with the parameters `values`, by name.
inline Task with(Task task, NamedValues values) {
  for (const auto& [name, text] : values) {
    const auto row = std::ranges::find_if(parameters(), [&](const Parameter& parameter) {
      return parameter.spec.name == name && parameter.applies_to(task);
    });
    if (row == parameters().end()) throw std::invalid_argument(std::string(name));
    row->set(task, text, catalog());
  }
  return task;
}

/// Returns a run in virtual time, with the balancer `none` unless `values` contains another one.
inline Task virtual_run(NamedValues values = {}) {
  return with(run_of(catalog(), {{"engine", "virtual"}, {"balancer", "none"}}), values);
}

/// Returns a name for a test, such as "collective_2" or "asynchronous_merge_1".
inline std::string test_name(const Chosen<BalancerEntry>& balancer) {
  std::string name(balancer->name);
  for (const auto& [option, value] : balancer.options) {
    const bool fits = std::ranges::all_of(value, [](unsigned char c) { return std::isalnum(c); });
    if (fits) name += '_' + value;
  }
  return name;
}

/// Sets the balancer of a run, and the strategy create_group if the balancer regroups.
inline void choose_balancer(Task& task, const Chosen<BalancerEntry>& chosen) {
  task.run().balancer = chosen;
  const bool regroups = chosen->regrouping != Regrouping::never;
  task.run().strategy = regroups ? strategy("create_group") : nullptr;
}

}  // namespace regroup
