// SPDX-License-Identifier: BSD-3-Clause
#include "regroup/catalog.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "balancers/balancers.hpp"
#include "library/refuse.hpp"
#include "walkers/walkers.hpp"

namespace regroup {
namespace {

/// Whether `name` may be used in configurations, results and names of files.
bool is_word(std::string_view name) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !name.empty() && std::ranges::all_of(name, fits);
}

void check_option(std::string_view row, const OptionSpec& option) {
  if (!is_word(option.name)) {
    refuse("{} has the option '{}'; allowed in its name: a-z, 0-9 and _", row, option.name);
  }
  if (option.fallback.empty()) return;
  const std::string wrong = complaint(option, option.fallback);
  if (!wrong.empty()) refuse("{} has an option with an invalid default: {}", row, wrong);
}

/// Checks that `rows` begins with the rows named `known`, and that added rows can be used.
/// `complete` returns whether a row has all its functions.
template <class Row, class Complete>
void check_rows(std::string_view what, const std::vector<Row>& rows,
                const std::vector<std::string_view>& known, Complete complete) {
  if (rows.size() < known.size() ||
      !std::ranges::equal(std::span(rows).first(known.size()), known, {}, &Row::name)) {
    refuse("the list of rows of the kind {} has lost rows; allowed: to add rows at its end", what);
  }
  for (std::size_t i = known.size(); i < rows.size(); ++i) {
    const Row& row = rows[i];
    const std::string called = fmt::format("{} '{}'", what, row.name);
    if (!is_word(row.name)) refuse("{} was added; allowed in its name: a-z, 0-9 and _", called);
    if (find_entry(rows, row.name) != &row) {
      refuse("{} was added, but its name already exists; allowed: another name", called);
    }
    if (!complete(row)) refuse("{} was added without a function that it needs", called);
    if constexpr (requires { row.options; }) {
      for (const OptionSpec& option : row.options) check_option(called, option);
    }
  }
}

template <class Rows>
std::vector<std::string_view> names_of(const Rows& rows) {
  std::vector<std::string_view> names;
  for (const auto& row : rows) names.push_back(row.name);
  return names;
}

void check_added(const Catalog& catalog) {
  const auto made = [](const auto& row) { return row.make != nullptr; };
  check_rows("balancer", catalog.balancers, names_of(balancers()),
             [](const BalancerEntry& row) { return row.make != nullptr && row.draws != nullptr; });
  // A strategy of Regroup has no function if the MPI library lacks its calls.
  check_rows("strategy", catalog.strategies, names_of(strategies()), made);
  check_rows("workload", catalog.workloads, names_of(workloads()),
             [](const WorkloadEntry& row) { return row.items != nullptr; });
  check_rows("wants", catalog.wants, names_of(wants()),
             [](const WantsEntry& row) { return row.of != nullptr; });
  check_rows("speed-up", catalog.speedups, names_of(speedups()), made);
  check_rows("walker", catalog.walkers, names_of(walkers()), [](const WalkerEntry& row) {
    return row.make != nullptr && row.state_bytes != nullptr;
  });
  check_rows("cost model", catalog.costs, names_of(cost_models()), made);
  check_rows("measurement", catalog.measurements, names_of(measurement_kinds()),
             [](const MeasurementKind& row) { return row.measure != nullptr; });
  check_rows("operation", catalog.operations, names_of(collective_operations()),
             [](const CollectiveOperation& row) {
               return row.execute != nullptr && row.expected != nullptr;
             });
}

/// Converts options of measurements that name rows into choices among these rows. For strategies,
/// the choices are those that the kind accepts.
void name_rows(Catalog& catalog) {
  for (MeasurementKind& kind : catalog.measurements) {
    std::vector<OptionSpec>& options =
        catalog.owned_options.emplace_back(kind.options.begin(), kind.options.end());
    for (OptionSpec& option : options) {
      const bool operation = option.type == OptionSpec::Type::operation;
      if (!operation && option.type != OptionSpec::Type::strategy) continue;
      std::vector<std::string_view>& words = catalog.owned_words.emplace_back();
      if (operation) {
        words = names_of(catalog.operations);
        std::vector<DescribedWord>& described = catalog.owned_descriptions.emplace_back();
        for (const auto& row : catalog.operations) described.push_back({row.name, row.help});
        option.described = described;
      } else {
        for (const Strategy& strategy : catalog.strategies) {
          if (kind.accepts == nullptr || kind.accepts(strategy)) words.push_back(strategy.name);
        }
      }
      words.insert(words.end(), option.words.begin(), option.words.end());
      option.type = OptionSpec::Type::choice;
      option.words = words;
    }
    kind.options = options;
  }
}

template <class Rows>
auto all_of(const Rows& rows) {
  return std::vector(std::begin(rows), std::end(rows));
}

}  // namespace

const Engine* find_engine(const Catalog& catalog, std::string_view name) {
  const auto found = std::ranges::find(catalog.engines, name, &Engine::name);
  return found == catalog.engines.end() ? nullptr : *found;
}

Catalog make_catalog(const AddRows& add_rows, std::span<const Engine* const> engines) {
  Catalog catalog;
  catalog.engines = all_of(engines);
  catalog.balancers = all_of(balancers());
  catalog.strategies = all_of(strategies());
  catalog.workloads = all_of(workloads());
  catalog.wants = all_of(wants());
  catalog.speedups = all_of(speedups());
  catalog.walkers = all_of(walkers());
  catalog.costs = all_of(cost_models());
  catalog.measurements = all_of(measurement_kinds());
  catalog.operations = all_of(collective_operations());
  if (add_rows) add_rows(catalog);
  check_added(catalog);
  name_rows(catalog);
  return catalog;
}

}  // namespace regroup
