// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/files/csv.hpp"
#include "kernel/regroup_statistics.hpp"
#include "library/task.hpp"
#include "regroup/catalog.hpp"
#include "regroup/measurement.hpp"
#include "regroup/outcome.hpp"

namespace regroup {

enum class Status { ok, failed, timeout, killed, unsupported };
inline constexpr std::array<std::string_view, 5> status_words{"ok", "failed", "timeout", "killed",
                                                              "unsupported"};
inline std::string_view name(Status status) {
  return status_words.at(static_cast<std::size_t>(status));
}

/// Messages of tasks with status `ok`: the processes wrote their results but did not end, and were
/// killed; the launcher reported an error afterwards; processes were stopped and continued.
inline constexpr std::string_view hung_at_its_end =
    "all items were executed, but the processes did not end";
inline constexpr std::string_view failed_at_its_end = "all items were executed, but then: ";
inline constexpr std::string_view suspended =
    "all items were executed, but processes were stopped for a while, which is part of the times";

/// How a task ended.
struct Ending {
  Status status = Status::ok;
  std::string message = {};  ///< reason if it did not end well, or an error after its end
  double wall_s = 0;         ///< duration, including launch and exit
  std::string began = {};    ///< time of the launch, in UTC; empty if simulated
  double memory_mb = 0;      ///< of the virtual engine; 0: not measured
  EventDetail events = EventDetail::all;  ///< what is stored about groups
};

/// A task that has ended, with its outcome if it ended well.
struct Finished {
  Task task;
  Ending ending;
  std::optional<Outcome> outcome;
};

/// The agreement of the chains of a run, from draws or from reports; 0 if a figure is unknown.
struct Agreement {
  double r_hat = 0;              ///< of the draws
  double effective_samples = 0;  ///< of the draws
  double batch_r_hat = 0;        ///< of the reports, if draws are not kept
  double batch_effective_samples = 0;
  std::string worst_quantity;
};

/// A row of the results. Values that do not apply are 0 or empty and become empty cells.
struct Record {
  Task task;
  std::string run;     ///< its fingerprint, as read
  int invocation = 0;  ///< of the command that wrote it (provenance.hpp)
  Ending ending;
  Outcome outcome;  ///< if read from a row: only the members that the row contains

  // Only for runs; derived from the task and its outcome.
  std::string problem;
  double ideal_s = 0;
  double bound_s = 0;
  double makespan_s = 0;
  RegroupStatistics regroups;
  RegroupEffects effects;   ///< if read from a row: only probes and undone
  LossStatistics losses;    ///< if read from a row: without the set of lost ranks
  Convergence convergence;  ///< empty if read from a row
  Agreement agreement;
  int chains_failed = 0;

  bool ok() const { return ending.status == Status::ok; }
};

Record record_of(Finished finished);

struct ColumnHelp {
  std::string name;  ///< with the unit
  std::string type;  ///< "integer", "number", "text" or the allowed words: "yes | no"
  std::string help;
};

template <class Columns>
std::vector<std::string> names_of(const Columns& columns) {
  std::vector<std::string> names;
  for (const ColumnHelp& column : columns) names.push_back(column.name);
  return names;
}

/// A column of the file with a row for each task.
struct Column : ColumnHelp {
  std::function<std::string(const Record& record)> write;
  /// Throws std::invalid_argument if `cell` is not a valid value of the column.
  std::function<void(Record& record, const std::string& cell)> read;
};

/// Returns the columns of measurements of `kind`, or of runs if it is nullptr.
std::vector<Column> columns_of(const MeasurementKind* kind, const Catalog& catalog);

/// Returns the name of the file with a row for each task: "runs.csv", "creation.csv".
std::string file_of(const MeasurementKind* kind);

/// Returns all kinds of results: nullptr for runs, then each kind of measurement.
std::vector<const MeasurementKind*> kinds_of_results(const Catalog& catalog);

/// Returns the kind of the results in `directory`; nullptr for runs. Throws UserError if there are
/// no results.
const MeasurementKind* kind_in(const std::string& directory, const Catalog& catalog);

/// Calls `visit` with each row of results of `kind` in `directory`, or with the first `most` rows.
/// Throws UserError, with file and line, if their schema differs or a row is invalid.
void each_record(const std::string& directory, const MeasurementKind* kind, const Catalog& catalog,
                 const std::function<void(const CsvRow& row, Record record)>& visit,
                 std::optional<std::size_t> most = std::nullopt);

/// Conditions KEY=VALUE[,VALUE…] (keys.hpp). Results must meet all of them.
using Where = std::vector<std::string>;

/// Returns the records that meet `where`. Throws UserError also if no record meets a condition.
std::vector<Record> read_records(const std::string& directory, const MeasurementKind* kind,
                                 const Catalog& catalog, const Where& where = {});

[[noreturn]] void fail_in_row(const CsvRow& row, const std::string& what);

}  // namespace regroup
