// SPDX-License-Identifier: BSD-3-Clause
#include "library/catalog.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <list>
#include <stdexcept>
#include <utility>

#include "balancers/balancers.hpp"
#include "measurements/sorts.hpp"
#include "regroup/catalog.hpp"
#include "walkers/walkers.hpp"

namespace regroup {
namespace {

template <class... Arguments>
[[noreturn]] void refuse(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  throw std::invalid_argument(fmt::format(text, std::forward<Arguments>(arguments)...));
}

/// As names stand in configurations and results.
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
  if (!wrong.empty()) refuse("{} has an option whose usual value is none: {}", row, wrong);
}

/// `whole` tells whether a row brings along all that will be called.
template <class Row, class Whole>
void check_rows(std::string_view what, const std::vector<Row>& rows, const std::vector<Row>& before,
                Whole whole) {
  const auto same_name = [](const Row& a, const Row& b) { return a.name == b.name; };
  if (rows.size() < before.size() ||
      !std::equal(before.begin(), before.end(), rows.begin(), same_name)) {
    refuse("the list of rows of the kind {} has lost some; allowed: to add some at its end", what);
  }
  for (std::size_t i = before.size(); i < rows.size(); ++i) {
    const Row& row = rows[i];
    const std::string called = fmt::format("{} '{}'", what, row.name);
    if (!is_word(row.name)) refuse("{} was added; allowed in its name: a-z, 0-9 and _", called);
    if (find_entry(rows, row.name) != &row) {
      refuse("{} was added, whose name another one has; allowed: any other name", called);
    }
    if (!whole(row)) refuse("{} was added without its code; allowed: no function missing", called);
    if constexpr (requires { row.options; }) {
      for (const OptionSpec& option : row.options) check_option(called, option);
    }
  }
}

template <class Row>
void check_none(std::string_view what, const std::vector<Row>& rows,
                const std::vector<Row>& before) {
  if (rows.size() > before.size()) refuse("to the list of {} nothing can be added", what);
}

}  // namespace

void check_added(const Catalog& extended, const Catalog& before) {
  const auto made = [](const auto& row) { return row.make != nullptr; };
  check_rows("balancer", extended.balancers, before.balancers,
             [](const BalancerEntry& row) { return row.make != nullptr && row.draws != nullptr; });
  check_rows("strategy", extended.strategies, before.strategies, made);
  check_rows("workload", extended.workloads, before.workloads,
             [](const WorkloadEntry& row) { return row.items != nullptr; });
  check_rows("wants", extended.wants, before.wants,
             [](const WantsEntry& row) { return row.of != nullptr; });
  check_rows("speed-up", extended.speedups, before.speedups, made);
  check_rows("walker", extended.walkers, before.walkers, [](const WalkerEntry& row) {
    return row.make != nullptr && row.state_bytes != nullptr;
  });
  check_rows("cost model", extended.costs, before.costs, made);
  check_none("engines", extended.engines, before.engines);
  check_none("measurements", extended.measurements, before.measurements);
  check_none("patterns", extended.patterns, before.patterns);
}

void name_in_measurements(Catalog& catalog) {
  // Rows borrow their options, and these their words: here they stay.
  static std::list<std::vector<std::string_view>> words;
  static std::list<std::vector<OptionSpec>> options;
  auto& names = words.emplace_back();
  for (const Strategy& strategy : catalog.strategies) names.push_back(strategy.name);
  const auto& sorts = words.emplace_back(ways_to_sort(catalog.strategies));
  for (MeasurementKind& kind : catalog.measurements) {
    auto& own = options.emplace_back(kind.options.begin(), kind.options.end());
    for (OptionSpec& option : own) {
      if (option.name != "communicator") continue;
      option.words = kind.name == "sort" ? sorts : names;
    }
    kind.options = own;
  }
}

namespace {

template <class Rows>
auto all(const Rows& rows) {
  return std::vector(std::begin(rows), std::end(rows));
}

Catalog& lists() {
  static Catalog catalog{all(engines()),   all(balancers()),   all(strategies()),
                         all(workloads()), all(wants()),       all(speedups()),
                         all(walkers()),   all(cost_models()), all(measurement_kinds()),
                         all(patterns())};
  return catalog;
}

}  // namespace

const Catalog& standard_catalog() { return lists(); }

void extend_catalog(AddRows add_rows) {
  Catalog extended = lists();
  add_rows(extended);
  check_added(extended, lists());
  name_in_measurements(extended);
  lists() = std::move(extended);
}

namespace {

constexpr std::array rows{
    EngineEntry{{"mpi", "real MPI processes, wall clock", {}},
                "wall",
                largest_world,
                /*real=*/true},
    EngineEntry{{"virtual", "the same balancers driven by events in virtual time, no MPI", {}},
                "virtual",
                largest_world,
                /*real=*/false,
                /*exact=*/true},
    EngineEntry{{"simgrid",
                 "the MPI program on SimGrid: all ranks in one process, virtual time; what SimGrid "
                 "lacks becomes rows with status unsupported",
                 {}},
                "simgrid",
                1 << 16},  // each rank's stack is a mapping, of which Linux allows so many
};

}  // namespace

std::span<const EngineEntry> engines() { return rows; }

}  // namespace regroup
