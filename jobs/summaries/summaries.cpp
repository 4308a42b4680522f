// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/summaries/summaries.hpp"

#include <fmt/format.h>

#include <array>

#include "jobs/records/stored.hpp"
#include "jobs/words/describe.hpp"
#include "jobs/words/text_table.hpp"

namespace regroup {
namespace {

struct Summary {
  std::string_view kind;
  std::string (*text)(const MeasurementKind& kind, const std::vector<Record>& records);
};

constexpr std::array summaries{Summary{"creation", creation_summary},
                               Summary{"collectives", collectives_summary},
                               Summary{"steps", steps_summary}, Summary{"items", items_summary},
                               Summary{"sort", sort_summary}};

}  // namespace

/// Group sizes by figures.
std::string steps_summary(const MeasurementKind& kind, const std::vector<Record>& records) {
  std::string text;
  for (const Setting& setting : by_setting(kind, records, {"group_size"})) {
    std::vector<Cells> rows{{"group_size"}};
    for (const Figure& figure : kind.figures) rows.front().emplace_back(figure.name);
    for (const std::string& size : setting.values("group_size")) {
      Cells& row = rows.emplace_back(Cells{size});
      for (const Figure& figure : kind.figures) {
        const auto found = setting.median(std::string(figure.name), {{"group_size", size}});
        row.push_back(found ? in_fitting_unit(*found) : "");
      }
    }
    text += fmt::format("\n== {}\n{}", setting.title, text_table(rows, {}));
  }
  return text;
}

void print_summary(const MeasurementKind& kind, const std::string& directory) {
  const std::vector<Record> records = stored_records(directory, kind.name);
  std::string text;
  for (const Summary& summary : summaries) {
    if (summary.kind == kind.name) text = summary.text(kind, records);
  }
  fmt::print("{}", text.empty() ? "\nno measurement ended well\n" : text);
  const std::string rest = left_out(records);
  if (!rest.empty()) fmt::print("\nLeft out\n{}", rest);
}

}  // namespace regroup
