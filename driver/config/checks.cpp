// SPDX-License-Identifier: BSD-3-Clause
#include "driver/config/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <span>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "driver/config/fault_plans.hpp"
#include "engines/virtual/pace.hpp"
#include "kernel/faults.hpp"
#include "kernel/text/plain_text.hpp"
#include "kernel/text/terminal.hpp"
#include "library/resolve.hpp"
#include "regroup/measurement.hpp"

namespace regroup {
namespace {

/// Calls `visit` with a task for each combination of the values of `parameters`.
void each_task(const Experiment& experiment, const std::vector<std::string_view>& parameters,
               const std::function<void(const Task&)>& visit) {
  experiment.each(parameters, [&](std::size_t i) { visit(experiment.grid().at(i)); });
}

/// Returns whether any value of the axis `key` reads a file.
bool names_files(const Experiment& experiment, std::string_view key) {
  bool any = false;
  each_task(experiment, {key}, [&](const Task& task) { any |= !InputFiles::of(task).empty(); });
  return any;
}

/// Calls `act` and reports its exception at the key `key`, with the hint `allowed`.
template <class Act>
void check_at(const ConfigReader& reader, std::string_view key, const std::string& allowed,
              Act act) {
  std::string wrong;
  try {
    act();
    return;
  } catch (const UserError& error) {
    wrong = error.what();
  } catch (const std::invalid_argument& error) {
    wrong = error.what();
  }
  reader.fail(key, wrong, allowed);
}

/// Checks that traces exist and have a row for each walker.
void check_traces(const ConfigReader& reader, const Experiment& experiment) {
  if (!names_files(experiment, "workload")) return;
  std::set<std::pair<std::string, std::size_t>> checked;
  each_task(experiment,
            {"workload", "walkers_in_all", "walkers_per_group", "group_size", "groups", "ranks"},
            [&](const Task& task) {
              const std::size_t walkers = walkers_of(task);
              const auto& workload = task.run().workload;
              if (!checked.emplace(text_of(workload->name, workload.options), walkers).second)
                return;
              check_at(reader, "workload",
                       fmt::format("a run of {} ranks in groups of {} needs items for {} walkers",
                                   task.ranks, task.run().group_size, walkers),
                       [&] { initial_items(task); });
            });
}

/// Checks that workloads with recorded item times are not given other times or extra items.
void check_recorded(const ConfigReader& reader, const Experiment& experiment) {
  for (const std::string_view key : {"true_item_ms", "extra_items"}) {
    if (reader.find(key) == nullptr) continue;
    each_task(experiment, {key, "workload", "walker", "engine"}, [&](const Task& task) {
      const bool sets =
          key == "true_item_ms" ? task.run().true_item_ms > 0 : task.run().extra_items > 0;
      if (!sets || !task.has_recorded_times()) return;
      reader.fail(
          key,
          fmt::format("the workload {} {}", task.run().workload->name,
                      key == "true_item_ms" ? "sets the times of items" : "has no more items"),
          "allowed: 0, or another workload");
    });
  }
}

/// Checks that files of measured items exist and contain the data that their model needs.
void check_speedups(const ConfigReader& reader, const Experiment& experiment) {
  for (const std::string_view key : {"speedup", "true_speedup"}) {
    if (key != "speedup" && reader.find(key) == nullptr) continue;
    each_task(experiment, {key}, [&](const Task& task) {
      check_at(reader, key, "give results of measurements of items",
               [&] { key == "speedup" ? believed_time_of(task) : item_time_of(task); });
    });
  }
}

/// Checks that files of measured costs exist and contain the data that the runs need.
void check_costs(const ConfigReader& reader, const Experiment& experiment) {
  if (!names_files(experiment, "costs")) return;
  std::set<std::tuple<std::string, int, const Strategy*>> checked;
  each_task(experiment, {"costs", "ranks", "balancers"}, [&](const Task& task) {
    const auto& costs = task.run().costs;
    const std::string name = text_of(costs->name, costs.options);
    if (!checked.emplace(name, task.ranks, task.run().strategy).second) return;
    check_at(reader, "costs", "give results of measurements of creation and of steps",
             [&] { costs_of(task); });
  });
}

/// Checks that a configured launcher uses the number of ranks per node if and only if
/// `ranks_per_node` is set. Launchers of jobs are checked when ranks are launched.
void check_nodes(const ConfigReader& reader, const Experiment& experiment) {
  const ConfigNode* launcher = reader.find("launcher");
  if (launcher == nullptr || launcher->text.empty()) return;
  const auto uses = [&](std::string_view word) { return launcher->text.find(word) != word.npos; };
  const bool told = uses("{nodes}") || uses("{ranks_per_node}");
  std::vector<std::string_view> axes{"ranks", "ranks_per_node"};
  if (experiment.of_runs()) axes.push_back("engine");
  each_task(experiment, axes, [&](const Task& task) {
    if (told && task.ranks_per_node == 0 && !task.is_exact()) {
      reader.fail(*launcher,
                  fmt::format("the launcher uses {}, but ranks_per_node is not set",
                              uses("{nodes}") ? "{nodes}" : "{ranks_per_node}"),
                  "give ranks_per_node, from 1 on");
    }
    const bool matters = task.ranks_per_node > 0 && task.ranks > task.ranks_per_node;
    if (told || !matters || !task.is_real()) return;
    reader.fail("ranks_per_node",
                fmt::format("ranks_per_node is {} for {} ranks, but the launcher does not use it",
                            task.ranks_per_node, task.ranks),
                "set a launcher that contains {ranks_per_node} or {nodes}");
  });
}

void check_ranks(const ConfigReader& reader, const Experiment& experiment) {
  each_task(experiment, {"engine", "ranks"}, [&](const Task& task) {
    const Engine& engine = *task.run().engine;
    if (task.ranks <= engine.most_ranks) return;
    reader.fail("ranks",
                fmt::format("{} ranks are too many for engine {}", task.ranks, engine.name),
                fmt::format("allowed: at most {}", engine.most_ranks));
  });
}

/// Checks that groups contain all ranks, and that the balancers support them.
void check_groups(const ConfigReader& reader, const Experiment& experiment) {
  const ConfigNode* node = reader.find("groups");
  if (node == nullptr) return;
  each_task(experiment, {"groups", "ranks"}, [&](const Task& task) {
    if (task.run().equal_groups_at_start()) return;
    if (const auto number = number_of_groups(task.run().groups)) {
      if (*number <= task.ranks) return;
      reader.fail(*node, fmt::format("{} groups are too many for {} ranks", *number, task.ranks),
                  fmt::format("allowed: at most {}", task.ranks));
    }
    const int ranks = StartingGroups::from(task.run().groups).ranks();
    if (ranks == task.ranks) return;
    reader.fail(
        *reader.find("ranks"),
        fmt::format("{} ranks, and the groups of line {} have {}", task.ranks, node->line, ranks),
        fmt::format("allowed: {}", ranks));
  });
  each_task(experiment, {"groups", "balancers"}, [&](const Task& task) {
    const Run& run = task.run();
    if (run.equal_groups_at_start() || number_of_groups(run.groups)) return;
    const std::string wrong = hindrance(*run.balancer.row, StartingGroups::from(run.groups));
    if (!wrong.empty()) reader.fail(*node, wrong, "allowed: groups of consecutive ranks");
  });
}

/// Checks that there are enough walkers for the initial groups, and enough ranks for their wants.
void check_walkers(const ConfigReader& reader, const Experiment& experiment) {
  const ConfigNode* in_all = reader.find("walkers_in_all");
  const ConfigNode* per_group = reader.find("walkers_per_group");
  const ConfigNode* wants = reader.find("wants");
  if (in_all != nullptr && per_group != nullptr) {
    reader.fail(*in_all, "walkers_in_all and walkers_per_group exclude each other",
                "give one of them");
  }
  const bool counted = in_all != nullptr || per_group != nullptr;
  if (!counted && wants == nullptr) return;
  each_task(
      experiment, {"wants", "walkers_in_all", "walkers_per_group", "group_size", "groups", "ranks"},
      [&](const Task& task) {
        const std::string of =
            fmt::format("of a run of {} ranks in groups of {}", task.ranks, task.run().group_size);
        const auto* key = in_all != nullptr ? "walkers_in_all" : "walkers_per_group";
        if (counted) check_at(reader, key, of, [&] { walkers_of(task); });
        if (wants != nullptr) check_at(reader, "wants", of, [&] { initial_wants(task); });
      });
}

/// Checks that walkers can be created with their options, and Python ones with the program.
void check_walker(const ConfigReader& reader, const Experiment& experiment) {
  if (reader.find("walker") == nullptr) return;
  each_task(experiment, {"walker"}, [&](const Task& task) {
    const auto& walker = task.is_run() ? task.run().walker : task.measurement().walker;
    if (!walker->python.empty() && !experiment.program.empty()) {
      reader.fail("program",
                  fmt::format("the walker {} needs ranks that execute Python", walker->name),
                  "allowed with it: no key 'program'");
    }
    check_at(reader, "walker",
             fmt::format("see walker {} in '{} list walkers'", walker->name, program_call()),
             [&] { walker->make(walker.options, {}); });
  });
}

/// Checks that no key sets the item times of walkers that compute.
void check_own_times(const ConfigReader& reader, const Experiment& experiment) {
  for (const std::string_view key : {"jitter", "true_item_ms", "true_speedup"}) {
    if (reader.find(key) == nullptr) continue;
    each_task(experiment, {key, "walker", "engine"}, [&](const Task& task) {
      const Run& run = task.run();
      const bool sets = key == "jitter"         ? run.jitter > 0
                        : key == "true_item_ms" ? run.true_item_ms > 0
                                                : bool(run.true_speedup);
      if (!sets || !task.has_own_times()) return;
      reader.fail(key, fmt::format("the walker {} takes its own time", run.walker->name),
                  "allowed: the walkers sleep and spin, or the engine virtual");
    });
  }
}

bool has_state(const Run& run) { return run.walker->state_bytes(run.walker.options) > 0; }

/// Checks that walkers with reports have quantities and a state, and that saved ones have a state.
void check_chains(const ConfigReader& reader, const Experiment& experiment) {
  each_task(experiment, {"walker", "report_every", "save_every"}, [&](const Task& task) {
    const Run& run = task.run();
    const bool observes = !run.walker->quantities.empty();
    if (run.report_every > 0 && (!observes || !has_state(run))) {
      reader.fail("report_every",
                  fmt::format("the walker {} {} to report", run.walker->name,
                              observes ? "has no state, and nothing" : "observes nothing"),
                  fmt::format("allowed: 0, or a walker that observes: see '{} list walkers'",
                              program_call()));
    }
    if (run.writes_states() && !has_state(run)) {
      const bool saves = run.save_every > 0;
      reader.fail(saves ? "save_every" : "keep_states",
                  fmt::format("the walker {} has no state to save", run.walker->name),
                  fmt::format("allowed: {}, or a walker with a state: see '{} list walkers'",
                              saves ? "0" : "false", program_call()));
    }
  });
}

/// Checks that faults name existing ranks, and that the run can recover from lost ranks.
void check_faults(const ConfigReader& reader, const Experiment& experiment) {
  if (reader.find("faults") != nullptr) {
    each_task(experiment, {"faults", "ranks"}, [&](const Task& task) {
      const FaultPlan plan = task.run().fault_plan();
      const std::string wrong = plan.complaint(task.ranks);
      if (wrong.empty()) return;
      const auto beyond = std::ranges::find_if(
          plan.faults, [&](const Fault& fault) { return fault.rank >= task.ranks; });
      reader.fail(beyond != plan.faults.end() ? rank_in_faults(reader, beyond->rank)
                                              : *reader.find("faults"),
                  wrong.substr(0, wrong.find("; ")), wrong.substr(wrong.find("; ") + 2));
    });
    each_task(experiment, {"faults", "on_rank_loss"}, [&](const Task& task) {
      const Run& run = task.run();
      if (run.recovers() || !run.fault_plan().loses_ranks()) return;
      reader.fail("faults", "a run that loses ranks needs on_rank_loss: recover",
                  "allowed: slow, or on_rank_loss: recover");
    });
  }
  if (reader.find("on_rank_loss") == nullptr) return;
  each_task(experiment, {"on_rank_loss", "walker", "save_every"}, [&](const Task& task) {
    const Run& run = task.run();
    if (!run.recovers()) return;
    if (exchange_messages(run.walker)) {
      reader.fail("on_rank_loss",
                  fmt::format("the chains of {} exchange messages, which get lost with a rank",
                              run.walker->name),
                  "allowed: end, or another walker");
    }
    if (run.walker->timed || !has_state(run) || run.save_every > 0) return;
    reader.fail(
        "on_rank_loss",
        fmt::format("the walker {} has a state, which gets lost with a rank", run.walker->name),
        "give save_every, from 1 on");
  });
}

/// Checks that chains that exchange messages can deadlock neither with each other nor by balancers.
void check_exchanges(const ConfigReader& reader, const Experiment& experiment) {
  bool any = false;
  each_task(experiment, {"walker", "balancers"}, [&](const Task& task) {
    const Run& run = task.run();
    any |= exchange_messages(run.walker);
    const std::string wrong = hindrance(*run.balancer.row, run.walker);
    if (!wrong.empty()) reader.fail("balancers", wrong, "allowed: another balancer or walker");
  });
  if (!any) return;
  each_task(experiment,
            {"workload", "walkers_in_all", "walkers_per_group", "group_size", "groups", "ranks",
             "walker", "seed", "repetitions"},
            [&](const Task& task) {
              check_at(reader, "walker", "see `needs` of that walker",
                       [&] { messages_between(task, initial_items(task)); });
            });
}

/// Checks that only chains that exchange no messages may end alone, and that only these have a time
/// limit for items, which must be shorter than that of the run.
void check_chain_errors(const ConfigReader& reader, const Experiment& experiment) {
  each_task(experiment,
            {"walker", "chain_errors", "item_timeout_s", "timeout_s", "on_rank_loss", "engine"},
            [&](const Task& task) {
              const Run& run = task.run();
              if (run.errors_end_chain() && exchange_messages(run.walker)) {
                reader.fail("chain_errors", hindrance_to_ending_chains(run.walker->name),
                            fmt::format("allowed: {}, or another walker", end_run));
              }
              if (run.item_timeout_s == 0) return;
              if (!run.errors_end_chain()) {
                reader.fail("item_timeout_s", "item_timeout_s has no effect if errors end the run",
                            fmt::format("allowed: 0, or chain_errors: {}", end_chain));
              }
              if (!run.recovers() && !task.is_exact()) {
                reader.fail("item_timeout_s", "a rank is lost if its item takes too long",
                            "needs on_rank_loss: recover");
              }
              if (run.item_timeout_s < task.timeout_s) return;
              reader.fail(
                  "item_timeout_s",
                  fmt::format("item_timeout_s is {:g} s, and timeout_s of the run is {:g} s",
                              run.item_timeout_s, task.timeout_s),
                  "allowed: less than timeout_s");
            });
}

/// Checks that stopping rules can be met.
void check_until(const ConfigReader& reader, const Experiment& experiment) {
  for (const std::string_view key : {"until_r_hat", "until_effective_samples"}) {
    const ConfigNode* node = reader.find(key);
    if (node == nullptr) continue;
    each_task(experiment,
              {"ranks", "group_size", "groups", "walkers_per_group", "walkers_in_all", "workload",
               "walker", "report_every", "thin", "keep_draws", "repetitions", "seed", key},
              [&](const Task& task) {
                const Run& run = task.run();
                const StoppingRule rule = key == "until_r_hat"
                                              ? StoppingRule{run.until_r_hat, 0}
                                              : StoppingRule{0, run.until_effective_samples};
                if (!rule.asked()) return;
                if (const auto found = complaint(rule, initial_items(task), report_plan_of(task))) {
                  reader.fail(*node, found->wrong, found->allowed);
                }
              });
  }
}

/// Checks that the longest walker ends within the range of virtual time, even if its group never
/// grows. Stops after a bounded amount of work; runs that it misses fail when they are executed.
void check_virtual_time(const ConfigReader& reader, const Experiment& experiment) {
  const Grid& grid = experiment.grid();
  std::size_t looked_at = 0;
  std::int64_t most_items = 0;
  const auto check_items = [&](std::size_t i) {
    looked_at += 16;
    const Task task = grid.at(i);
    const ItemTime time = item_time_of(task);
    const double item_s = std::max(time.seconds(smallest_group(task)), time.seconds(task.ranks));
    if (static_cast<double>(most_items) * item_s < seconds(last_tick)) return;
    reader.fail("item_ms",
                fmt::format("{} items of a walker, {:g} s each, exceed the range of virtual time",
                            most_items, item_s),
                fmt::format("allowed: {:.3g} s in all", seconds(last_tick)));
  };
  const auto check_groups = [&](std::size_t i) {
    if (looked_at > 1 << 20) return;
    const std::vector<std::int64_t> items = initial_items(grid.at(i));
    most_items = std::ranges::max(items);
    looked_at += items.size() + 16;
    experiment.each({"speedup", "item_ms", "true_speedup", "true_item_ms"}, check_items, i);
  };
  const auto check_engine = [&](std::size_t i) {
    if (!grid.at(i).is_exact()) return;
    experiment.each(
        {"workload", "walkers_in_all", "walkers_per_group", "group_size", "groups", "ranks"},
        check_groups, i);
  };
  experiment.each({"engine"}, check_engine);
}

/// Checks that each value of an option is possible with some number of ranks.
void check_options_fit(const ConfigReader& reader, const Experiment& experiment) {
  const Grid& grid = experiment.grid();
  for (const OptionSpec& spec : experiment.measured()->options) {
    const ConfigNode* node = reader.find(spec.name);
    if (node == nullptr || node->text == "all") continue;
    const bool list = node->kind == ConfigNode::Kind::list;
    const std::span<const ConfigNode> items = list ? std::span(node->items) : std::span(node, 1);
    const std::size_t axis = grid.axis(spec.name);
    std::vector<bool> fits(grid.values(axis));
    for (std::size_t i = 0; i < grid.size(); ++i) {
      if (fits[grid.value(i, axis)]) continue;
      Task task = grid.at(i);
      settle(task.measurement(), task.ranks);
      if (!is_left_out(task.measurement(), task.ranks)) fits[grid.value(i, axis)] = true;
    }
    for (std::size_t value = 0; value < fits.size(); ++value) {
      if (fits[value]) continue;
      reader.fail(items[value],
                  fmt::format("{} {} is not possible with any value of ranks", spec.name,
                              items[value].text),
                  "change ranks, or remove this value");
    }
  }
}

}  // namespace

void check_combinations(const ConfigReader& reader, const Experiment& experiment) {
  check_walker(reader, experiment);
  check_nodes(reader, experiment);
  if (!experiment.of_runs()) return;
  check_ranks(reader, experiment);
  check_groups(reader, experiment);
  check_walkers(reader, experiment);
  check_own_times(reader, experiment);
  check_chains(reader, experiment);
  check_traces(reader, experiment);
  check_exchanges(reader, experiment);
  check_faults(reader, experiment);
  check_chain_errors(reader, experiment);
  check_recorded(reader, experiment);
  check_until(reader, experiment);
  check_speedups(reader, experiment);
  check_costs(reader, experiment);
  check_virtual_time(reader, experiment);
}

void check_tasks(const ConfigReader& reader, const Experiment& experiment) {
  if (experiment.of_runs()) return;
  check_options_fit(reader, experiment);
  const OptionSpec* size = find_entry(experiment.measured()->options, "group_size");
  if (size == nullptr || reader.find(size->name) != nullptr) return;
  for (std::size_t i = 0; i < experiment.size(); ++i) {
    if (experiment.at(i).measurement().options.integer(size->name) != 0) continue;
    reader.fail(reader.root(), "'group_size' is missing", "allowed: " + allowed(*size));
  }
}

}  // namespace regroup
