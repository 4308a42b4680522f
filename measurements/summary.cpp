// SPDX-License-Identifier: BSD-3-Clause
#include "measurements/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kernel/numbers/parse.hpp"
#include "kernel/text/table.hpp"
#include "kernel/text/units.hpp"

namespace regroup {
namespace {

/// Returns a sort key for values of `spec`: the number, or the index of the word.
double position_of(const OptionSpec& spec, const std::string& value) {
  const auto word = std::ranges::find(spec.words, value);
  if (word != spec.words.end()) return static_cast<double>(word - spec.words.begin());
  return parse<double>(value).value_or(0);
}

}  // namespace

std::vector<std::string> MeasuredSetting::values(std::string_view option) const {
  const OptionSpec& spec = *find_entry(kind_->options, option);
  std::vector<std::string> values;
  for (const Row& row : rows_) {
    const std::string& value = row.options.text(option);
    if (std::ranges::find(values, value) == values.end()) values.push_back(value);
  }
  std::ranges::stable_sort(values, {},
                           [&](const std::string& value) { return position_of(spec, value); });
  return values;
}

std::vector<const Strategy*> MeasuredSetting::strategies() const {
  std::vector<const Strategy*> all;
  for (const std::string& name : values("communicator")) {
    const auto row = std::ranges::find_if(rows_, [&](const Row& one) {
      return one.strategy != nullptr && one.options.text("communicator") == name;
    });
    if (row != rows_.end()) all.push_back(row->strategy);
  }
  return all;
}

std::vector<const MeasuredSetting::Row*> MeasuredSetting::rows_with(const Options& options) const {
  std::vector<const Row*> fitting;
  for (const Row& row : rows_) {
    const bool fits = std::ranges::all_of(options, [&](const auto& option) {
      return row.options.text(option.first) == option.second;
    });
    if (fits) fitting.push_back(&row);
  }
  return fitting;
}

std::optional<double> MeasuredSetting::median(std::string_view figure,
                                              const Options& options) const {
  std::vector<double> numbers;
  for (const Row* row : rows_with(options)) {
    const auto found = row->figures.find(std::string(figure));
    if (found != row->figures.end()) numbers.push_back(found->second);
  }
  if (numbers.empty()) return std::nullopt;
  return regroup::median(std::move(numbers));
}

std::optional<Interval> MeasuredSetting::interval(std::string_view name,
                                                  const Options& options) const {
  std::optional<Interval> hull;
  for (const Row* row : rows_with(options)) {
    const auto low = row->figures.find(fmt::format("{}_low_s", name));
    const auto high = row->figures.find(fmt::format("{}_high_s", name));
    if (low == row->figures.end() || high == row->figures.end()) return std::nullopt;
    if (!hull) hull = {low->second, high->second};
    hull = {std::min(hull->low_s, low->second), std::max(hull->high_s, high->second)};
  }
  return hull;
}

std::string time_text(const std::optional<double>& seconds) {
  return seconds ? in_fitting_unit(*seconds) : "";
}

namespace {

/// A column of the table: a figure and its format.
struct Column {
  std::string figure;
  std::string heading;
  bool is_time;
};

std::vector<Column> columns_of(const MeasurementKind& kind) {
  std::vector<Column> columns;
  for (const SampledTime& time : kind.times) {
    const std::string name(time.name);
    const std::string stem = name.substr(0, name.size() - 2);
    if (time.becomes == Becomes::none) continue;
    columns.push_back({time.becomes == Becomes::summary ? stem + "_median_s" : name, name, true});
  }
  for (const Figure& figure : kind.figures) {
    const std::string name(figure.name);
    columns.push_back({name, name, name.ends_with("_s")});
  }
  return columns;
}

}  // namespace

std::string table_of(const MeasuredSetting& setting) {
  const std::vector<Column> columns = columns_of(setting.kind());
  std::vector<std::vector<std::string>> values;
  std::vector<Cells> rows(1);
  for (const std::string_view option : setting.kind().compared) {
    values.push_back(setting.values(option));
    rows.front().emplace_back(option);
  }
  for (const Column& column : columns) rows.front().push_back(column.heading);

  // The combinations of the values, the last option varying fastest.
  std::size_t combinations = 1;
  for (const auto& of_option : values) combinations *= of_option.size();
  for (std::size_t combination = 0; combination < combinations; ++combination) {
    Cells row(values.size());
    Options options;
    std::size_t rest = combination;
    for (std::size_t i = values.size(); i-- > 0;) {
      row[i] = values[i][rest % values[i].size()];
      rest /= values[i].size();
      options.set(std::string(setting.kind().compared[i]), row[i]);
    }
    bool is_measured = false;
    for (const Column& column : columns) {
      const auto found = setting.median(column.figure, options);
      is_measured = is_measured || found;
      row.push_back(column.is_time ? time_text(found) : found ? fmt::format("{:.6g}", *found) : "");
    }
    if (is_measured) rows.push_back(std::move(row));
  }
  return text_table(rows, {});
}

}  // namespace regroup
