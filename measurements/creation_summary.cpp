// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "kernel/text/table.hpp"
#include "kernel/text/units.hpp"
#include "measurements/creation.hpp"
#include "measurements/creation_claims.hpp"

namespace regroup {
namespace {

/// Formats a figure of the measurements with these options; empty if there is none.
using Show = std::string (*)(const MeasuredSetting& setting, const std::string& figure,
                             const Options& options);

std::string show_median(const MeasuredSetting& setting, const std::string& figure,
                        const Options& options) {
  return time_text(setting.median(figure, options));
}

/// Formats "1.20 [0.90, 1.40] ms"; `figure` is NAME_s, its interval is NAME_low_s to NAME_high_s.
std::string show_interval(const MeasuredSetting& setting, const std::string& figure,
                          const Options& options) {
  const auto found = setting.median(figure, options);
  if (!found) return {};
  const auto interval = setting.interval(figure.substr(0, figure.size() - 2), options);
  if (!interval) return in_fitting_unit(*found) + " (too few)";
  return in_fitting_unit(*found, *interval);
}

bool has_no_figures(const Cells& row, std::size_t texts) {
  return std::all_of(row.begin() + static_cast<std::ptrdiff_t>(texts), row.end(),
                     [](const std::string& text) { return text.empty(); });
}

/// Returns a table of strategies by group sizes, for one group; empty if none has this figure.
std::string one_group(const MeasuredSetting& setting, std::string_view title,
                      const std::string& figure, Show show = show_median) {
  std::vector<std::string> sizes = setting.values("group_size");
  std::erase_if(sizes, [&](const std::string& size) {
    return !setting.median(figure, {{"pattern", "one_group"}, {"group_size", size}});
  });
  if (sizes.empty()) return {};
  std::vector<Cells> rows{{"communicator"}};
  rows.front().insert(rows.front().end(), sizes.begin(), sizes.end());
  for (const std::string& strategy : setting.values("communicator")) {
    Cells row{strategy};
    for (const std::string& size : sizes) {
      row.push_back(
          show(setting, figure,
               {{"pattern", "one_group"}, {"communicator", strategy}, {"group_size", size}}));
    }
    if (!has_no_figures(row, 1)) rows.push_back(std::move(row));
  }
  return fmt::format("\n{}, by group size\n{}", title, text_table(rows, {0}));
}

/// Returns a table of the other patterns by strategies.
std::string other_patterns(const MeasuredSetting& setting) {
  std::vector<std::string> columns;
  for (const std::string& strategy : setting.values("communicator")) {
    const auto has_other = [&](const MeasuredSetting::Row& row) {
      return row.options.text("communicator") == strategy &&
             row.options.text("pattern") != "one_group";
    };
    if (std::ranges::any_of(setting.rows(), has_other)) columns.push_back(strategy);
  }
  std::vector<Cells> rows{{"pattern", "group_size"}};
  rows.front().insert(rows.front().end(), columns.begin(), columns.end());
  for (const std::string& pattern : setting.values("pattern")) {
    if (pattern == "one_group") continue;
    for (const std::string& size : setting.values("group_size")) {
      Cells row{pattern, size};
      for (const std::string& strategy : columns) {
        row.push_back(
            show_median(setting, "create_median_s",
                        {{"pattern", pattern}, {"communicator", strategy}, {"group_size", size}}));
      }
      if (!has_no_figures(row, 2)) rows.push_back(std::move(row));
    }
  }
  if (rows.size() == 1) return {};
  return fmt::format("\nTime to create, other patterns\n{}", text_table(rows, {0}));
}

/// Returns a table of simultaneous creations by nonblocking strategies; empty if not measured.
std::string in_flight(const MeasuredSetting& setting) {
  std::vector<Cells> rows{{"communicator", "pattern", "group_size", "alone", "hidden by work"}};
  for (const std::string& strategy : setting.values("communicator")) {
    for (const std::string& pattern : setting.values("pattern")) {
      for (const std::string& size : setting.values("group_size")) {
        const Options of{{"communicator", strategy}, {"pattern", pattern}, {"group_size", size}};
        const auto hidden = setting.median("hidden_fraction", of);
        if (!hidden) continue;
        const auto low = setting.median("hidden_fraction_low", of);
        const auto high = setting.median("hidden_fraction_high", of);
        const std::string interval =
            low && high ? fmt::format(" [{:.0f}, {:.0f}]", 100 * *low, 100 * *high) : " (too few)";
        rows.push_back({strategy, pattern, size, show_interval(setting, "in_flight_s", of),
                        fmt::format("{:.0f}{} %", 100 * *hidden, interval)});
      }
    }
  }
  if (rows.size() == 1) return {};
  return fmt::format(
      "\nTime of all creations that are in flight at once, and the part of it that work of the "
      "same duration hides\n{}",
      text_table(rows, {0, 1}));
}

/// Returns a table of the numbers of communicators that can be alive; empty if not measured.
std::string limits(const MeasuredSetting& setting) {
  constexpr std::array figures{"communicators_limit_local",
                               "communicators_limit_common",
                               "storm_alive",
                               "storm_limit_local",
                               "storm_limit_common",
                               "storm_lost",
                               "storm_leaked"};
  std::vector<Cells> rows{{"communicator", "one process", "all ranks", "alive then",
                           "one process then", "all ranks then", "lost", "leaked"}};
  for (const std::string& strategy : setting.values("communicator")) {
    Cells row{strategy};
    for (const char* figure : figures) {
      const auto found = setting.median(figure, {{"communicator", strategy}});
      row.push_back(
          found ? fmt::format("{:.0f}{}", *found, *found == most_counted ? " or more" : "") : "");
    }
    if (!has_no_figures(row, 1)) rows.push_back(std::move(row));
  }
  if (rows.size() == 1) return {};
  return fmt::format(
      "\nCommunicators that can be alive at a time: at first, then in addition to those that are "
      "alive after random regroupings, and those lost to fragmentation\n{}",
      text_table(rows, {0}));
}

/// Returns the setting with actual group sizes (that of the largest group) for strategies whose
/// groups the machine determines.
MeasuredSetting by_actual_sizes(const MeasuredSetting& setting) {
  std::vector<MeasuredSetting::Row> rows = setting.rows();
  for (MeasuredSetting::Row& row : rows) {
    const auto formed = row.figures.find("formed_ranks_max");
    if (row.strategy->forms != Forms::shared || formed == row.figures.end()) continue;
    row.options.set("group_size", fmt::format("{:.0f}", formed->second));
  }
  return {setting.kind(), std::move(rows), setting.cores(), setting.crowded()};
}

}  // namespace

std::string summarize_creation(const MeasuredSetting& configured) {
  const MeasuredSetting setting = by_actual_sizes(configured);
  return one_group(setting, "Time to create one group", "create_median_s") +
         one_group(setting, "Time to free it", "free_median_s") + fastest_constructors(setting) +
         crossovers(setting) + guidelines(judged(setting)) + range_gain(setting) +
         one_group(setting,
                   "Time that a rank outside loses by one creation, with its 95 % interval",
                   "bystander_s", show_interval) +
         bystander_losses(setting) +
         one_group(setting, "Time to create while ranks outside execute items", "busy_create_s") +
         one_group(setting, "Time to create with one late member, minus its delay",
                   "late_create_s") +
         other_patterns(setting) + in_flight(setting) + limits(setting);
}

}  // namespace regroup
