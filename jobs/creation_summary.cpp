// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>

#include "jobs/creation_claims.hpp"
#include "jobs/describe.hpp"
#include "jobs/summaries.hpp"
#include "jobs/text_table.hpp"

namespace regroup {
namespace {

std::string cell(const Setting& setting, const std::string& figure, const std::string& pattern,
                 const std::string& strategy, const std::string& group_size) {
  const auto found = setting.median(
      figure, {{"pattern", pattern}, {"strategy", strategy}, {"group_size", group_size}});
  return found ? in_fitting_unit(*found) : "";
}

bool has_no_figures(const Cells& row, std::size_t texts) {
  return std::all_of(row.begin() + static_cast<std::ptrdiff_t>(texts), row.end(),
                     [](const std::string& text) { return text.empty(); });
}

/// Strategies by group sizes, for one group; empty where nobody has this figure.
std::string one_group(const Setting& setting, std::string_view title, const std::string& figure) {
  std::vector<std::string> sizes = setting.values("group_size");
  std::erase_if(sizes, [&](const std::string& size) {
    return !setting.median(figure, {{"pattern", "one_group"}, {"group_size", size}});
  });
  if (sizes.empty()) return {};
  std::vector<Cells> rows{{"strategy"}};
  rows.front().insert(rows.front().end(), sizes.begin(), sizes.end());
  for (const std::string& strategy : setting.values("strategy")) {
    Cells row{strategy};
    for (const std::string& size : sizes) {
      row.push_back(cell(setting, figure, "one_group", strategy, size));
    }
    if (!has_no_figures(row, 1)) rows.push_back(std::move(row));
  }
  return fmt::format("\n{}, by group size\n{}", title, text_table(rows, {0}));
}

/// The other patterns by strategies.
std::string other_patterns(const Setting& setting) {
  std::vector<std::string> columns;
  for (const std::string& strategy : setting.values("strategy")) {
    const auto there = [&](const MeasurementRecord* record) {
      const Options& options = record->measurement.parameters;
      return options.text("strategy") == strategy && options.text("pattern") != "one_group";
    };
    if (std::ranges::any_of(setting.records, there)) columns.push_back(strategy);
  }
  std::vector<Cells> rows{{"pattern", "group_size"}};
  rows.front().insert(rows.front().end(), columns.begin(), columns.end());
  for (const std::string& pattern : setting.values("pattern")) {
    if (pattern == "one_group") continue;
    for (const std::string& size : setting.values("group_size")) {
      Cells row{pattern, size};
      for (const std::string& strategy : columns) {
        row.push_back(cell(setting, "create_median_s", pattern, strategy, size));
      }
      if (!has_no_figures(row, 2)) rows.push_back(std::move(row));
    }
  }
  if (rows.size() == 1) return {};
  return fmt::format("\nTime to create, other patterns\n{}", text_table(rows, {0}));
}

}  // namespace

std::string creation_summary(const MeasurementKind& kind,
                             const std::vector<MeasurementRecord>& records) {
  std::string text;
  for (const Setting& setting : by_setting(kind, records, {"strategy", "pattern", "group_size"})) {
    text += fmt::format("\n== {}: medians\n", setting.title);
    text += one_group(setting, "Time to create one group", "create_median_s");
    text += one_group(setting, "Time to free it", "free_median_s");
    text += fastest_constructors(setting);
    text += crossovers(setting);
    text += guidelines(setting);
    text += range_gain(setting);
    text += one_group(setting, "What a rank outside loses by one creation", "bystander_s");
    text += bystander_losses(setting);
    text += one_group(setting, "Time to create while ranks outside execute items", "busy_create_s");
    text += one_group(setting, "Time to create where one member comes late, minus its delay",
                      "late_create_s");
    text += other_patterns(setting);
  }
  return text;
}

}  // namespace regroup
