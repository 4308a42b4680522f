// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/version.hpp"
#include "kernel/files/csv.hpp"
#include "kernel/numbers/parse.hpp"
#include "kernel/text/plain_text.hpp"
#include "library/task.hpp"
#include "regroup/outcome.hpp"

namespace regroup {

enum class Status { ok, failed, timeout, killed, unsupported };
inline constexpr std::array<std::string_view, 5> status_words{"ok", "failed", "timeout", "killed",
                                                              "unsupported"};
std::string_view name(Status status);
/// The status called `text`, where there is one.
std::optional<Status> status_named(std::string_view text);

/// The messages of what is ok nevertheless: the results were there, but the processes had not ended
/// a while later, and were killed; or they ended, and the launcher says that not all was well.
inline constexpr std::string_view hung_at_its_end = "all was done, but its processes did not end";
inline constexpr std::string_view quarrelled_at_its_end = "all was done, but then: ";

/// How a run, or a measurement, ended.
struct Ended {
  Status status = Status::ok;
  std::string message;     ///< why it did not end well, or what went wrong after the end
  double wall_s = 0;       ///< of the whole, launch and end included
  std::string began = {};  ///< when it was launched, in UTC; empty where it was not
};

/// What is wrong with its message, beside its status; empty where nothing is.
std::string_view complaint_about_message(const Ended& ended);

/// One task with what came out of it: a row of the file of its kind.
struct Record : Ended {
  Scenario task;
  std::optional<Outcome> outcome;         ///< where it ended well
  EventDetail events = EventDetail::all;  ///< what is written of it
  double memory_mb = 0;                   ///< most that a run in virtual time took; 0: not measured
  std::string version{regroup::version};  ///< of the command that executed it
  bool whole = true;       ///< all parameters could be read back; without: some are as is usual
  std::string invocation;  ///< what is unlike other invocations, where it was read back
};

[[noreturn]] inline void fail_in_row(const CsvRow& row, const std::string& what) {
  throw UserError(fmt::format("{}:{}: {}", row.path, row.line, what));
}

/// A cell as a number. Throws UserError, with the line, where it is none.
template <class Number>
Number number(const CsvRow& row, std::size_t column) {
  const std::string& text = row.fields[column];
  if (const auto value = parse<Number>(text)) return *value;
  fail_in_row(row, fmt::format("'{}' is no number for {}", text, row.columns[column]));
}

template <class Number>
Number number(const CsvRow& row, std::string_view column) {
  return number<Number>(row, row.column(column));
}

/// What a row of the file of `kind` tells: the task with those figures that are facts of their own;
/// the lives of a run are in another file. Its `inputs` are what the row says, or nothing where an
/// older version of regroup wrote it; likewise its parameters are as is usual where there is no
/// column. Throws UserError with the line where a value cannot be.
Record stored_record(const CsvRow& row, std::string_view kind);

/// Calls `visit` with every row of the file of `kind` in a directory of results, and with what it
/// tells, the name of its invocation included.
void each_stored(const std::string& directory, std::string_view kind,
                 const std::function<void(const CsvRow& row, Record record)>& visit);

/// What all of them tell.
std::vector<Record> stored_records(const std::string& directory, std::string_view kind);

}  // namespace regroup
