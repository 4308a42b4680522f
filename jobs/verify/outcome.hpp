// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "jobs/catalog/scenario.hpp"
#include "jobs/results/run_logs.hpp"
#include "jobs/results/sample_rows.hpp"
#include "kernel/outcome.hpp"

namespace regroup {

/// What a row tells as a fact of its own must fit the engine, the strategy and the walker all the
/// same: tells `wrong` what does not.
void check_facts(const Scenario& scenario, const Outcome& outcome,
                 const std::function<void(const std::string&)>& wrong);

/// A row that cannot be, and its place among those of the run.
struct WrongRow {
  std::size_t place;
  std::string what;
};

/// Reports come chain by chain, of growing numbers of items: every `every`th, and the last of each.
/// `items`: what the walkers of this run executed; where it is `resumed`, beside what was before.
std::optional<WrongRow> find_wrong_report(std::span<const ChainReport> reports, int every,
                                          std::span<const std::int64_t> items, bool resumed);

/// Rows of regroups.csv: numbers of regroupings ascend, and each has processes.
using RegroupRows = std::vector<std::pair<std::int64_t, std::int64_t>>;
/// `right`: what they must tell.
std::optional<WrongRow> find_wrong_regroups(const RegroupRows& rows, const Regroups& right);
/// Where nothing else tells: in all they have so many processes.
std::optional<WrongRow> find_wrong_regroups(const RegroupRows& rows, int ranks);

/// Rows of samples.csv come time by time. `samples`: how many were taken of each, of which those
/// are there that are kept.
std::optional<WrongRow> find_wrong_samples(std::span<const SampleRow> rows, std::size_t samples);

}  // namespace regroup
