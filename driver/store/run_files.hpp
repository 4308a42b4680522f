// SPDX-License-Identifier: BSD-3-Clause
//
// The files beside runs.csv: what the groups of a run did, and how many processes regrouped how
// often, and what its chains observed.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "driver/store/columns.hpp"
#include "kernel/files/csv.hpp"
#include "regroup/outcome.hpp"

namespace regroup {

std::vector<ResultColumn> event_columns();
std::vector<ResultColumn> regroup_columns();
std::vector<ResultColumn> chain_columns();

/// Number of regroupings → processes.
using Regroups = std::map<std::int64_t, std::int64_t>;

/// The rows of the run `id`.
std::string event_lines(const std::string& id, std::span<const GroupLife> lives);
std::string chain_lines(const std::string& id, std::span<const ChainReport> reports);
std::string regroup_lines(const std::string& id, const Regroups& processes);

/// What a row tells. Throws UserError with its line where it cannot be.
GroupLife life_of(const CsvRow& row);
ChainReport report_in(const CsvRow& row);
std::pair<std::int64_t, std::int64_t> regroups_of(const CsvRow& row);

// samples.csv, beside the file of a kind of measurement: the times that its figures are made of.

inline constexpr const char* samples_file = "samples.csv";
std::vector<ResultColumn> sample_columns();

/// The rows of the measurement `id`. Throws std::invalid_argument where a time is none that is
/// sampled (sampled.hpp).
std::string sample_lines(const std::string& id, const Samples& samples);

/// What a row tells. Throws UserError with its line where it cannot be.
struct SampleRow {
  std::string figure;  ///< the time
  Sample sample;
};
SampleRow sample_in(const CsvRow& row);

}  // namespace regroup
