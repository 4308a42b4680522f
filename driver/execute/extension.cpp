// SPDX-License-Identifier: BSD-3-Clause
#include "driver/execute/extension.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "driver/store/record.hpp"
#include "kernel/chains/state_files.hpp"
#include "kernel/files/files.hpp"
#include "kernel/text/units.hpp"
#include "library/describe.hpp"
#include "library/resolve.hpp"
#include "regroup/numbers.hpp"

namespace fs = std::filesystem;

namespace regroup {
namespace {

Task with_extra_items(Task run, int items) {
  run.run().extra_items = items;
  return run;
}

bool has_items(const Task& run) {
  return std::ranges::any_of(initial_items(run), [](std::int64_t items) { return items > 0; });
}

/// Returns why the chains of a run can never continue, and what to do instead; empty if they can.
std::string hindrance(const Task& run) {
  constexpr const char* longer = "set 'extra_items' for a longer run";
  if (run.is_exact()) {
    return fmt::format("the engine {} executes no walkers and has no states; {}",
                       run.run().engine->name, longer);
  }
  const auto& walker = run.run().walker;
  if (walker->state_bytes(walker.options) == 0) {
    return fmt::format("the walker {} has no state; {}", walker->name, longer);
  }
  if (run.run().may_end_early()) {
    return "its stopping rule has been met; set until_r_hat and until_effective_samples to 0, or "
           "to stricter values";
  }
  if (!run.run().keeps_states()) {
    return "its states are not stored; set keep_states: true";
  }
  return {};
}

}  // namespace

bool has_states(const std::string& directory) {
  std::error_code none;
  return fs::is_directory(directory, none) && !fs::is_empty(directory, none);
}

ExtendedRuns::ExtendedRuns(std::string directory, const Catalog& catalog)
    : directory_(std::move(directory)) {
  if (!file_exists(directory_ + "/" + file_of(nullptr))) {
    throw UserError(fmt::format("--extend: {} contains no runs; run them first", directory_));
  }
  each_record(directory_, nullptr, catalog, [&](const CsvRow&, const Record& record) {
    extra_items_.insert(record.task.run().extra_items);
    if (record.ok()) ended_.insert(hash_from(record.run).value_or(0));
  });
}

std::optional<int> ExtendedRuns::extra_items(Task run, int limit) const {
  for (auto items = extra_items_.lower_bound(limit); items != extra_items_.begin();) {
    run.run().extra_items = *--items;
    if (ended_.contains(hash_from(fingerprint(run)).value())) return *items;
  }
  return std::nullopt;
}

std::string ExtendedRuns::states(const Task& run) const {
  return states_beside(fmt::format("{}/logs/{}.task.json", directory_, fingerprint(run)));
}

std::string ExtendedRuns::states(Task run, int extra_items) const {
  return states(with_extra_items(std::move(run), extra_items));
}

void ExtendedRuns::remove_older(const Task& run) const {
  const int last = extra_items(run, run.run().extra_items).value_or(0);
  for (auto items = extra_items_.begin(); items != extra_items_.lower_bound(last); ++items) {
    fs::remove_all(states(run, *items));
  }
}

int extended_items(const Experiment& experiment, const SweepOptions& options) {
  const auto refuse = [](const std::string& why) { throw UserError("--extend: " + why); };
  if (!experiment.of_runs()) refuse("measurements have no chains");
  if (!options.which.one.empty()) refuse("a longer run has another hash than that of --one");
  if (options.overwrite || !options.states.empty()) {
    refuse("chains continue from the states in the results; leave out --overwrite and --states");
  }
  const ExtendedRuns runs(results_directory(experiment, options), experiment.catalog());
  const Indices wanted = selected(experiment, options.which);
  std::vector<int> ended;
  for (const std::size_t i : wanted) {
    const Task run = experiment.at(i);
    if (const std::string why = hindrance(run); !why.empty()) refuse(describe(run) + ": " + why);
    if (const auto items = runs.extra_items(run)) ended.push_back(*items);
  }
  if (ended.size() < wanted.size()) {
    refuse(
        fmt::format("{} of {} have not ended well; --resume or --retry without --extend runs "
                    "them first",
                    wanted.size() - ended.size(), counted(wanted.size(), "run")));
  }
  const bool resumes = options.resume || options.retry;
  const auto [fewest, most] = std::ranges::minmax(ended);
  if (fewest < most && !resumes) {
    const auto all = std::ranges::count(ended, most);
    refuse(fmt::format(
        "{} of {} have fewer extra items than others, which have {}; --resume too "
        "continues these up to there, --only selects the runs to extend",
        ended.size() - static_cast<std::size_t>(all), counted(wanted.size(), "run"), most));
  }
  if (most > ExtendedRuns::most_extra_items - options.extend) {
    refuse(fmt::format("{} extra items and {} more are too many; allowed: {} in all", most,
                       options.extend, ExtendedRuns::most_extra_items));
  }
  const bool in_progress =
      fewest == most && std::ranges::any_of(wanted, [&](std::size_t i) {
        return has_states(runs.states(experiment.at(i), most + options.extend));
      });
  const int target = resumes && !in_progress ? most : most + options.extend;
  for (const std::size_t i : wanted) {
    const Task run = experiment.at(i);
    const int items = runs.extra_items(run).value();
    if (items == target || !has_items(with_extra_items(run, items))) continue;
    if (has_states(runs.states(run, items)) || has_states(runs.states(run, target))) continue;
    refuse(fmt::format(
        "{}: the states of its chains were not stored; set keep_states: true before the run",
        describe(with_extra_items(run, items))));
  }
  return target;
}

}  // namespace regroup
