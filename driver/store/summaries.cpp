// SPDX-License-Identifier: BSD-3-Clause
#include "driver/store/summaries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "driver/store/record.hpp"
#include "kernel/numbers/parse.hpp"
#include "kernel/text/table.hpp"
#include "library/describe.hpp"
#include "measurements/sorts.hpp"

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

namespace {

/// How it was sorted.
struct Way {
  std::string strategy;
  std::string assignment;

  std::string label() const {
    return assignment == "greedy" ? strategy : strategy + " " + assignment;
  }
  friend bool operator==(const Way&, const Way&) = default;
};

/// The numbers of a setting by elements per rank and ways.
class SortTables {
 public:
  explicit SortTables(const Setting& setting)
      : setting_(setting), sizes_(setting.values("elements_per_rank")) {
    for (const std::string& assignment : setting.values("assignment")) {
      for (const std::string& strategy : setting.values("communicator")) {
        const Options options{{"communicator", strategy}, {"assignment", assignment}};
        if (setting.median("time_median_s", options)) ways_.push_back({strategy, assignment});
      }
    }
    std::ranges::stable_partition(ways_, [](const Way& way) { return way.strategy == "range"; });
  }

  /// Elements per rank by ways. Those over range communicators, beside which all others are seen,
  /// come first.
  std::string times() const {
    std::vector<Cells> rows{{"n/p"}};
    for (const Way& way : ways_) {
      rows.front().push_back(way.label());
      if (base_of(way)) rows.front().emplace_back("/ range");
    }
    for (const std::string& size : sizes_) {
      Cells& row = rows.emplace_back(Cells{size});
      for (const Way& way : ways_) {
        const auto time = of("time_median_s", size, way);
        row.push_back(time ? in_fitting_unit(*time) : "");
        const auto base = base_of(way);
        if (!base) continue;
        const auto range = of("time_median_s", size, *base);
        row.push_back(time && range && *range > 0 ? fmt::format("{:.2f}", *time / *range) : "");
      }
    }
    return text_table(rows, {});
  }

  /// What share of their time strategies spend in making communicators.
  std::string creations() const {
    std::vector<Cells> rows{{"n/p"}};
    for (const Way& way : ways_) rows.front().push_back(way.label());
    bool some = false;
    for (const std::string& size : sizes_) {
      Cells& row = rows.emplace_back(Cells{size});
      for (const Way& way : ways_) {
        const auto time = of("time_median_s", size, way);
        const auto creation = of("creation_s", size, way);
        const bool known = time && creation && *time > 0;
        row.push_back(known ? fmt::format("{:.1f} %", 100 * *creation / *time) : "");
        some = some || known;
      }
    }
    if (!some) return {};
    return "\nOf that in making communicators, where a rank spends most in it\n" +
           text_table(rows, {});
  }

  /// What was done, which does not tell of time.
  std::string works() const {
    struct Figured {
      std::string_view name;
      std::string_view heading;
      int decimals;
    };
    constexpr std::array told{Figured{"levels", "levels", 0},
                              Figured{"received_messages_max", "received on a level", 0},
                              Figured{"moved_bytes", "bytes moved", 0},
                              Figured{"constructor_calls", "calls of constructors", 0},
                              Figured{"imbalance", "fullest / mean", 3}};
    std::vector<Cells> rows{{"n/p", "communicator"}};
    for (const Figured& one : told) rows.front().emplace_back(one.heading);
    for (const std::string& size : sizes_) {
      for (const Way& way : ways_) {
        if (way.strategy == std_sort_entry.name) continue;
        Cells row{size, way.label()};
        for (const Figured& one : told) {
          const auto found = of(std::string(one.name), size, way);
          row.push_back(found ? fmt::format("{:.{}f}", *found, one.decimals) : "");
        }
        const bool told_one = std::ranges::any_of(row.begin() + 2, row.end(),
                                                  [](const auto& cell) { return !cell.empty(); });
        if (told_one) rows.push_back(std::move(row));
      }
    }
    if (rows.size() == 1) return {};
    return "\nWhat each did; every sort was checked\n" + text_table(rows, {1});
  }

 private:
  std::optional<double> of(const std::string& figure, const std::string& size,
                           const Way& way) const {
    return setting_.median(figure, {{"elements_per_rank", size},
                                    {"communicator", way.strategy},
                                    {"assignment", way.assignment}});
  }

  /// What `way` is seen beside: over range communicators, by the same assignment where that has a
  /// meaning. Nothing where that was not measured, or is what `way` is.
  std::optional<Way> base_of(const Way& way) const {
    if (way.strategy == "range") return std::nullopt;
    const Way same{"range", way.assignment};
    if (std::ranges::find(ways_, same) != ways_.end()) return same;
    const bool any = is_plain_sort(way.strategy) && ways_.front().strategy == "range";
    return any ? std::optional(ways_.front()) : std::nullopt;
  }

  const Setting& setting_;
  std::vector<std::string> sizes_;
  std::vector<Way> ways_;
};

}  // namespace

std::string sort_summary(const MeasurementKind& kind, const std::vector<Record>& records) {
  std::string text;
  for (const Setting& setting :
       by_setting(kind, records, {"elements_per_rank", "communicator", "assignment"})) {
    const SortTables tables(setting);
    text += fmt::format("\n== {}\n{}{}{}", setting.title, tables.times(), tables.creations(),
                        tables.works());
  }
  return text;
}

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
