// SPDX-License-Identifier: BSD-3-Clause
#include "driver/store/without_events.hpp"

#include <fmt/format.h>

#include "kernel/files/files.hpp"
#include "kernel/text/plain_text.hpp"
#include "library/task.hpp"

namespace regroup {

std::string why_without_events(const CsvRow& row) {
  // Earlier versions wrote all of them.
  const std::string told = row.has("events") ? row["events"] : "";
  if (told.empty() || told == name(EventDetail::all)) return {};
  return fmt::format(
      "of run {} the groups were not written (its column 'events' says {}); the key 'events: all' "
      "has them written, as by --set events=all",
      one_line(row["run"]), one_line(told));
}

std::string why_without_events(const std::string& directory, const std::string& run) {
  const std::string path = directory + "/runs.csv";
  if (!file_exists(path)) return {};
  std::string why;
  CsvReader reader(path);
  while (reader.next()) {
    const CsvRow row = reader.row();
    if (row["status"] == "ok" && (run.empty() || row["run"] == run)) why = why_without_events(row);
  }
  return why;
}

}  // namespace regroup
