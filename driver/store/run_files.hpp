// SPDX-License-Identifier: BSD-3-Clause
//
// The files beside that with a row for each task: the groups of runs, how many processes regrouped
// how often, what chains reported, samples of measurements, and where runs were executed.
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
  std::vector<ColumnHelp> columns;  ///< of which the first is `run`
};

/// The files of results of measurements of `kind`, or of runs where it is nullptr. The first has a
/// row for each task.
std::vector<TableFile> files_of(const MeasurementKind* kind, const Catalog& catalog);

/// Throws UserError where those in `directory` have other columns than `tables`.
void check_columns(const std::string& directory, std::span<const TableFile> tables);

/// The lines that `record` adds to each of them, in that order. `columns`: of the first.
std::vector<std::string> lines_of(const Record& record, const std::vector<Column>& columns);

/// Number of regroupings → processes.
using Regroups = std::map<std::int64_t, std::int64_t>;

// What a row tells. All throw UserError with its line where it cannot be.

GroupLife life_of(const CsvRow& row);                                  ///< of events.csv
std::pair<std::int64_t, std::int64_t> regroups_of(const CsvRow& row);  ///< of regroups.csv

/// A chain's report of one quantity, or its failure.
struct ReportRow {
  int chain = 0;
  std::int64_t items = 0;
  std::string quantity;
  Moments moments;
  std::uint64_t hash = 0;
  std::string reason;  ///< for its failure; else empty
};
ReportRow report_in(const CsvRow& row);  ///< of chains.csv

struct SampleRow {
  std::string time;  ///< that was sampled
  Sample sample;
};
SampleRow sample_in(const CsvRow& row);  ///< of samples.csv

/// Why events.csv has nothing of a run, which ended well, and how to have it written; empty where
/// it has.
std::string why_without_events(const Record& run);

// draws/RUN/chain_N.csv: the draws of chain N of a run that keeps them, as CmdStan writes them.

struct DrawsFile {
  int chain = 0;
  std::string text;
  std::int64_t draws = 0;
};

/// The file in `directory` with those of a chain of the run with this fingerprint.
std::string draws_path(const std::string& directory, std::string_view run, int chain);

/// Of a run that has ended well; none where it keeps none.
std::vector<DrawsFile> draws_files(const Record& record);

/// The draws in the text of such a file, as ChainReport::draws has them: of the quantities `names`.
/// Throws std::invalid_argument where it is no such text.
std::vector<double> draws_in(std::string_view text, std::span<const std::string_view> names);

// places/PLACEMENT.yaml: where runs were executed.

struct PlaceFile {
  std::string placement;  ///< hash of what is no property of the job; empty where simulated
  std::string text;

  std::string name() const { return "places/" + placement + ".yaml"; }
};

PlaceFile place_file(const Place& place);

/// The placement that a file with this `text` is about.
std::string placement_in(std::string_view text);

}  // namespace regroup
