// SPDX-License-Identifier: BSD-3-Clause
//
// The result files besides the table of tasks: groups of runs, regroupings per process, reports and
// draws of chains, samples of measurements, and the places where runs were executed.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driver/store/record.hpp"
#include "kernel/files/csv.hpp"
#include "regroup/outcome.hpp"

namespace regroup {

struct TableFile {
  std::string name;
  std::vector<ColumnHelp> columns;  ///< the first is `run`
};

/// Returns the result files of measurements of `kind`, or of runs if it is nullptr. The first file
/// has a row for each task.
std::vector<TableFile> files_of(const MeasurementKind* kind, const Catalog& catalog);

/// Throws UserError if a file in `directory` has other columns than its entry in `tables`.
void check_columns(const std::string& directory, std::span<const TableFile> tables);

/// Returns the text that `record` adds to each file of files_of(). `columns`: of the first file.
std::vector<std::string> lines_of(const Record& record, const std::vector<Column>& columns);

/// Number of processes by number of regroupings.
using Regroups = std::map<std::int64_t, std::int64_t>;

// Parsers of rows. All throw UserError, with the line, if the row is invalid.

GroupLife life_of(const CsvRow& row);                                  ///< of events.csv
std::pair<std::int64_t, std::int64_t> regroups_of(const CsvRow& row);  ///< of regroups.csv

/// A chain's report of one quantity, or its failure.
struct ReportRow {
  int chain = 0;
  std::int64_t items = 0;
  std::string quantity;
  Moments moments;
  std::uint64_t hash = 0;
  std::string reason;  ///< of the failure; empty for a report
};
ReportRow report_in(const CsvRow& row);  ///< of chains.csv

struct SampleRow {
  std::string time;  ///< name of the sampled time
  Sample sample;
};
SampleRow sample_in(const CsvRow& row);  ///< of samples.csv

/// Explains why events.csv has no rows of `run`, which ended well, and how to store them. Returns
/// an empty string if it has them.
std::string why_without_events(const Record& run);

// draws/RUN/chain_N.csv: the draws of chain N of a run that keeps draws, in the format of CmdStan.

struct DrawsFile {
  int chain = 0;
  std::string text;
  std::int64_t draws = 0;
};

/// Returns the path of the draws of a chain; `run` is the fingerprint of the run.
std::string draws_path(const std::string& directory, std::string_view run, int chain);

/// Returns the files of a run that ended well; none if it keeps no draws.
std::vector<DrawsFile> draws_files(const Record& record);

/// Parses such a file. Returns the draws of the quantities `names`, in the layout of
/// ChainReport::draws. Throws std::invalid_argument if the text is invalid.
std::vector<double> draws_in(std::string_view text, std::span<const std::string_view> names);

// places/PLACEMENT.yaml: where runs were executed.

struct PlaceFile {
  std::string placement;  ///< hash of all properties except those of the job; empty if simulated
  std::string text;

  std::string name() const { return "places/" + placement + ".yaml"; }
};

PlaceFile place_file(const Place& place);

/// Returns the placement that a file with this `text` describes.
std::string placement_in(std::string_view text);

}  // namespace regroup
