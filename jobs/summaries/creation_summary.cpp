// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "jobs/catalog/catalog.hpp"
#include "jobs/records/columns.hpp"
#include "jobs/records/stored.hpp"
#include "jobs/summaries/creation_claims.hpp"
#include "jobs/summaries/summaries.hpp"
#include "jobs/words/describe.hpp"
#include "jobs/words/text_table.hpp"
#include "kernel/files/user_error.hpp"

namespace regroup {
namespace {

const std::vector<std::string> told_by_table{"communicator", "pattern", "group_size"};

/// A figure of one cell's options; empty where there is none.
using Show = std::string (*)(const Setting& setting, const std::string& figure,
                             const Options& options);

std::string median_only(const Setting& setting, const std::string& figure, const Options& options) {
  const auto found = setting.median(figure, options);
  return found ? in_fitting_unit(*found) : "";
}

/// "1.20 [0.90, 1.40] ms"; `figure` is NAME_s, and its interval NAME_low_s to NAME_high_s.
std::string with_interval(const Setting& setting, const std::string& figure,
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

/// Strategies by group sizes, for one group; empty where nobody has this figure.
std::string one_group(const Setting& setting, std::string_view title, const std::string& figure,
                      Show show = median_only) {
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

/// The other patterns by strategies.
std::string other_patterns(const Setting& setting) {
  std::vector<std::string> columns;
  for (const std::string& strategy : setting.values("communicator")) {
    const auto there = [&](const Record* record) {
      const Options& options = record->task.measure.options;
      return options.text("communicator") == strategy && options.text("pattern") != "one_group";
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
        row.push_back(
            median_only(setting, "create_median_s",
                        {{"pattern", pattern}, {"communicator", strategy}, {"group_size", size}}));
      }
      if (!has_no_figures(row, 2)) rows.push_back(std::move(row));
    }
  }
  if (rows.size() == 1) return {};
  return fmt::format("\nTime to create, other patterns\n{}", text_table(rows, {0}));
}

/// Creations at once, by strategies that do not block; empty where nobody has measured them.
std::string in_flight(const Setting& setting) {
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
        rows.push_back({strategy, pattern, size, with_interval(setting, "in_flight_s", of),
                        fmt::format("{:.0f}{} %", 100 * *hidden, interval)});
      }
    }
  }
  if (rows.size() == 1) return {};
  return fmt::format(
      "\nTime of all creations that are in flight at once, and what part of it work of the same "
      "length hides\n{}",
      text_table(rows, {0, 1}));
}

/// How many communicators can be alive, by strategies; empty where nobody has counted.
std::string limits(const Setting& setting) {
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
      row.push_back(found ? fmt::format("{:.0f}{}", *found, *found == 4096 ? " or more" : "") : "");
    }
    if (!has_no_figures(row, 1)) rows.push_back(std::move(row));
  }
  if (rows.size() == 1) return {};
  return fmt::format(
      "\nCommunicators that can be alive at a time: at first, then beside those that are alive "
      "after "
      "random regroupings, and what is lost to fragmentation\n{}",
      text_table(rows, {0}));
}

/// `records`, in which groups that the machine put together, whatever was asked for, have the size
/// that came out: of the largest, where there are several.
std::vector<Record> by_what_was_formed(std::vector<Record> records) {
  for (Record& record : records) {
    if (!record.outcome) continue;
    Options& options = record.task.measure.options;
    const Strategy* strategy =
        find_entry(standard_catalog().strategies, options.text("communicator"));
    const auto formed = record.outcome->figures.find("formed_ranks_max");
    if (strategy->forms != Forms::shared || formed == record.outcome->figures.end()) continue;
    options.set("group_size", fmt::format("{:.0f}", formed->second));
  }
  return records;
}

}  // namespace

std::string creation_summary(const MeasurementKind& kind, const std::vector<Record>& stored) {
  const std::vector<Record> records = by_what_was_formed(stored);
  std::string text;
  for (const Setting& setting : by_setting(kind, records, told_by_table)) {
    text += fmt::format("\n== {}\n", setting.title);
    text += one_group(setting, "Time to create one group", "create_median_s");
    text += one_group(setting, "Time to free it", "free_median_s");
    text += fastest_constructors(setting);
    text += crossovers(setting);
    text += guidelines(judged(setting));
    text += range_gain(setting);
    text += one_group(setting, "What a rank outside loses by one creation, with its 95 % interval",
                      "bystander_s", with_interval);
    text += bystander_losses(setting);
    text += one_group(setting, "Time to create while ranks outside execute items", "busy_create_s");
    text += one_group(setting, "Time to create where one member comes late, minus its delay",
                      "late_create_s");
    text += other_patterns(setting);
    text += in_flight(setting);
    text += limits(setting);
  }
  return text;
}

int check_guidelines(const std::string& directory) {
  const MeasurementKind& kind = *find_entry(standard_catalog().measurements, "creation");
  const std::string path = fmt::format("{}/{}", directory, file_of(kind.name));
  const std::vector<Record> records = stored_records(directory, kind.name);
  std::vector<Guideline> all;
  for (const Setting& setting : by_setting(kind, records, told_by_table)) {
    std::ranges::move(judged(setting), std::back_inserter(all));
  }
  const auto any = [&](Guideline::Verdict verdict) {
    return std::ranges::find(all, verdict, &Guideline::verdict) != all.end();
  };
  if (any(Guideline::Verdict::violated)) return 1;
  if (any(Guideline::Verdict::too_few_samples)) {
    throw UserError(
        fmt::format("{}: a guideline cannot be judged: there are too few samples (a confidence "
                    "interval takes {})",
                    path, fewest_samples));
  }
  if (all.empty()) {
    throw UserError(
        fmt::format("{}: there is no guideline to judge: none has both sides measured", path));
  }
  return 0;
}

}  // namespace regroup
