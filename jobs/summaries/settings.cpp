// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/summaries/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>

#include "jobs/catalog/catalog.hpp"
#include "jobs/catalog/parameters.hpp"
#include "jobs/words/describe.hpp"
#include "kernel/numbers/parse.hpp"
#include "kernel/numbers/spread.hpp"

namespace regroup {
namespace {

/// What the records of a setting have in common, beside the options. Those that are the same in all
/// records need not be told.
struct Condition {
  std::string_view name;
  std::string (*value)(const Record& record);
};

/// The seed where it draws the groups.
std::string drawing_seed(const Record& record) {
  const Options& options = record.task.measure.options;
  if (!options.has("pattern")) return {};
  const bool drawn = find_entry(standard_catalog().patterns, options.text("pattern"))->drawn;
  return drawn ? std::to_string(record.task.seed) : "";
}

constexpr std::array conditions{
    Condition{"groups of seed", drawing_seed},
    Condition{"experiment", [](const Record& r) { return r.task.experiment; }},
    Condition{"mpi_library", [](const Record& r) { return r.outcome->library; }},
    Condition{"regroup_version", [](const Record& r) { return r.version; }},
    Condition{"invocation:", [](const Record& r) { return r.invocation; }},
    Condition{"ranks_per_node",
              [](const Record& r) { return std::to_string(r.task.ranks_per_node); }},
    Condition{"rank_order", [](const Record& r) { return r.task.order; }},
    Condition{"placement", [](const Record& r) { return r.outcome->where.placement; }},
};

/// Whether `condition` has several values in `records` of as many ranks: placements are of ranks,
/// and tell of nothing else where each number of these has its own.
bool differs(const Condition& condition, const std::vector<Record>& records) {
  std::map<int, std::set<std::string>> values;
  const bool follows_ranks = condition.name == "placement";
  for (const Record& record : records) {
    if (!record.outcome) continue;
    const std::string value = condition.value(record);
    if (!value.empty()) values[follows_ranks ? record.task.ranks : 0].insert(value);
  }
  return std::ranges::any_of(values, [](const auto& of) { return of.second.size() > 1; });
}

/// Those in which `records` differ. An empty value is none.
std::vector<Condition> differing(const std::vector<Record>& records) {
  std::vector<Condition> result;
  std::ranges::copy_if(conditions, std::back_inserter(result),
                       [&](const Condition& condition) { return differs(condition, records); });
  return result;
}

/// " of 4 nodes (7 to 8 ranks on each)", where there are several.
std::string describe_nodes(const Whereabouts& where) {
  if (where.nodes < 2) return {};
  const int least = where.ranks_per_node_min;
  const int most = where.ranks_per_node_max;
  return fmt::format(" of {} nodes ({}{} ranks on each)", where.nodes,
                     least == most ? "" : fmt::format("{} to ", least), most);
}

std::string title(const MeasurementKind& kind, const Record& record,
                  const std::vector<std::string>& shown, std::span<const Condition> differing) {
  const Whereabouts& where = record.outcome->where;
  std::string text = fmt::format("{} ranks on {} cores{}{}, waiting: {}", record.task.ranks,
                                 where.cores, describe_nodes(where),
                                 where.crowded ? " (oversubscribed)" : "", record.outcome->waiting);
  text += describe_shared(record.task);
  for (const OptionSpec& spec : kind.options) {
    const std::string name(spec.name);
    if (std::ranges::find(shown, name) != shown.end()) continue;
    text += fmt::format(", {} {}", name, record.task.measure.options.text(name));
  }
  for (const Condition& condition : differing) {
    const std::string value = condition.value(record);
    if (!value.empty()) text += fmt::format(", {} {}", condition.name, value);
  }
  return text;
}

/// Where `value` stands among those of `spec`: numbers ascend, words stand as there.
double standing(const OptionSpec& spec, const std::string& value) {
  if (spec.words.empty()) return parse<double>(value).value_or(0);
  return static_cast<double>(std::ranges::find(spec.words, value) - spec.words.begin());
}

/// The order of measurements that the lists of their configuration would have, were they in order.
struct ByParameters {
  std::vector<double> numbers;
  std::string description;

