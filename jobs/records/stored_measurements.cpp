// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/records/stored_measurements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>

#include "jobs/configuration/experiment_reader.hpp"
#include "jobs/records/csv_cells.hpp"
#include "jobs/records/provenance.hpp"
#include "jobs/words/describe.hpp"
#include "kernel/measurement/patterns.hpp"
#include "kernel/numbers/parse.hpp"
#include "kernel/numbers/spread.hpp"

namespace regroup {
namespace {

/// What the records of a setting have in common, beside the options. Those that are the same in all
/// records need not be told.
struct Condition {
  std::string_view name;
  std::string (*value)(const MeasurementRecord& record);
};

/// The seed where it draws the groups.
std::string drawing_seed(const MeasurementRecord& record) {
  const Options& options = record.measurement.parameters;
  if (!options.has("pattern")) return {};
  const bool drawn = find_entry(patterns(), options.text("pattern"))->drawn;
  return drawn ? std::to_string(record.measurement.seed) : "";
}

constexpr std::array conditions{
    Condition{"groups of seed", drawing_seed},
    Condition{"experiment", [](const MeasurementRecord& r) { return r.measurement.experiment; }},
    Condition{"library", [](const MeasurementRecord& r) { return r.findings->library; }},
    Condition{"version", [](const MeasurementRecord& r) { return r.version; }},
    Condition{"invocation:", [](const MeasurementRecord& r) { return r.invocation; }},
};

/// Those in which `records` differ. An empty value is none.
std::vector<Condition> differing(const std::vector<MeasurementRecord>& records) {
  std::vector<Condition> result;
  for (const Condition& condition : conditions) {
    std::set<std::string> values;
    for (const MeasurementRecord& record : records) {
      if (record.findings) values.insert(condition.value(record));
    }
    values.erase("");
    if (values.size() > 1) result.push_back(condition);
  }
  return result;
}

std::string title(const MeasurementKind& kind, const MeasurementRecord& record,
                  const std::vector<std::string>& shown, std::span<const Condition> differing) {
  const int cores = record.findings->cores;
  const int ranks = record.measurement.ranks;
  std::string text =
      fmt::format("{} ranks on {} cores{}, waiting: {}", ranks, cores,
                  ranks > cores ? " (oversubscribed)" : "", record.findings->waiting);
  for (const OptionSpec& spec : kind.options) {
    const std::string name(spec.name);
    if (std::ranges::find(shown, name) != shown.end()) continue;
    text += fmt::format(", {} {}", name, record.measurement.parameters.text(name));
  }
  for (const Condition& condition : differing) {
    const std::string value = condition.value(record);
    if (!value.empty()) text += fmt::format(", {} {}", condition.name, value);
  }
  return text;
}

/// ": medians over 3 repetitions and 2 seeds", as far as there are several.
std::string repeated(const Setting& setting) {
  std::set<int> repetitions;
  std::set<std::uint64_t> seeds;
  for (const MeasurementRecord* record : setting.records) {
    repetitions.insert(record->measurement.repetition);
    seeds.insert(record->measurement.seed);
  }
  std::string text = ": medians";
  if (repetitions.size() > 1) text += fmt::format(" over {} repetitions", repetitions.size());
  if (seeds.size() > 1) {
    text += fmt::format(" {} {} seeds", repetitions.size() > 1 ? "and" : "over", seeds.size());
  }
  return text;
}

}  // namespace

std::string file_of(const MeasurementKind& kind, const std::string& directory) {
  return fmt::format("{}/{}.csv", directory, kind.name);
}

MeasurementRecord stored_measurement(const MeasurementKind& kind, const CsvRow& row) {
  const auto checked = [&](const OptionSpec& spec) {
    const std::string& value = row[spec.name];
    if (const std::string wrong = complaint(spec, value); !wrong.empty()) fail_in_row(row, wrong);
    return value;
  };
  const auto parameter = [&](std::string_view name) {
    return checked(*find_entry(parameters(), name));
  };
  MeasurementRecord record;
  const auto status = status_named(row["status"]);
  if (!status) fail_in_row(row, fmt::format("unknown status '{}'", row["status"]));
  record.status = *status;
  record.message = row["message"];
  if (!row["wall_s"].empty()) record.wall_s = number<double>(row, "wall_s");
  Measurement& m = record.measurement;
  m.kind = kind.name;
  m.experiment = row["experiment"];
  record.version = row["version"];
  m.ranks = parse<int>(parameter("ranks")).value();
  m.waiting = parameter("waiting");
  m.seed = parse<std::uint64_t>(parameter("seed")).value();
  m.repetition = number<int>(row, "repetition");
  for (const OptionSpec& spec : kind.options) {
    m.parameters.set(std::string(spec.name), checked(spec));
  }
  if (record.status != Status::ok) return record;
  Findings& findings = record.findings.emplace();
  findings.cores = number<int>(row, "cores");
  findings.waiting = row["waited"];
  findings.library = row["library"];
  if (!row["setup_s"].empty()) findings.setup_s = number<double>(row, "setup_s");
  for (const Figure& figure : kind.figures) {
    if (!row.has(figure.name) || row[figure.name].empty()) continue;
    findings.figures[std::string(figure.name)] = number<double>(row, figure.name);
  }
  return record;
}

std::vector<MeasurementRecord> stored_measurements(const MeasurementKind& kind,
                                                   const std::string& directory) {
  CsvReader reader(file_of(kind, directory));
  const InvocationNames invocations(directory);
  std::vector<MeasurementRecord> records;
  while (reader.next()) {
    const CsvRow row = reader.row();
    MeasurementRecord& record = records.emplace_back(stored_measurement(kind, row));
    if (row.has("invocation")) record.invocation = invocations.of(row["invocation"]);
  }
  reader.fail_if_torn();
  return records;
}

std::vector<std::string> Setting::values(const std::string& option) const {
  const auto& specs = find_entry(measurement_kinds(), records.front()->measurement.kind)->options;
  const auto words = find_entry(specs, option)->words;
  const auto place = [&](const std::string& value) {
    const auto word = std::ranges::find(words, value);
    return words.empty() ? parse<double>(value).value() : static_cast<double>(word - words.begin());
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

std::vector<const MeasurementRecord*> Setting::with(const Options& options) const {
  std::vector<const MeasurementRecord*> fitting;
  std::ranges::copy_if(records, std::back_inserter(fitting), [&](const MeasurementRecord* record) {
    return std::ranges::all_of(options, [&](const auto& option) {
      return record->measurement.parameters.text(option.first) == option.second;
    });
  });
  return fitting;
}

std::optional<double> Setting::median(const std::string& figure, const Options& options) const {
  std::vector<double> numbers;
  for (const MeasurementRecord* record : with(options)) {
    const auto found = record->findings->figures.find(figure);
    if (found != record->findings->figures.end()) numbers.push_back(found->second);
  }
  if (numbers.empty()) return std::nullopt;
  return regroup::median(std::move(numbers));
}

std::optional<Interval> Setting::interval(const std::string& name, const Options& options) const {
  std::optional<Interval> all;
  for (const MeasurementRecord* record : with(options)) {
    const auto& figures = record->findings->figures;
    const auto low = figures.find(name + "_low_s");
    const auto high = figures.find(name + "_high_s");
    if (low == figures.end() || high == figures.end()) return std::nullopt;
    if (!all) all = {low->second, high->second};
    all = {std::min(all->low_s, low->second), std::max(all->high_s, high->second)};
  }
  return all;
}

std::vector<Setting> by_setting(const MeasurementKind& kind,
                                const std::vector<MeasurementRecord>& records,
                                const std::vector<std::string>& shown) {
  std::vector<Setting> settings;
  const std::vector<Condition> told = differing(records);
  for (const MeasurementRecord& record : records) {
    if (!record.findings) continue;
    const std::string text = title(kind, record, shown, told);
    auto setting = std::ranges::find(settings, text, &Setting::title);
    if (setting == settings.end()) setting = settings.insert(settings.end(), Setting{text, {}});
    setting->records.push_back(&record);
  }
  for (Setting& setting : settings) setting.title += repeated(setting);
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
