// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/configuration/experiment.hpp"

#include "jobs/catalog/catalog.hpp"
#include "jobs/configuration/input_files.hpp"
#include "kernel/numbers/parse.hpp"
#include "kernel/workloads/workload.hpp"

namespace regroup {
namespace {

Scenario origin(const Configuration& configuration) {
  Scenario run;
  run.experiment = configuration.name;
  return run;
}

/// What is in the files that a run reads is part of the run: results of other contents are results
/// of another run.
std::string inputs_of(const ExperimentLists& lists, const Scenario& run) {
  std::string inputs;
  for (const std::string& file : InputFiles::of(run)) inputs += lists.hashes.at(file);
  return inputs;
}

bool draws_items(const Choice& workload) {
  return find_entry(standard_catalog().workloads, workload.name)->draws;
}

bool draws_decisions(const Choice& balancer) {
  return find_entry(standard_catalog().balancers, balancer.name)->draws(balancer.options);
}

}  // namespace

bool draws(const Scenario& run) {
  return draws_items(run.workload) || run.jitter > 0 || draws_decisions(run.balancer);
}

Experiment::Experiment(Configuration configuration, ExperimentLists all)
    : Configuration(std::move(configuration)),
      lists_(std::make_shared<const ExperimentLists>(std::move(all))),
      grid_(origin(*this)) {
  const auto cross = [&](std::string_view parameter, const auto& list, auto set) {
    return grid_.cross(
        parameter, list.size(),
        [lists = lists_, &list, set](Scenario& run, std::size_t i) { set(run, list.at(i)); });
  };
  using Text = const std::string&;
  const ExperimentLists& l = *lists_;
  axis_.repetition = grid_.cross("repetitions", l.repetitions, [](Scenario& run, std::size_t i) {
    run.repetition = static_cast<int>(i) + 1;
  });
  axis_.engine = cross("engine", l.engines, [](Scenario& run, Text v) { run.engine = v; });
  axis_.seed = cross("seed", l.seeds,
                     [](Scenario& run, Text v) { run.seed = parse<std::uint64_t>(v).value(); });
  axis_.waiting = cross("waiting", l.waitings, [](Scenario& run, Text v) { run.waiting = v; });
  axis_.timeout = cross("timeout_s", l.timeouts_s,
                        [](Scenario& run, Text v) { run.timeout_s = parse<double>(v).value(); });
  axis_.workload =
      cross("workload", l.workloads, [](Scenario& run, Choice v) { run.workload = std::move(v); });
  axis_.costs = cross("costs", l.costs, [](Scenario& run, Choice v) { run.costs = std::move(v); });
  axis_.speedup =
      cross("speedup", l.speedups, [](Scenario& run, Choice v) { run.speedup = std::move(v); });
  axis_.jitter = cross("jitter", l.jitters,
                       [](Scenario& run, Text v) { run.jitter = parse<double>(v).value(); });
  axis_.walker = cross("walker", l.walkers, [](Scenario& run, Text v) { run.walker = v; });
  axis_.item_ms = cross("item_ms", l.items_ms,
                        [](Scenario& run, Text v) { run.item_ms = parse<double>(v).value(); });
  axis_.group_size = cross("group_size", l.group_sizes,
                           [](Scenario& run, Text v) { run.group_size = parse<int>(v).value(); });
  axis_.ranks =
      cross("ranks", l.ranks, [](Scenario& run, Text v) { run.ranks = parse<int>(v).value(); });
  axis_.balancing = cross("balancers", l.balancings, [](Scenario& run, auto v) {
    run.balancer = std::move(v.first);
    run.communicator = std::move(v.second);
  });
}

void Experiment::enumerate() {
  for (std::size_t i = 0; i < lists_->workloads.size(); ++i) {
    workload_draws_.push_back(draws_items(lists_->workloads.at(i)));
  }
  for (std::size_t i = 0; i < lists_->balancings.size(); ++i) {
    balancing_draws_.push_back(draws_decisions(lists_->balancings.at(i).first));
  }
  for (std::size_t i = 0; i < grid_.size(); ++i) {
    if (!repeats_another(i)) kept_.push_back(static_cast<std::uint32_t>(i));
  }
}

bool Experiment::draws(std::size_t i) const {
  return workload_draws_[grid_.value(i, axis_.workload)] ||
         lists_->jitters[grid_.value(i, axis_.jitter)] != "0" ||
         balancing_draws_[grid_.value(i, axis_.balancing)];
}

bool Experiment::repeats_another(std::size_t i) const {
  if (grid_.value(i, axis_.timeout) > 0) return true;
  if (lists_->engines[grid_.value(i, axis_.engine)] != "virtual") {
    return grid_.value(i, axis_.costs) > 0;
  }
  const bool first = grid_.value(i, axis_.repetition) == 0 && grid_.value(i, axis_.seed) == 0;
  return !first && !draws(i);
}

Scenario Experiment::run(std::size_t place) const {
  Scenario run = grid_.at(kept_[place]);
  if (run.engine != "virtual") run.costs = {};
  run.inputs = inputs_of(*lists_, run);
  return run;
}

std::string_view Experiment::engine(std::size_t place) const {
  return lists_->engines[grid_.value(kept_[place], axis_.engine)];
}

int Experiment::ranks(std::size_t place) const {
  return parse<int>(lists_->ranks[grid_.value(kept_[place], axis_.ranks)]).value();
}

std::size_t Experiment::problem(std::size_t place) const {
  std::size_t same = kept_[place];
  const auto whatever = [&](std::size_t axis) { same = grid_.with(same, axis, 0); };
  whatever(axis_.waiting);
  whatever(axis_.timeout);
  whatever(axis_.walker);
  if (!draws(same)) {
    whatever(axis_.repetition);
    whatever(axis_.seed);
  }
  if (engine(place) == "virtual") return same;
  // The first other engine stands for all of them, and a balancer's first communicator for all.
  std::size_t other = 0;
  while (lists_->engines[other] == "virtual") ++other;
  same = grid_.with(same, axis_.engine, other);
  const std::size_t balancing = grid_.value(same, axis_.balancing);
  const auto [part, within] = lists_->balancings.find(balancing);
  const std::size_t communicators = lists_->balancings.parts()[part].communicators.size();
  return grid_.with(same, axis_.balancing, balancing - within % communicators);
}

}  // namespace regroup
