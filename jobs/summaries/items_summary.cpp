// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>

#include "jobs/summaries/summaries.hpp"
#include "jobs/words/describe.hpp"
#include "jobs/words/text_table.hpp"
#include "kernel/numbers/parse.hpp"

namespace regroup {
namespace {

/// Group sizes by the time of an item, and how much faster than one rank the group is.
std::string sizes(const Setting& setting) {
  const auto time_of = [&](const std::string& size) {
    return setting.median("time_median_s", {{"group_size", size}});
  };
  const auto alone = time_of("1");
  const int cores = setting.records.front()->outcome->where.cores;
  bool exceeded = false;
  std::vector<Cells> rows{{"group_size", "time of an item", "speed-up", "efficiency", ""}};
  for (const std::string& size : setting.values("group_size")) {
    const auto time = time_of(size);
    if (!time) continue;
    const auto interval = setting.interval("time", {{"group_size", size}});
    Cells& row = rows.emplace_back(Cells{
        size, interval ? in_fitting_unit(*time, *interval) : in_fitting_unit(*time), "", "", ""});
    const int members = parse<int>(size).value();
    if (alone && *time > 0) {
      row[2] = fmt::format("{:.2f}", *alone / *time);
      row[3] = fmt::format("{:.0f} %", 100 * *alone / *time / members);
    }
    if (members > cores) row[4] = "more members than cores";
    exceeded = exceeded || members > cores;
  }
  std::string text = text_table(rows, {4});
  if (exceeded) {
    text += fmt::format(
        "Members share {} cores where they are more: such times are of this machine, and no larger "
        "one.\n",
        cores);
  }
  if (alone) {
    text +=
        fmt::format("In a run: item_ms {:.6g}, with the speed-up model measured\n", 1000 * *alone);
  }
  return text;
}

}  // namespace

std::string items_summary(const MeasurementKind& kind, const std::vector<Record>& records) {
  std::string text;
  for (const Setting& setting : by_setting(kind, records, {"group_size"})) {
    text += fmt::format("\n== {}\n{}", setting.title, sizes(setting));
  }
  return text;
}

}  // namespace regroup
