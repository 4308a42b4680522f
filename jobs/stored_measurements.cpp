// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/stored_measurements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "jobs/config.hpp"
#include "jobs/csv_cells.hpp"
#include "jobs/describe.hpp"
#include "kernel/statistics.hpp"

namespace regroup {
namespace {

MeasurementRecord stored(const MeasurementKind& kind, const CsvTable& table, std::size_t row) {
  const auto text = [&](std::string_view column) { return table.rows[row][table.column(column)]; };
  const auto checked = [&](const OptionSpec& spec) {
    const std::string value = text(spec.name);
    if (const std::string wrong = complaint(spec, value); !wrong.empty()) {
      fail_in_row(table, row, wrong);
    }
    return value;
  };
  const auto parameter = [&](std::string_view name) {
    return checked(*find_entry(parameters(), name));
  };
  MeasurementRecord record;
  const auto status = status_named(text("status"));
  if (!status) fail_in_row(table, row, fmt::format("unknown status '{}'", text("status")));
  record.status = *status;
  record.message = text("message");
  Measurement& m = record.measurement;
  m.kind = kind.name;
  m.experiment = text("experiment");
  m.ranks = std::stoi(parameter("ranks"));
  m.waiting = parameter("waiting");
  m.seed = std::stoull(parameter("seed"));
  m.repetition = number<int>(table, row, table.column("repetition"));
  for (const OptionSpec& spec : kind.options) {
    m.parameters.set(std::string(spec.name), checked(spec));
  }
  if (record.status != Status::ok) return record;
  Findings& findings = record.findings.emplace();
  findings.cores = number<int>(table, row, table.column("cores"));
  findings.waiting = text("waited");
  for (const Column& figure : kind.figures) {
    const std::size_t column = table.column(figure.name);
    if (table.rows[row][column].empty()) continue;
    findings.figures[std::string(figure.name)] = number<double>(table, row, column);
  }
  return record;
}

/// What the records of a setting have in common.
std::string common(const MeasurementRecord& record) {
  const int cores = record.findings->cores;
  const int ranks = record.measurement.ranks;
  return fmt::format("{} ranks on {} cores{}, waiting: {}", ranks, cores,
                     ranks > cores ? " (oversubscribed)" : "", record.findings->waiting);
}

}  // namespace

std::string file_of(const MeasurementKind& kind, const std::string& directory) {
  return fmt::format("{}/{}.csv", directory, kind.name);
}

std::vector<MeasurementRecord> stored_measurements(const MeasurementKind& kind,
                                                   const std::string& directory) {
  const CsvTable table = read_csv(file_of(kind, directory));
  std::vector<MeasurementRecord> records;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    records.push_back(stored(kind, table, row));
  }
  return records;
}

std::vector<std::string> Setting::values(const std::string& option) const {
  const auto& specs = find_entry(measurement_kinds(), records.front()->measurement.kind)->options;
  const std::vector<std::string> words = words_of(*find_entry(specs, option));
  const auto place = [&](const std::string& value) {
    const auto word = std::ranges::find(words, value);
    return words.empty() ? std::stod(value) : static_cast<double>(word - words.begin());
  };
  std::map<double, std::string> found;
  for (const MeasurementRecord* record : records) {
    const std::string& value = record->measurement.parameters.text(option);
    found.emplace(place(value), value);
  }
  std::vector<std::string> result;
  for (const auto& [where, value] : found) result.push_back(value);
  return result;
}

std::optional<double> Setting::median(const std::string& figure, const Options& options) const {
  std::vector<double> numbers;
  for (const MeasurementRecord* record : records) {
    const bool fits = std::ranges::all_of(options, [&](const auto& option) {
      return record->measurement.parameters.text(option.first) == option.second;
    });
    const auto found = record->findings->figures.find(figure);
    if (fits && found != record->findings->figures.end()) numbers.push_back(found->second);
  }
  if (numbers.empty()) return std::nullopt;
  return regroup::median(std::move(numbers));
}

std::vector<Setting> by_setting(const MeasurementKind& kind,
                                const std::vector<MeasurementRecord>& records,
                                const std::vector<std::string>& shown) {
  std::vector<Setting> settings;
  for (const MeasurementRecord& record : records) {
    if (!record.findings) continue;
    std::string title = common(record);
    for (const OptionSpec& spec : kind.options) {
      const std::string name(spec.name);
      if (std::ranges::find(shown, name) != shown.end()) continue;
      title += fmt::format(", {} {}", name, record.measurement.parameters.text(name));
    }
    auto setting = std::ranges::find(settings, title, &Setting::title);
    if (setting == settings.end()) setting = settings.insert(settings.end(), Setting{title, {}});
    setting->records.push_back(&record);
  }
  return settings;
}

std::string left_out(const std::vector<MeasurementRecord>& records) {
  std::map<std::string, int> unsupported;
  std::string text;
  for (const MeasurementRecord& record : records) {
    if (record.status == Status::unsupported) {
      ++unsupported[record.message];
    } else if (record.status != Status::ok) {
      text += fmt::format("{}: {}: {}\n", name(record.status), describe(record.measurement),
                          record.message);
    }
  }
  for (const auto& [reason, number] : unsupported) {
    text += fmt::format("{} unsupported: {}\n", number, reason);
  }
  return text;
}

}  // namespace regroup
