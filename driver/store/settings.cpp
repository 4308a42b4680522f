// SPDX-License-Identifier: BSD-3-Clause
#include "driver/store/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>

#include "driver/store/provenance.hpp"
#include "driver/store/record.hpp"
#include "kernel/files/csv.hpp"
#include "kernel/files/schema.hpp"
#include "kernel/numbers/parse.hpp"
#include "kernel/numbers/statistics.hpp"
#include "library/describe.hpp"
#include "library/task.hpp"
#include "regroup/catalog.hpp"
#include "regroup/numbers.hpp"

namespace regroup {

const PaperRow* paper_row(const Scenario& run) {
  const Choice papers_workload{"cyclic", {{"multiplier", "10"}, {"modulus", "32"}}};
  if (run.group_size != 4 || run.groups != equal_groups || run.workload != papers_workload)
    return nullptr;
  if (run.walkers_per_group != 1 || run.walkers_in_all != 0) return nullptr;
  const BalancerEntry* entry = find_entry(standard_catalog().balancers, run.balancer.name);
  const std::string option =
      entry->options.empty() ? "" : run.balancer.options.text(entry->options.front().name);
  for (const PaperRow& row : paper_rows) {
    if (row.balancer == run.balancer.name && row.option == option) return &row;
  }
  return nullptr;
}

namespace {

const std::string& placement_in(const Conditions& met) {
  const auto column = std::ranges::find(condition_columns, std::string_view("placement"));
  return met.at(static_cast<std::size_t>(column - condition_columns.begin()));
}

/// Finds settings, by what names their parameters.
class Places {
 public:
  /// The setting that `run` belongs to. One that did not end well met no conditions: it counts in
  /// the first setting with its parameters.
  RepeatedRuns& of(const Scenario& run, const std::optional<Conditions>& met) {
    Scenario same = run;
    same.repetition = 0;
    same.seed = 0;
    const std::uint64_t parameters = hash_number(fingerprint(same));
    const auto [first, last] = places_.equal_range(parameters);
    bool elsewhere = false;
    for (auto place = first; place != last; ++place) {
      RepeatedRuns& setting = settings_[place->second];
      if (met && !setting.met) setting.met = shared(*met);
      if (!met || *met == *setting.met) return setting;
      if (placement_in(*met) == placement_in(*setting.met)) continue;
      setting.elsewhere = elsewhere = true;
    }
    places_.emplace_hint(last, parameters, settings_.size());
    RepeatedRuns& setting = settings_.emplace_back();
    setting.scenario = run;
    setting.elsewhere = elsewhere;
    if (met) setting.met = shared(*met);
    return setting;
  }

  Settings settings() && { return std::move(settings_); }

 private:
  std::shared_ptr<const Conditions> shared(const Conditions& met) {
    std::shared_ptr<const Conditions>& known = met_[met];
    if (known == nullptr) known = std::make_shared<const Conditions>(met);
    return known;
  }

  Settings settings_;
  std::multimap<std::uint64_t, std::size_t> places_;
  std::map<Conditions, std::shared_ptr<const Conditions>> met_;
};

}  // namespace

std::string RepeatedRuns::condition(std::string_view name) const {
  const auto column = std::ranges::find(condition_columns, name);
  return met ? met->at(static_cast<std::size_t>(column - condition_columns.begin())) : "";
}

const std::vector<double>& RepeatedRuns::of(std::string_view name) const {
  const auto column = std::ranges::find(number_columns, name);
  return numbers.at(static_cast<std::size_t>(column - number_columns.begin()));
}

const RepeatedRuns::Problem* RepeatedRuns::only_problem() const {
  return problems.size() == 1 ? &problems.begin()->second : nullptr;
}

double RepeatedRuns::Problem::makespan_s() const { return median(makespans_s); }

static std::vector<double> over(double RepeatedRuns::Problem::*least_s, const RepeatedRuns& runs) {
  std::vector<double> ratios;
  for (const auto& [name, problem] : runs.problems) {
    if (problem.*least_s > 0) ratios.push_back(problem.makespan_s() / problem.*least_s);
  }
  return ratios;
}

std::vector<double> RepeatedRuns::of_ideal() const { return over(&Problem::ideal_s, *this); }

std::vector<double> RepeatedRuns::of_bound() const { return over(&Problem::bound_s, *this); }

std::optional<double> RepeatedRuns::off(const RepeatedRuns& real) const {
  std::vector<double> ratios;
  for (const auto& [name, problem] : problems) {
    const auto other = real.problems.find(name);
    if (other == real.problems.end() || other->second.makespan_s() <= 0) continue;
    ratios.push_back(problem.makespan_s() / other->second.makespan_s() - 1);
  }
  if (ratios.empty()) return std::nullopt;
  return median(std::move(ratios));
}

Settings repeated_runs(const std::string& directory) {
  Places places;
  const std::string path = directory + "/runs.csv";
  check_schema(path);
  const InvocationNames invocations(directory);
  CsvReader reader(path);
  while (reader.next()) {
    const CsvRow row = reader.row();
    const Record record = stored_record(row, "run");
    const Scenario& run = record.task;
    const auto figure = [&](std::string_view name) {
      return number<double>(row, row.column(name));
    };
    std::optional<Conditions> met;
    if (record.status == Status::ok) {
      met.emplace();
      std::ranges::transform(condition_columns, met->begin(),
                             // Earlier versions told less.
                             [&](std::string_view n) { return row.has(n) ? row[n] : ""; });
      if (row.has("invocation")) met->back() = invocations.of(row["invocation"]);
    }
    RepeatedRuns& setting = places.of(run, met);
    if (!met) {
      ++setting.bad;
      continue;
    }
    ++setting.good;
    setting.seeds.insert(run.seed);
    // Earlier versions did not name problems; those with different ideals are different ones.
    RepeatedRuns::Problem& problem =
        setting.problems[row[row.has("problem") ? "problem" : "ideal_s"]];
    problem.ideal_s = figure("ideal_s");
    if (row.has("bound_s")) problem.bound_s = figure("bound_s");
    problem.makespans_s.push_back(figure("makespan_s"));
    for (std::size_t i = 0; i < number_columns.size(); ++i) {
      setting.numbers[i].push_back(figure(number_columns[i]));
    }
  }
  reader.fail_if_torn();
  return std::move(places).settings();
}

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
std::string describe_nodes(const Placement& where) {
  if (where.nodes < 2) return {};
  const int least = where.ranks_per_node_min;
  const int most = where.ranks_per_node_max;
  return fmt::format(" of {} nodes ({}{} ranks on each)", where.nodes,
                     least == most ? "" : fmt::format("{} to ", least), most);
}

std::string title(const MeasurementKind& kind, const Record& record,
                  const std::vector<std::string>& shown, std::span<const Condition> differing) {
  const Placement& where = record.outcome->where;
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
