// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "jobs/summaries/summaries.hpp"
#include "jobs/words/describe.hpp"
#include "jobs/words/text_table.hpp"

namespace regroup {
namespace {

/// Operations and elements by communicators. Native is what is not range: where there are several,
/// the fastest.
std::string operations(const Setting& setting) {
  const std::vector<std::string> communicators = setting.values("communicator");
  std::vector<Cells> rows{{"operation", "elements_per_rank"}};
  rows.front().insert(rows.front().end(), communicators.begin(), communicators.end());
  rows.front().push_back("range / native");
  for (const std::string& operation : setting.values("operation")) {
    for (const std::string& elements : setting.values("elements_per_rank")) {
      Cells row{operation, elements};
      std::optional<double> range;
      std::optional<double> native;
      for (const std::string& communicator : communicators) {
        const auto time = setting.median("time_median_s", {{"operation", operation},
                                                           {"elements_per_rank", elements},
                                                           {"communicator", communicator}});
        row.push_back(time ? in_fitting_unit(*time) : "");
        if (!time) continue;
        if (communicator == "range") {
          range = time;
        } else if (!native || *time < *native) {
          native = time;
        }
      }
      if (!range && !native) continue;
      row.push_back(range && native && *native > 0 ? fmt::format("{:.2f}", *range / *native) : "");
      rows.push_back(std::move(row));
    }
  }
  return rows.size() == 1 ? "" : text_table(rows, {0});
}

}  // namespace

std::string collectives_summary(const MeasurementKind& kind, const std::vector<Record>& records) {
  std::string text;
  for (const Setting& setting :
       by_setting(kind, records, {"operation", "elements_per_rank", "communicator"})) {
    text += fmt::format("\n== {}\n{}", setting.title, operations(setting));
  }
  return text;
}

}  // namespace regroup
