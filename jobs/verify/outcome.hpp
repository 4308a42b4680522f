// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "jobs/catalog/scenario.hpp"
#include "kernel/outcome.hpp"

namespace regroup {

/// What a row tells as a fact of its own must fit the engine, the strategy and the walker all the
/// same: tells `wrong` what does not.
void check_facts(const Scenario& scenario, const Outcome& outcome,
                 const std::function<void(const std::string&)>& wrong);

/// A report that cannot be, and its place among them.
struct WrongReport {
  std::size_t place;
  std::string what;
};

/// Reports come chain by chain, of growing numbers of items: every `every`th, and the last of each.
/// `items`: what the walkers of this run executed; where it is `resumed`, beside what was before.
std::optional<WrongReport> find_wrong_report(std::span<const ChainReport> reports, int every,
                                             std::span<const std::int64_t> items, bool resumed);

}  // namespace regroup
