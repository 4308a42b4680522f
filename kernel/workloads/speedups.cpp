// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "kernel/files/measured_rows.hpp"
#include "kernel/numbers/statistics.hpp"
#include "kernel/text/plain_text.hpp"
#include "kernel/workloads/measured_speedup.hpp"
#include "regroup/numbers.hpp"
#include "regroup/workload.hpp"

namespace regroup {

ItemTime::ItemTime(Speedup speedup, double jitter, std::uint64_t stream, ItemFactor factor)
    : speedup_(std::move(speedup)),
      factor_(std::move(factor)),
      deviation_(std::sqrt(exact::log(1 + jitter * jitter))),
      stream_(stream) {}

double ItemTime::seconds(int ranks, int walker, std::int64_t items_left) const {
  double seconds = speedup_(ranks);
  if (factor_) seconds *= factor_(walker, items_left);
  if (deviation_ == 0) return seconds;
  const double z =
      standard_normal(random_bits(stream_, Purpose::jitter, static_cast<std::uint64_t>(walker),
                                  static_cast<std::uint64_t>(items_left)));
  return seconds * exact::exp(deviation_ * z - deviation_ * deviation_ / 2);
}

namespace {

constexpr std::string_view time_column = "time_median_s";

/// A setting: rows with equal values in the columns that keep settings apart.
struct Setting {
  std::vector<std::string> values;
  std::vector<std::size_t> rows;
};

/// Times and columns about the measurement itself do not keep settings apart.
bool keeps_apart(const std::string& column) {
  constexpr auto others = std::to_array<std::string_view>(
      {"run", "experiment", "oversubscribed", "group_size", "repetition", "seed", "status",
       "message", "invocation", "clock_error_us", "began", "job_id", "load_average_before"});
  return !column.ends_with("_s") && std::ranges::find(others, column) == others.end();
}

std::vector<std::string> columns_that_keep_apart(const MeasuredRows& rows) {
  std::vector<std::string> columns;
  std::ranges::copy_if(rows.columns(), std::back_inserter(columns), keeps_apart);
  return columns;
}

std::vector<Setting> settings_in(const MeasuredRows& rows,
                                 const std::vector<std::string>& columns) {
  std::vector<Setting> settings;
  std::map<std::vector<std::string>, std::size_t> places;
  for (const std::size_t row : rows.kept()) {
    std::vector<std::string> values;
    for (const std::string& column : columns) values.push_back(rows.text(row, column));
    const auto [place, is_new] = places.emplace(values, settings.size());
    if (is_new) settings.push_back({std::move(values), {}});
    settings[place->second].rows.push_back(row);
  }
  return settings;
}

/// Describes how settings differ: "1: walker spin; 2: walker lennard_jones, atoms 55".
std::string told(const std::vector<Setting>& settings, const std::vector<std::string>& columns) {
  std::string text;
  for (std::size_t i = 0; i < settings.size(); ++i) {
    text += fmt::format("{}{}:", i == 0 ? "" : "; ", i + 1);
    bool first = true;
    for (std::size_t column = 0; column < columns.size(); ++column) {
      const std::string& value = settings[i].values[column];
      const bool differs = std::ranges::any_of(
          settings, [&](const Setting& other) { return other.values[column] != value; });
      if (!differs || value.empty()) continue;
      text += fmt::format("{} {} {}", first ? "" : ",", columns[column], value);
      first = false;
    }
  }
  return text;
}

}  // namespace

SpeedupCurve::SpeedupCurve(const std::vector<Point>& points) {
  for (const Point& point : points) {
    const double time = point.time / points.front().time;
    knots_.push_back({point.ranks, time, exact::log2(point.ranks), exact::log(time)});
  }
}

double SpeedupCurve::relative_time(int ranks) const {
  const auto right = std::ranges::lower_bound(knots_, ranks, {}, &Knot::ranks);
  if (right == knots_.end()) return knots_.back().time;
  if (right->ranks == ranks) return right->time;
  const auto left = right - 1;
  const double part =
      (exact::log2(ranks) - left->log2_ranks) / (right->log2_ranks - left->log2_ranks);
  return exact::exp(left->log_time + part * (right->log_time - left->log_time));
}

SpeedupCurve read_speedup(const std::string& file, int setting) {
  const MeasuredRows rows(file);
  if (rows.kept().empty()) throw UserError(fmt::format("{}: no row ended well", file));
  const std::vector<std::string> columns = columns_that_keep_apart(rows);
  const std::vector<Setting> settings = settings_in(rows, columns);
  const auto number = static_cast<int>(settings.size());
  if (setting > number || (setting == 0 && number > 1)) {
    throw UserError(fmt::format("{}: items_setting must be one of the {} settings in it: {}", file,
                                number, told(settings, columns)));
  }
  std::map<int, std::vector<double>> times;
  for (const std::size_t row : settings[static_cast<std::size_t>(std::max(setting, 1)) - 1].rows) {
    times[rows.size(row, "group_size")].push_back(
        rows.number(row, real_option(time_column, "", 1e-9, 1e6, "")));
  }
  if (times.begin()->first != 1) {
    throw UserError(
        fmt::format("{}: no row with group_size 1 ended well, which the speed-up refers to", file));
  }
  std::vector<SpeedupCurve::Point> points;
  for (const auto& [ranks, all] : times) points.push_back({ranks, median(all)});
  return SpeedupCurve(points);
}

namespace {

// The model of the paper: twice the ranks, half the time.
Speedup perfect(const Options&, double item_s) {
  return [item_s](int ranks) { return item_s / ranks; };
}

// The serial part of an item takes the same time on any number of ranks.
// Source: Amdahl, Validity of the single processor approach …, AFIPS 1967.
constexpr std::array amdahl_options{
    real_option("serial_fraction", "0.05", 0, 1, "s, the serial fraction of an item"),
};

Speedup amdahl(const Options& options, double item_s) {
  const double serial = options.real("serial_fraction");
  return [item_s, serial](int ranks) { return item_s * (serial + (1 - serial) / ranks); };
}

// Every item has a constant overhead and an overhead per level of a tree over the ranks, like the
// reduction at the end of a transition.
constexpr std::array overhead_options{
    real_option("overhead_ms", "0.1", 0, 1e6,
                "the constant a of the formula: overhead of an item in milliseconds, which does "
                "not depend on the number of ranks"),
    real_option("overhead_per_log2_ms", "0.1", 0, 1e6,
                "c, the overhead in milliseconds that is multiplied by log2 n"),
};

Speedup overhead(const Options& options, double item_s) {
  const double fixed_s = options.real("overhead_ms") / 1000;
  const double level_s = options.real("overhead_per_log2_ms") / 1000;
  return [=](int ranks) { return fixed_s + item_s / ranks + level_s * exact::log2(ranks); };
}

// Scales the configured time on one rank by the measured relative time of the group size.
constexpr std::array measured_options{
    file_option("items_file",
                "file items.csv with times of items in groups of several sizes, written by "
                "`measure: items`"),
    integer_option("items_setting", "0", 0, 1e6,
                   "which setting of the file to use, counted from 1. A setting consists of the "
                   "rows that differ only in group size, repetition or seed. The value 0 is "
                   "allowed if the file contains a single setting."),
};

Speedup measured(const Options& options, double item_s) {
  return [item_s, curve = read_speedup(options.text("items_file"),
                                       static_cast<int>(options.integer("items_setting")))](
             int ranks) { return item_s * curve.relative_time(ranks); };
}

constexpr std::array entries{
    SpeedupEntry{{"perfect", "an item takes `item_ms` / n on n ranks", {}}, perfect},
    SpeedupEntry{{"amdahl", "Amdahl's law: an item takes `item_ms` · (s + (1 − s) / n) on n ranks",
                  amdahl_options},
                 amdahl},
    SpeedupEntry{
        {"overhead", "an item takes a + `item_ms` / n + c · log2 n on n ranks", overhead_options},
        overhead},
    SpeedupEntry{
        {"measured", "an item takes `item_ms` · t(n) / t(1) on n ranks, where t is a measured time",
         measured_options},
        measured},
};

}  // namespace

std::span<const SpeedupEntry> speedups() { return entries; }

}  // namespace regroup
