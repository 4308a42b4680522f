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

/// Messages of tasks that are ok nevertheless: the processes did not end after they had written
/// results, and were killed; or the launcher reported an error afterwards; or processes were
/// stopped for a while and continued.
inline constexpr std::string_view hung_at_its_end =
    "all items were executed, but the processes did not end";
inline constexpr std::string_view failed_at_its_end = "all items were executed, but then: ";
inline constexpr std::string_view suspended =
    "all items were executed, but processes were stopped for a while, which is part of the times";

/// How a task ended.
struct Ending {
  Status status = Status::ok;
  std::string message = {};               ///< why it did not end well, or an error after its end
  double wall_s = 0;                      ///< of the whole, launch and end included
  std::string began = {};                 ///< when it was launched, in UTC; empty where simulated
  double memory_mb = 0;                   ///< of the virtual engine; 0: not measured
  EventDetail events = EventDetail::all;  ///< what is written of it
};

/// A task that has ended, with what came out of it where it ended well.
struct Finished {
  Task task;
  Ending ending;
  std::optional<Outcome> outcome;
};

/// How well the chains of a run agree, in the form that the run has; 0 where there is no figure.
struct Agreement {
  double r_hat = 0;              ///< of the draws
  double effective_samples = 0;  ///< … too
  double batch_r_hat = 0;        ///< of the reports, where draws are not kept
  double batch_effective_samples = 0;
  std::string worst_quantity;
};

/// A row of the results. What has no meaning is 0 or empty and becomes an empty cell.
struct Record {
  Task task;
  std::string run;     ///< its fingerprint, as read
  int invocation = 0;  ///< of the command that wrote it (provenance.hpp)
  Ending ending;
  Outcome outcome;  ///< of a row that was read: what the row has of it

  // Of runs; all of it follows from the task and its outcome.
  std::string problem;
  double ideal_s = 0;
  double bound_s = 0;
  double makespan_s = 0;
  RegroupStatistics regroups;
  RegroupEffects effects;   ///< of a row that was read: probes and undone
  LossStatistics losses;    ///< of a row that was read: without which ranks
  Convergence convergence;  ///< not of a row that was read
  Agreement agreement;
  int chains_failed = 0;

  bool ok() const { return ending.status == Status::ok; }
};

Record record_of(Finished finished);

struct ColumnHelp {
  std::string name;  ///< with its unit
  std::string type;  ///< "integer", "number", "text" or the words that are allowed: "yes | no"
  std::string help;
};

/// The names of columns.
template <class Columns>
std::vector<std::string> names_of(const Columns& columns) {
  std::vector<std::string> names;
  for (const ColumnHelp& column : columns) names.push_back(column.name);
  return names;
}

/// A column of the file with a row for each task.
struct Column : ColumnHelp {
  std::function<std::string(const Record& record)> write;
  /// Throws std::invalid_argument where `cell` is not a valid value of it.
  std::function<void(Record& record, const std::string& cell)> read;
};

/// The columns of measurements of `kind`; of runs where it is nullptr.
std::vector<Column> columns_of(const MeasurementKind* kind, const Catalog& catalog);

/// "runs.csv", "creation.csv": the file with a row for each of them.
std::string file_of(const MeasurementKind* kind);

/// The kinds of results that there can be: runs, which are nullptr, and each kind of measurement.
std::vector<const MeasurementKind*> kinds_of_results(const Catalog& catalog);

/// The kind of the results in `directory`; nullptr where they are of runs. Throws UserError where
/// there are none.
const MeasurementKind* kind_in(const std::string& directory, const Catalog& catalog);

/// Calls `visit` with each row of results of `kind` in `directory`, or with the first `most` of
/// them. Throws UserError, with file and line, where they are of another schema or a row cannot be
/// read.
void each_record(const std::string& directory, const MeasurementKind* kind, const Catalog& catalog,
                 const std::function<void(const CsvRow& row, Record record)>& visit,
                 std::optional<std::size_t> most = std::nullopt);

/// Conditions KEY=VALUE[,VALUE…], all of which results must meet (keys.hpp).
using Where = std::vector<std::string>;

/// Those that meet `where`. Throws UserError also for conditions that none meets.
std::vector<Record> read_records(const std::string& directory, const MeasurementKind* kind,
                                 const Catalog& catalog, const Where& where = {});

[[noreturn]] void fail_in_row(const CsvRow& row, const std::string& what);

}  // namespace regroup