  explicit ByParameters(const Scenario& task) : description(describe(task)) {
    for (const Parameter& parameter : parameters()) {
      if (!parameter.applies(task.kind()) || !parameter.is_column()) continue;
      if (parameter.list == nullptr) {
        numbers.push_back(standing(parameter.spec, text_of(parameter, task)));
      }
    }
    const auto& kinds = standard_catalog().measurements;
    for (const OptionSpec& spec : find_entry(kinds, task.kind())->options) {
      numbers.push_back(standing(spec, task.measure.options.text(spec.name)));
    }
  }
  friend auto operator<=>(const ByParameters&, const ByParameters&) = default;
};

/// ": medians over 3 repetitions and 2 seeds", as far as there are several.
std::string repeated(const Setting& setting) {
  std::set<int> repetitions;
  std::set<std::uint64_t> seeds;
  for (const Record* record : setting.records) {
    repetitions.insert(record->task.repetition);
    seeds.insert(record->task.seed);
  }
  std::string text = ": medians";
  if (repetitions.size() > 1) text += fmt::format(" over {} repetitions", repetitions.size());
  if (seeds.size() > 1) {
    text += fmt::format(" {} {} seeds", repetitions.size() > 1 ? "and" : "over", seeds.size());
  }
  return text;
}

}  // namespace

std::vector<std::string> Setting::values(const std::string& option) const {
  const auto& specs =
      find_entry(standard_catalog().measurements, records.front()->task.kind())->options;
  const OptionSpec& spec = *find_entry(specs, option);
  std::map<double, std::string> found;
  for (const Record* record : records) {
    const std::string& value = record->task.measure.options.text(option);
    found.emplace(standing(spec, value), value);
  }
  std::vector<std::string> result;
  for (const auto& [where, value] : found) result.push_back(value);
  return result;
}

std::vector<const Record*> Setting::with(const Options& options) const {
  std::vector<const Record*> fitting;
  std::ranges::copy_if(records, std::back_inserter(fitting), [&](const Record* record) {
    return std::ranges::all_of(options, [&](const auto& option) {
      return record->task.measure.options.text(option.first) == option.second;
    });
  });
  return fitting;
}

std::optional<double> Setting::median(const std::string& figure, const Options& options) const {
  std::vector<double> numbers;
  for (const Record* record : with(options)) {
    const auto found = record->outcome->figures.find(figure);
    if (found != record->outcome->figures.end()) numbers.push_back(found->second);
  }
  if (numbers.empty()) return std::nullopt;
  return regroup::median(std::move(numbers));
}

std::optional<Interval> Setting::interval(const std::string& name, const Options& options) const {
  std::optional<Interval> all;
  for (const Record* record : with(options)) {
    const auto& figures = record->outcome->figures;
    const auto low = figures.find(name + "_low_s");
    const auto high = figures.find(name + "_high_s");
    if (low == figures.end() || high == figures.end()) return std::nullopt;
    if (!all) all = {low->second, high->second};
    all = {std::min(all->low_s, low->second), std::max(all->high_s, high->second)};
  }
  return all;
}

std::vector<Setting> by_setting(const MeasurementKind& kind, const std::vector<Record>& records,
                                const std::vector<std::string>& shown) {
  std::vector<Setting> settings;
  const std::vector<Condition> told = differing(records);
  // They stand in the order in which they were made, which may be a random one.
  std::vector<std::pair<ByParameters, const Record*>> ordered;
  for (const Record& record : records) {
    if (record.outcome) ordered.emplace_back(ByParameters(record.task), &record);
  }
  std::ranges::stable_sort(ordered, {}, &std::pair<ByParameters, const Record*>::first);
  for (const auto& [place, each] : ordered) {
    const Record& record = *each;
    const std::string text = title(kind, record, shown, told);
    auto setting = std::ranges::find(settings, text, &Setting::title);
    if (setting == settings.end()) setting = settings.insert(settings.end(), Setting{text, {}});
    setting->records.push_back(&record);
  }
  for (Setting& setting : settings) setting.title += repeated(setting);
  return settings;
}

std::string left_out(const std::vector<Record>& records) {
  std::map<std::string, int> unsupported;
  std::string text;
  for (const Record& record : records) {
    if (record.status == Status::unsupported) {
      ++unsupported[record.message];
    } else if (record.status != Status::ok) {
      text +=
          fmt::format("{}: {}: {}\n", name(record.status), describe(record.task), record.message);
    }
  }
  for (const auto& [reason, number] : unsupported) {
    text += fmt::format("{} unsupported: {}\n", number, reason);
  }
  return text;
}

}  // namespace regroup
