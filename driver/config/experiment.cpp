// SPDX-License-Identifier: BSD-3-Clause
#include "driver/config/experiment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <type_traits>
#include <unordered_set>

#include "kernel/text/plain_text.hpp"
#include "library/resolve.hpp"
#include "regroup/measurement.hpp"
#include "regroup/numbers.hpp"

namespace regroup {
namespace {

bool draws_items(const Task& task) { return task.run().workload->draws; }
bool draws_wants(const Task& task) { return task.run().wants->draws; }
bool draws_decisions(const Task& task) {
  const auto& balancer = task.run().balancer;
  return balancer->draws(balancer.options);
}
bool draws_faults(const Task& task) { return task.run().fault_plan().draws(); }
bool draws_times(const Task& task) { return task.run().jitter > 0; }

/// Returns the result of `of` for a task with each value of an axis.
template <class Of>
auto of_each(const Grid& grid, std::size_t axis, Of of) {
  std::vector<std::decay_t<std::invoke_result_t<Of, const Task&>>> all;
  for (std::size_t value = 0; value < grid.values(axis); ++value) {
    all.push_back(std::invoke(of, grid.at(grid.with(0, axis, value))));
  }
  return all;
}

}  // namespace

bool draws(const Task& task) {
  return draws_items(task) || (draws_wants(task) && heeds_wants(task)) || draws_times(task) ||
         draws_decisions(task) || draws_faults(task);
}

Experiment::Experiment(const Catalog& catalog, Configuration configuration, Grid grid,
                       std::vector<Exclusion> exclusions)
    : Configuration(std::move(configuration)),
      catalog_(&catalog),
      grid_(std::move(grid)),
      origin_(grid_.at(0)),
      exclusions_(std::move(exclusions)) {
  axis_.repetition = grid_.axis("repetitions");
  axis_.ranks = grid_.axis("ranks");
  axis_.ranks_per_node = grid_.axis("ranks_per_node");
  ranks_ = of_each(grid_, axis_.ranks, &Task::ranks);
  ranks_per_node_ = of_each(grid_, axis_.ranks_per_node, &Task::ranks_per_node);
  if (!of_runs()) return;
  for (const char* axis : {"workload", "wants", "speedup", "walker", "balancers", "costs"}) {
    of_each(grid_, grid_.axis(axis), [this](const Task& task) {
      files_.read(task);
      return true;
    });
  }
}

const MeasurementKind* Experiment::measured() const {
  return of_runs() ? nullptr : origin_.measurement().kind;
}

std::optional<std::size_t> Experiment::enumerate() {
  if (of_runs()) prepare_runs();
  std::vector<bool> met(exclusions_.size());
  // With exclusions or shared axes, an index does not show whether a run repeats another.
  const bool by_identity = !of_runs() || !exclusions_.empty() || grid_.has_shared_axes();
  std::unordered_set<std::uint64_t> seen;
  for (std::size_t i = 0; i < grid_.size(); ++i) {
    if (!by_identity) {
      if (!repeats_another(i)) kept_.push_back(static_cast<std::uint32_t>(i));
      continue;
    }
    const Task task = task_of(i);
    if (!task.is_run() && is_left_out(task.measurement(), task.ranks)) continue;
    bool excluded = false;
    for (std::size_t one = 0; one < exclusions_.size(); ++one) {
      if (!exclusions_[one].matches(task)) continue;
      met[one] = excluded = true;
    }
    if (excluded) {
      ++excluded_;
    } else if (seen.insert(identity(i, task)).second) {
      kept_.push_back(static_cast<std::uint32_t>(i));
    }
  }
  const auto vain = std::ranges::find(met, false);
  if (vain == met.end()) return std::nullopt;
  return static_cast<std::size_t>(vain - met.begin());
}

void Experiment::prepare_runs() {
  axis_ = {grid_.axis("repetitions"), grid_.axis("engine"),    grid_.axis("seed"),
           grid_.axis("waiting"),     grid_.axis("timeout_s"), grid_.axis("workload"),
           grid_.axis("wants"),       grid_.axis("costs"),     grid_.axis("jitter"),
           grid_.axis("walker"),      grid_.axis("ranks"),     grid_.axis("ranks_per_node"),
           grid_.axis("rank_order"),  grid_.axis("balancers"), grid_.axis("group_size"),
           grid_.axis("groups"),      grid_.axis("faults")};
  engines_ = of_each(grid_, axis_.engine, [](const Task& task) { return task.run().engine; });
  workload_draws_ = of_each(grid_, axis_.workload, draws_items);
  wants_draws_ = of_each(grid_, axis_.wants, draws_wants);
  heeds_wants_ = of_each(grid_, axis_.balancers, heeds_wants);
  jitter_draws_ = of_each(grid_, axis_.jitter, draws_times);
  balancer_draws_ = of_each(grid_, axis_.balancers, draws_decisions);
  order_draws_ =
      of_each(grid_, axis_.order, [](const Task& task) { return task.rank_order == "random"; });
  equal_groups_ = of_each(grid_, axis_.groups,
                          [](const Task& task) { return task.run().equal_groups_at_start(); });
  faults_draw_ = of_each(grid_, axis_.faults, draws_faults);
  const auto balancers =
      of_each(grid_, axis_.balancers, [](const Task& task) { return task.run().balancer; });
  for (std::size_t i = 0; i < balancers.size(); ++i) {  // communicators vary fastest
    const bool same =
        i > 0 && balancers[i] == balancers[i - 1] && !grid_.is_shared(axis_.balancers);
    same_balancer_.push_back(same ? same_balancer_.back() : i);
  }
}

void Experiment::each(const std::vector<std::string_view>& parameters,
                      const std::function<void(std::size_t)>& visit, std::size_t from) const {
  const std::vector<std::size_t> axes = grid_.axes(parameters);
  std::vector<const Exclusion*> decided;  // depend only on these parameters
  for (const Exclusion& exclusion : exclusions_) {
    const auto asked = grid_.axes(exclusion.keys());
    const bool all = std::ranges::all_of(
        asked, [&](std::size_t axis) { return std::ranges::count(axes, axis) > 0; });
    if (all) decided.push_back(&exclusion);
  }
  grid_.each(from, axes, [&](std::size_t i) {
    const auto excludes = [&](const Exclusion* one) { return one->matches(grid_.at(i)); };
    if (std::ranges::none_of(decided, excludes)) visit(i);
  });
}

bool Experiment::draws(std::size_t i) const {
  return workload_draws_[grid_.value(i, axis_.workload)] ||
         (wants_draws_[grid_.value(i, axis_.wants)] &&
          heeds_wants_[grid_.value(i, axis_.balancers)]) ||
         jitter_draws_[grid_.value(i, axis_.jitter)] ||
         balancer_draws_[grid_.value(i, axis_.balancers)] ||
         faults_draw_[grid_.value(i, axis_.faults)];
}

/// Returns whether the seed draws the order of ranks, which is the same for all repetitions.
bool Experiment::draws_order(std::size_t i) const {
  return ranks_per_node_[grid_.value(i, axis_.ranks_per_node)] > 0 &&
         order_draws_[grid_.value(i, axis_.order)];
}

bool Experiment::repeats_another(std::size_t i) const {
  if (grid_.value(i, axis_.timeout) > 0) return true;
  const bool named = !equal_groups_[grid_.value(i, axis_.groups)];
  if (named && grid_.value(i, axis_.group_size) > 0) return true;
  if (!engines_[grid_.value(i, axis_.engine)]->exact) return grid_.value(i, axis_.costs) > 0;
  const bool no_nodes = ranks_per_node_[grid_.value(i, axis_.ranks_per_node)] == 0;
  if (no_nodes && grid_.value(i, axis_.order) > 0) return true;
  if (draws(i)) return false;
  return grid_.value(i, axis_.repetition) > 0 ||
         (grid_.value(i, axis_.seed) > 0 && !draws_order(i));
}

std::uint64_t Experiment::identity(std::size_t i, Task task) const {
  if (task.is_exact() && !draws(i)) {
    task.repetition = 1;
    if (!draws_order(i)) task.seed = 0;
  }
  return hash_from(fingerprint(task)).value();
}

Task Experiment::at(std::size_t index) const { return task_of(kept_[index]); }

Task Experiment::task_of(std::size_t combination) const {
  Task task = grid_.at(combination);
  if (!task.is_run()) {
    settle(task.measurement(), task.ranks);
    return task;
  }
  Run& run = task.run();
  if (!run.engine->exact) run.costs = {};
  if (run.engine->exact && task.ranks_per_node == 0) task.rank_order = Task().rank_order;
  // The contents of the files that a run reads are part of the run: with other contents it is
  // another run.
  run.inputs = files_.hash(task).value_or("");
  return task;
}

const Engine* Experiment::engine(std::size_t index) const {
  return of_runs() ? engines_[grid_.value(kept_[index], axis_.engine)] : nullptr;
}

bool Experiment::writes_states() const {
  if (!of_runs()) return false;
  const auto saves = of_each(grid_, grid_.axis("save_every"),
                             [](const Task& task) { return task.run().writes_states(); });
  return std::ranges::count(saves, true) > 0;
}

int Experiment::ranks(std::size_t index) const {
  return ranks_[grid_.value(kept_[index], axis_.ranks)];
}

int Experiment::repetition(std::size_t index) const {
  return static_cast<int>(grid_.value(kept_[index], axis_.repetition)) + 1;
}

std::size_t Experiment::setting(std::size_t index) const {
  return grid_.with(kept_[index], axis_.repetition, 0);
}

int Experiment::ranks_per_node(std::size_t index) const {
  return ranks_per_node_[grid_.value(kept_[index], axis_.ranks_per_node)];
}

std::size_t Experiment::problem(std::size_t index) const {
  std::size_t same = kept_[index];
  const auto whatever = [&](std::size_t axis, std::size_t value = 0) {
    if (!grid_.is_shared(axis)) same = grid_.with(same, axis, value);
  };
  whatever(axis_.waiting);
  whatever(axis_.timeout);
  whatever(axis_.walker);
  if (!draws(same)) {
    whatever(axis_.repetition);
    if (!is_exact(index) || !draws_order(same)) whatever(axis_.seed);
  }
  if (is_exact(index)) return same;
  // The first engine that is not exact represents all, as does a balancer's first communicator.
  const auto other = std::ranges::find(engines_, false, &Engine::exact);
  whatever(axis_.engine, static_cast<std::size_t>(other - engines_.begin()));
  whatever(axis_.balancers, same_balancer_[grid_.value(same, axis_.balancers)]);
  return same;
}

}  // namespace regroup
