// SPDX-License-Identifier: BSD-3-Clause
#include "driver/config/experiment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <type_traits>
#include <unordered_set>

#include "driver/config/read_experiment.hpp"
#include "library/resolve.hpp"
#include "regroup/catalog.hpp"
#include "regroup/numbers.hpp"

namespace regroup {
namespace {

bool draws_items(const Scenario& run) {
  return find_entry(standard_catalog().workloads, run.workload.name)->draws;
}

bool draws_wants(const Scenario& run) {
  return find_entry(standard_catalog().wants, run.wants.name)->draws;
}

bool draws_decisions(const Scenario& run) {
  return find_entry(standard_catalog().balancers, run.balancer.name)->draws(run.balancer.options);
}

/// Names a settled measurement: two have it in common exactly where they are the same.
std::uint64_t number_of(const Scenario& m) {
  std::string key = fmt::format("{} {} {} {} {} {}", m.repetition, m.seed, m.waiting, m.ranks,
                                m.ranks_per_node, m.order);
  for (const auto& [name, value] : m.measure.options) key += ' ' + value;
  key += fmt::format(" {} {}", m.item_ms, m.walker.name);
  for (const auto& [name, value] : m.walker.options) key += ' ' + value;
  return hash_number(key);
}

/// What `of` answers for each value of an axis.
template <class Of>
auto of_each(const Grid<Scenario>& grid, std::size_t axis, Of of) {
  std::vector<std::decay_t<std::invoke_result_t<Of, const Scenario&>>> all;
  for (std::size_t value = 0; value < grid.values(axis); ++value) {
    all.push_back(std::invoke(of, grid.at(grid.with(0, axis, value))));
  }
  return all;
}

}  // namespace

bool draws(const Scenario& run) {
  return draws_items(run) || (draws_wants(run) && heeds_wants(run)) || run.jitter > 0 ||
         draws_decisions(run);
}

Experiment::Experiment(Configuration configuration, Grid<Scenario> grid,
                       std::map<std::string, std::string> hashes)
    : Configuration(std::move(configuration)),
      grid_(std::move(grid)),
      origin_(grid_.at(0)),
      hashes_(std::move(hashes)) {
  axis_.ranks = grid_.axis("ranks");
  axis_.ranks_per_node = grid_.axis("ranks_per_node");
  ranks_ = of_each(grid_, axis_.ranks, &Scenario::ranks);
  ranks_per_node_ = of_each(grid_, axis_.ranks_per_node, &Scenario::ranks_per_node);
}

void Experiment::enumerate() { of_runs() ? enumerate_runs() : enumerate_measurements(); }

void Experiment::enumerate_runs() {
  axis_ = {grid_.axis("repetitions"), grid_.axis("engine"),    grid_.axis("seed"),
           grid_.axis("waiting"),     grid_.axis("timeout_s"), grid_.axis("workload"),
           grid_.axis("wants"),       grid_.axis("costs"),     grid_.axis("jitter"),
           grid_.axis("walker"),      grid_.axis("ranks"),     grid_.axis("ranks_per_node"),
           grid_.axis("rank_order"),  grid_.axis("balancers"), grid_.axis("group_size"),
           grid_.axis("groups")};
  engines_ = of_each(grid_, axis_.engine, [](const Scenario& run) { return &engine_of(run); });
  workload_draws_ = of_each(grid_, axis_.workload, draws_items);
  wants_draws_ = of_each(grid_, axis_.wants, draws_wants);
  heeds_wants_ =
      of_each(grid_, axis_.balancers, [](const Scenario& run) { return heeds_wants(run); });
  jitter_draws_ = of_each(grid_, axis_.jitter, [](const Scenario& run) { return run.jitter > 0; });
  balancer_draws_ = of_each(grid_, axis_.balancers, draws_decisions);
  order_draws_ =
      of_each(grid_, axis_.order, [](const Scenario& run) { return run.order == "random"; });
  equal_groups_ =
      of_each(grid_, axis_.groups, [](const Scenario& run) { return run.groups == equal_groups; });
  const auto balancers = of_each(grid_, axis_.balancers, &Scenario::balancer);
  for (std::size_t i = 0; i < balancers.size(); ++i) {  // communicators vary fastest
    const bool same = i > 0 && balancers[i] == balancers[i - 1];
    same_balancer_.push_back(same ? same_balancer_.back() : i);
  }
  for (std::size_t i = 0; i < grid_.size(); ++i) {
    if (!repeats_another(i)) kept_.push_back(static_cast<std::uint32_t>(i));
  }
}

void Experiment::each(const std::vector<std::string_view>& parameters,
                      const std::function<void(std::size_t)>& visit, std::size_t from) const {
  std::vector<std::size_t> axes;
  for (const std::string_view parameter : parameters) axes.push_back(grid_.axis(parameter));
  grid_.each(from, axes, visit);
}

void Experiment::enumerate_measurements() {
  std::unordered_set<std::uint64_t> seen;
  for (std::size_t i = 0; i < grid_.size(); ++i) {
    Scenario m = grid_.at(i);
    settle(m);
    if (!fits(m)) continue;
    if (seen.insert(number_of(m)).second) kept_.push_back(static_cast<std::uint32_t>(i));
  }
}

bool Experiment::draws(std::size_t i) const {
  return workload_draws_[grid_.value(i, axis_.workload)] ||
         (wants_draws_[grid_.value(i, axis_.wants)] &&
          heeds_wants_[grid_.value(i, axis_.balancers)]) ||
         jitter_draws_[grid_.value(i, axis_.jitter)] ||
         balancer_draws_[grid_.value(i, axis_.balancers)];
}

/// … by the seed alone: all repetitions have the same.
bool Experiment::draws_order(std::size_t i) const {
  return ranks_per_node_[grid_.value(i, axis_.ranks_per_node)] > 0 &&
         order_draws_[grid_.value(i, axis_.order)];
}

bool Experiment::repeats_another(std::size_t i) const {
  if (grid_.value(i, axis_.timeout) > 0) return true;
  const bool told = !equal_groups_[grid_.value(i, axis_.groups)];
  if (told && grid_.value(i, axis_.group_size) > 0) return true;
  if (!engines_[grid_.value(i, axis_.engine)]->exact) return grid_.value(i, axis_.costs) > 0;
  const bool no_nodes = ranks_per_node_[grid_.value(i, axis_.ranks_per_node)] == 0;
  if (no_nodes && grid_.value(i, axis_.order) > 0) return true;
  if (draws(i)) return false;
  return grid_.value(i, axis_.repetition) > 0 ||
         (grid_.value(i, axis_.seed) > 0 && !draws_order(i));
}

Scenario Experiment::at(std::size_t place) const {
  Scenario task = grid_.at(kept_[place]);
  if (!task.is_run()) {
    settle(task);
    return task;
  }
  if (!engine(place).exact) task.costs = {};
  if (engine(place).exact && task.ranks_per_node == 0) task.order = Scenario().order;
  // What is in the files that a run reads is part of the run: results of other contents are results
  // of another run.
  for (const std::string& input : InputFiles::of(task)) task.inputs += hashes_.at(input);
  return task;
}

const EngineEntry& Experiment::engine(std::size_t place) const {
  return of_runs() ? *engines_[grid_.value(kept_[place], axis_.engine)] : engine_of(origin_);
}

bool Experiment::writes_states() const {
  if (!of_runs()) return false;
  const auto saved = of_each(grid_, grid_.axis("save_every"), &Scenario::save_every);
  return std::ranges::any_of(saved, [](int items) { return items > 0; });
}

int Experiment::ranks(std::size_t place) const {
  return ranks_[grid_.value(kept_[place], axis_.ranks)];
}

int Experiment::ranks_per_node(std::size_t place) const {
  return ranks_per_node_[grid_.value(kept_[place], axis_.ranks_per_node)];
}

std::size_t Experiment::problem(std::size_t place) const {
  std::size_t same = kept_[place];
  const auto whatever = [&](std::size_t axis) { same = grid_.with(same, axis, 0); };
  whatever(axis_.waiting);
  whatever(axis_.timeout);
  whatever(axis_.walker);
  if (!draws(same)) {
    whatever(axis_.repetition);
    if (!engine(place).exact || !draws_order(same)) whatever(axis_.seed);
  }
  if (engine(place).exact) return same;
  // The first other engine stands for all of them, and a balancer's first communicator for all.
  const auto other = std::ranges::find(engines_, false, &EngineEntry::exact);
  same = grid_.with(same, axis_.engine, static_cast<std::size_t>(other - engines_.begin()));
  return grid_.with(same, axis_.balancers, same_balancer_[grid_.value(same, axis_.balancers)]);
}

}  // namespace regroup
