// SPDX-License-Identifier: BSD-3-Clause
#include "driver/store/settings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>

#include "driver/store/keys.hpp"
#include "driver/store/provenance.hpp"
#include "kernel/numbers/parse.hpp"
#include "kernel/numbers/statistics.hpp"
#include "kernel/text/units.hpp"
#include "library/describe.hpp"
#include "library/resolve.hpp"
#include "regroup/numbers.hpp"

namespace regroup {

InvocationNames::InvocationNames(const std::string& directory) {
  const std::map<int, Circumstances> known = read_circumstances(directory);
  std::set<int> all;
  for (const auto& [invocation, circumstances] : known) all.insert(invocation);
  names_ = differences(known, all);
}

std::string InvocationNames::of(int invocation) const {
  const auto found = names_.find(invocation);
  if (found != names_.end()) return found->second;
  return fmt::format("circumstances of invocation {} unknown", invocation);
}

Conditions conditions_of(const Record& record, const InvocationNames& invocations) {
  const Placement& where = record.outcome.where;
  return {record.outcome.waiting, where.cores, where.crowded, where.placement,
          invocations.of(record.invocation)};
}

// ---- runs

namespace {

// The paper's asynchronous balancer continues to merge groups after all work is done: `merge`.
constexpr std::array table1{
    PaperRow{"none", "", 0, 0, 0, 0},
    PaperRow{"collective", "1", 5.38, 2.12, 2, 8},
    PaperRow{"collective", "2", 5.38, 2.12, 2, 8},
    PaperRow{"collective", "4", 5.38, 2.12, 2, 8},
    PaperRow{"collective", "8", 5.38, 2.12, 2, 8},
    PaperRow{"collective", "16", 5.38, 2.12, 2, 8},
    PaperRow{"collective", "32", 5.38, 2.12, 2, 8},
    PaperRow{"collective", "64", 3.75, 1.20, 2, 5},
    PaperRow{"collective", "128", 2.62, 0.48, 2, 3},
    PaperRow{"asynchronous", "merge", 14.38, 3.54, 5, 26},
};

void add(RunSetting& setting, const Record& record) {
  ++setting.ok;
  setting.names.push_back(record.run);
  setting.seeds.insert(record.task.seed);
  setting.repetitions.insert(record.task.repetition);
  RunSetting::Problem& problem = setting.problems[record.problem];
  problem.ideals_s.push_back(record.ideal_s);
  problem.bounds_s.push_back(record.bound_s);
  problem.makespans_s.push_back(record.makespan_s);
  setting.regroups_avg.push_back(record.regroups.average);
  setting.regroups_stdev.push_back(record.regroups.deviation);
  setting.regroups_min.push_back(static_cast<double>(record.regroups.min));
  setting.regroups_max.push_back(static_cast<double>(record.regroups.max));
  setting.wall_s.push_back(record.ending.wall_s);
  if (record.ending.memory_mb > 0) setting.memory_mb.push_back(record.ending.memory_mb);
}

}  // namespace

std::string balancer_of(const Task& run) {
  const std::string text = describe_balancer(run);
  const Strategy* strategy = run.strategy();
  return strategy == nullptr ? text : text.substr(0, text.size() - strategy->name.size() - 2);
}

std::span<const PaperRow> paper_rows() { return table1; }

const PaperRow* paper_row(const Task& task) {
  const Run& run = task.run();
  const Options papers_workload{{"multiplier", "10"}, {"modulus", "32"}};
  const bool same = run.group_size == 4 && run.equal_groups_at_start() &&
                    run.walkers_per_group == 1 && run.walkers_in_all == 0 &&
                    run.workload->name == "cyclic" && run.workload.options == papers_workload;
  if (!same) return nullptr;
  const auto& specs = run.balancer->options;
  const std::string option = specs.empty() ? "" : run.balancer.options.text(specs.front().name);
  const auto found = std::ranges::find_if(table1, [&](const PaperRow& row) {
    return row.balancer == run.balancer->name && row.option == option;
  });
  return found == table1.end() ? nullptr : &*found;
}

double RunSetting::Problem::makespan_s() const { return median(makespans_s); }

std::vector<double> RunSetting::Problem::*RunSetting::least_s() const {
  const bool ideal = task.has_own_times() || has_perfect_speedup(task);
  return ideal ? &Problem::ideals_s : &Problem::bounds_s;
}

std::vector<double> RunSetting::ratios(std::vector<double> Problem::*to) const {
  std::vector<double> all;
  for (const auto& [name, problem] : problems) {
    std::vector<double> of_runs;
    for (std::size_t i = 0; i < problem.makespans_s.size(); ++i) {
      const double least_s = (problem.*to)[i];
      if (least_s > 0) of_runs.push_back(problem.makespans_s[i] / least_s);
    }
    if (!of_runs.empty()) all.push_back(median(std::move(of_runs)));
  }
  return all;
}

std::optional<double> RunSetting::off(const RunSetting& real) const {
  std::vector<double> all;
  for (const auto& [name, problem] : problems) {
    const auto other = real.problems.find(name);
    if (other == real.problems.end() || other->second.makespan_s() <= 0) continue;
    all.push_back(problem.makespan_s() / other->second.makespan_s() - 1);
  }
  if (all.empty()) return std::nullopt;
  return median(std::move(all));
}

Task setting_of(Task task, const Task& usual) {
  task.repetition = 0;
  task.seed = 0;
  if (task.has_own_times() || task.has_recorded_times()) {  // beliefs do not change the work
    for (const Parameter& parameter : parameters()) {
      if (parameter.is_belief(task)) parameter.copy(task, usual);
    }
  }
  return task;
}

RunSettings run_settings(const std::string& directory, const Catalog& catalog, const Where& where) {
  using SharedConditions = std::shared_ptr<const Conditions>;
  RunSettings settings;
  std::multimap<std::uint64_t, RunSetting*> by_parameters;
  std::map<Conditions, SharedConditions> all_conditions;
  const InvocationNames invocations(directory);
  const Task usual = usual_task(catalog);

  // A run that did not end well has no conditions and belongs to the first setting with its
  // parameters.
  const auto find = [&](const Task& task, const SharedConditions& conditions) -> RunSetting& {
    const std::uint64_t parameters = hash_number(fingerprint(setting_of(task, usual)));
    const auto [first, last] = by_parameters.equal_range(parameters);
    bool elsewhere = false;
    for (auto position = first; position != last; ++position) {
      RunSetting& setting = *position->second;
      if (setting.conditions == nullptr) setting.conditions = conditions;
      if (conditions == nullptr || conditions == setting.conditions) return setting;
      if (conditions->placement == setting.conditions->placement) continue;
      setting.elsewhere = elsewhere = true;
    }
    RunSetting& setting = settings.emplace_back();
    by_parameters.emplace_hint(last, parameters, &setting);
    setting.task = task;
    setting.conditions = conditions;
    setting.elsewhere = elsewhere;
    return setting;
  };

  each_record_where(where, directory, nullptr, catalog, [&](const CsvRow&, const Record& record) {
    SharedConditions conditions;
    if (record.ok()) {
      SharedConditions& known = all_conditions[conditions_of(record, invocations)];
      if (known == nullptr) {
        known = std::make_shared<const Conditions>(conditions_of(record, invocations));
      }
      conditions = known;
    }
    RunSetting& setting = find(record.task, conditions);
    ++setting.runs;
    if (record.ok()) add(setting, record);
  });
  return settings;
}

// ---- measurements

namespace {

/// A property that measurements of a setting share, besides options. Titles show it if it differs.
struct Common {
  std::string_view name;
  std::function<std::string(const Record&)> value;
};

std::vector<Common> common_conditions(const InvocationNames& invocations) {
  return {
      {"groups of seed",
       [](const Record& r) {
         return draws(r.task.measurement()) ? std::to_string(r.task.seed) : "";
       }},
      {"experiment", [](const Record& r) { return r.task.experiment; }},
      {"circumstances:", [&](const Record& r) { return invocations.of(r.invocation); }},
      {"ranks_per_node", [](const Record& r) { return std::to_string(r.task.ranks_per_node); }},
      {"rank_order", [](const Record& r) { return r.task.rank_order; }},
      {"placement", [](const Record& r) { return r.outcome.where.placement; }},
  };
}

/// Returns whether `common` has several values in `records`. Placements are compared only for equal
/// numbers of ranks, because they depend on it.
bool differs(const Common& common, const std::vector<Record>& records) {
  std::map<int, std::set<std::string>> values;
  for (const Record& record : records) {
    if (!record.ok()) continue;
    const std::string value = common.value(record);
    if (!value.empty()) values[common.name == "placement" ? record.task.ranks : 0].insert(value);
  }
  return std::ranges::any_of(values, [](const auto& of) { return of.second.size() > 1; });
}

/// Returns the options shown in titles: those that the rows of a table do not compare, unless all
/// of `records` have the default.
std::vector<const OptionSpec*> titled_options(const MeasurementKind& kind,
                                              const std::vector<Record>& records) {
  std::vector<const OptionSpec*> options;
  for (const OptionSpec& spec : kind.options) {
    const bool compared = std::ranges::count(kind.compared, spec.name) > 0;
    const bool usual = std::ranges::all_of(records, [&](const Record& record) {
      return record.task.measurement().options.text(spec.name) == spec.fallback;
    });
    if (!compared && !usual) options.push_back(&spec);
  }
  return options;
}

/// Returns the parts of the title of a record.
std::vector<std::string> title_parts(const Record& record,
                                     const std::vector<const OptionSpec*>& options,
                                     const std::vector<Common>& differing) {
  const Task& task = record.task;
  const Measurement& measurement = task.measurement();
  std::vector<std::string> parts{
      fmt::format("{} on {}{}", counted(task.ranks, "rank"),
                  counted(record.outcome.where.cores, "core"),
                  record.outcome.where.crowded ? " (oversubscribed)" : ""),
      fmt::format("waiting: {}", record.outcome.waiting)};
  if (measurement.kind->of_walkers) {
    // For other walkers, T is only a forecast for balancers.
    if (measurement.walker->timed) parts.push_back(fmt::format("T = {:g} ms", measurement.item_ms));
    parts.push_back(describe_row(*measurement.walker.row, measurement.walker.options));
  }
  for (const OptionSpec* spec : options) {
    parts.push_back(fmt::format("{} {}", spec->name, measurement.options.text(spec->name)));
  }
  for (const Common& common : differing) {
    const std::string value = common.value(record);
    if (!value.empty()) parts.push_back(fmt::format("{} {}", common.name, value));
  }
  return parts;
}

/// Returns a sort key for values of `spec`: the number, or the index of the word.
double rank_of(const OptionSpec& spec, const std::string& value) {
  if (spec.words.empty()) return parse<double>(value).value_or(0);
  return static_cast<double>(std::ranges::find(spec.words, value) - spec.words.begin());
}

/// Returns a sort key that orders measurements like a configuration with sorted lists.
std::vector<double> order_of(const Task& task) {
  std::vector<double> numbers;
  for (const Parameter& parameter : parameters()) {
    if (!parameter.applies_to(task) || parameter.list != nullptr) continue;
    numbers.push_back(rank_of(parameter.spec, parameter.text(task)));
  }
  const Measurement& measurement = task.measurement();
  for (const OptionSpec& spec : measurement.kind->options) {
    numbers.push_back(rank_of(spec, measurement.options.text(spec.name)));
  }
  return numbers;
}

/// Returns ": medians over 3 repetitions and 2 seeds", omitting counts of one.
std::string describe_repetitions(const std::vector<const Record*>& records) {
  std::set<int> repetitions;
  std::set<std::uint64_t> seeds;
  for (const Record* record : records) {
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

std::vector<TitledSetting> measured_settings(const MeasurementKind& kind,
                                             const std::string& directory,
                                             const std::vector<Record>& records) {
  const InvocationNames invocations(directory);
  std::vector<Common> differing = common_conditions(invocations);
  std::erase_if(differing, [&](const Common& common) { return !differs(common, records); });
  const std::vector<const OptionSpec*> options = titled_options(kind, records);
  // Records are in the order of execution, which may be random.
  using Order = std::pair<std::vector<double>, std::string>;
  std::multimap<Order, const Record*> ordered;
  for (const Record& record : records) {
    if (record.ok()) ordered.emplace(Order(order_of(record.task), describe(record.task)), &record);
  }
  using Parts = std::vector<std::string>;
  std::vector<std::pair<Parts, std::vector<const Record*>>> by_title;
  std::map<std::string, std::size_t> settings_with;  // each part
  std::map<int, std::set<std::string>> waits_with;   // each number of ranks
  for (const auto& [key, record] : ordered) {
    waits_with[record->task.ranks].insert(record->outcome.waiting);
    const Parts parts = title_parts(*record, options, differing);
    auto found = std::ranges::find(by_title, parts, [](const auto& one) { return one.first; });
    if (found == by_title.end()) {
      found = by_title.insert(by_title.end(), {parts, {}});
      for (const std::string& part : parts) ++settings_with[part];
    }
    found->second.push_back(record);
  }
  // Waiting often depends only on the number of ranks. Panels then omit it.
  const bool same_waiting =
      std::ranges::all_of(waits_with, [](const auto& waits) { return waits.second.size() == 1; });
  std::vector<TitledSetting> settings;
  for (const auto& [parts, of_it] : by_title) {
    std::vector<MeasuredSetting::Row> rows;
    for (const Record* record : of_it) {
      const Measurement& measurement = record->task.measurement();
      rows.push_back({measurement.options, measurement.strategy, record->outcome.figures});
    }
    Parts own(parts.begin() + (same_waiting ? 2 : 1), parts.end());
    std::erase_if(
        own, [&](const std::string& part) { return settings_with.at(part) == by_title.size(); });
    const Record& any = *of_it.front();
    settings.push_back({fmt::format("{}{}", fmt::join(parts, ", "), describe_repetitions(of_it)),
                        fmt::format("{}", fmt::join(own, ", ")), &any,
                        MeasuredSetting(kind, std::move(rows), any.outcome.where.cores,
                                        any.outcome.where.crowded)});
  }
  return settings;
}

std::string describe_left_out(const std::vector<Record>& records) {
  std::map<std::string, int> unsupported;
  std::string text;
  for (const Record& record : records) {
    const Ending& ending = record.ending;
    if (ending.status == Status::unsupported) {
      ++unsupported[ending.message];
    } else if (!record.ok()) {
      text +=
          fmt::format("{}: {}: {}\n", name(ending.status), describe(record.task), ending.message);
    }
  }
  for (const auto& [reason, number] : unsupported) {
    text += fmt::format("{} unsupported: {}\n", number, reason);
  }
  return text;
}

}  // namespace regroup
