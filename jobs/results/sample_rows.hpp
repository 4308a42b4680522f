// SPDX-License-Identifier: BSD-3-Clause
//
// samples.csv, beside the file of a kind of measurement: the times that its figures are made of.
#pragma once

#include <string>
#include <vector>

#include "jobs/records/columns.hpp"
#include "kernel/files/csv_reader.hpp"
#include "kernel/outcome.hpp"

namespace regroup {

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
