// SPDX-License-Identifier: BSD-3-Clause
#include "driver/advise/probe.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <utility>

#include "driver/execute/sweep.hpp"
#include "driver/store/record.hpp"
#include "kernel/numbers/parse.hpp"
#include "kernel/text/plain_text.hpp"
#include "kernel/text/units.hpp"
#include "library/describe.hpp"
#include "regroup/catalog.hpp"

namespace regroup {
namespace {

constexpr int item_samples = 11;
constexpr int discarded = 3;  // warm-ups

/// Throws UserError unless all runs have the same walker, which must compute.
void check(const Experiment& experiment) {
  std::set<std::string> names;
  experiment.each({"walker"}, [&](std::size_t i) {
    const Task task = experiment.grid().at(i);
    const auto& walker = task.run().walker;
    if (walker->timed) {
      throw UserError(
          fmt::format("{}: --probe measures walkers that compute; item times of '{}' are given by "
                      "item_ms and speedup",
                      experiment.file, walker->name));
    }
    names.insert(describe_row(*walker.row, walker.options));
  });
  if (names.size() > 1) {
    throw UserError(
        fmt::format("{}: --probe measures one walker, and there are {}: {}; choose one "
                    "with --set walker=…",
                    experiment.file, names.size(), fmt::join(names, ", ")));
  }
}

/// Keys that measurements of items take over from the configuration of runs.
const std::set<std::string> shared_keys{
    "walker",  "launcher",  "program",         "ranks_per_node", "rank_order", "environment",
    "waiting", "timeout_s", "start_timeout_s", "end_timeout_s",  "seed"};

class ItemProbe {
 public:
  ItemProbe(const Experiment& experiment)
      : experiment_(experiment), name_(experiment.name + "-probe"), directory_("results/" + name_) {
    experiment.each({"ranks"}, [&](std::size_t i) {
      ranks_ = std::max(ranks_, experiment.grid().at(i).ranks);
    });
  }

  /// Takes `number` samples of `items_per_sample` items.
  ProbedItems measure(int items_per_sample, int number) const {
    const std::string text = fmt::format(
        "measure: items\nexperiment: {}\nranks: {}\ngroup_size: all\nitems_per_sample: {}\n"
        "samples: {}\n{}",
        name_, ranks_, items_per_sample, number,
        lines_of_keys(experiment_.text, experiment_.file, shared_keys));
    const ConfigSource source(experiment_.file, text);
    const Experiment items = read_experiment(source, experiment_.catalog());
    SweepOptions options;
    options.directory = directory_;
    options.command = "advise --probe";
    options.overwrite = true;
    const int code = run_sweep(items, options);
    if (code == 130) throw UserError("interrupted");
    if (code != 0)
      throw UserError(fmt::format("the walker could not be measured: see {}", directory_));
    return found(items);
  }

 private:
  ProbedItems found(const Experiment& items) const {
    ProbedItems all;
    const std::string file = fmt::format("{}/items.csv", directory_);
    all.file = std::filesystem::absolute(file).lexically_normal().string();
    for (const Record& record : read_records(directory_, items.measured(), experiment_.catalog())) {
      const int size = static_cast<int>(record.task.measurement().options.integer("group_size"));
      const auto& figures = record.outcome.figures;
      if (const auto time = figures.find("time_median_s"); time != figures.end())
        all.item_s[size] = time->second;
      all.cores = record.outcome.where.cores;
    }
    if (!all.item_s.contains(1))
      throw UserError(fmt::format("{}: no measurement of items on one rank", file));
    return all;
  }

  const Experiment& experiment_;
  std::string name_;
  std::string directory_;
  int ranks_ = 1;
};

}  // namespace

std::vector<std::pair<std::string, std::string>> ProbedItems::keys() const {
  return {{"item_ms", fmt::format("{:.4g}", alone_ms())},
          {"speedup", fmt::format("{{kind: measured, items_file: '{}'}}", file)}};
}

std::string ProbedItems::text() const {
  std::string text;
  for (const auto& [ranks, seconds] : item_s) {
    const double faster = item_s.at(1) / seconds;
    text += fmt::format("  {:<9} {:<9}", counted(ranks, "rank"), in_fitting_unit(seconds));
    if (ranks > 1) {
      text += faster >= 1 ? fmt::format(" {:.2f} × as fast", faster)
                          : fmt::format(" {:.3g} × as slow", 1 / faster);
    }
    text += ranks > cores ? fmt::format(", on {} cores\n", cores) : "\n";
  }
  return text;
}

ProbedItems probe(const Experiment& experiment, double seconds) {
  check(experiment);
  const ItemProbe probe(experiment);
  const ProbedItems first = probe.measure(1, 1);
  double one_item_s = 0;
  for (const auto& [ranks, item_s] : first.item_s) one_item_s += item_s;
  const double items = seconds / 2 / (one_item_s * (item_samples + discarded));
  constexpr double most = 1000;
  return probe.measure(static_cast<int>(std::clamp(std::floor(items), 1.0, most)), item_samples);
}

}  // namespace regroup
