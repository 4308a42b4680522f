// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "engines/mpi/engine.hpp"
#include "library/continuation.hpp"
#include "library/launcher.hpp"
#include "library/refuse.hpp"
#include "library/resolve.hpp"
#include "library/task.hpp"
#include "regroup/engine.hpp"

namespace regroup {
namespace {

void check(const Ensemble& ensemble) {
  if (!ensemble.make) refuse("an ensemble needs a function that makes its walkers");
  if (ensemble.items.empty()) refuse("an ensemble needs the items of each of its chains");
  if (std::ranges::min(ensemble.items) < 0) {
    refuse("a chain has {} items; allowed: at least 0", std::ranges::min(ensemble.items));
  }
  if (ensemble.report_every < 0) {
    refuse("chains report every {} items; allowed: at least 0", ensemble.report_every);
  }
  if (ensemble.thin < 1) {
    refuse("every {} items end with a draw; allowed: from 1 on", ensemble.thin);
  }
  if (ensemble.report_every > 0 && ensemble.quantities.empty()) {
    refuse("an ensemble with reports needs the names of the quantities that its walkers observe");
  }
  if (ensemble.save_every < 0) {
    refuse("states are saved every {} items; allowed: at least 0", ensemble.save_every);
  }
  if ((ensemble.save_every > 0) != !ensemble.states.empty()) {
    refuse("an ensemble needs both save_every and states, the directory, or none of them");
  }
  if (ensemble.chain_errors != end_run && ensemble.chain_errors != end_chain) {
    refuse("chain_errors is '{}'; allowed: {}, {}", ensemble.chain_errors, end_run, end_chain);
  }
  if (ensemble.chain_errors == end_chain && ensemble.exchanges) {
    refuse("{}", hindrance_to_ending_chains("the ensemble"));
  }
  const ReportPlan plan{ensemble.report_every, ensemble.thin, 0, ensemble.keep_draws};
  if (const auto found = complaint(ensemble.enough, ensemble.items, plan)) {
    refuse("{}; {}", found->wrong, found->allowed);
  }
}

/// Returns the task of the ensemble on `ranks` ranks.
Task task_of(const Ensemble& ensemble, int ranks, const Catalog& catalog) {
  const Choice& balancer = ensemble.balancer;
  Task task = run_of(catalog, {{"ranks", std::to_string(ranks)},
                               {"group_size", std::to_string(ensemble.group_size)},
                               {"item_ms", fmt::format("{}", ensemble.item_ms)},
                               {"walkers_in_all", std::to_string(ensemble.items.size())},
                               {"balancer", text_of(balancer.name, balancer.options)},
                               {"communicator", ensemble.strategy},
                               {"waiting", ensemble.waiting},
                               {"seed", std::to_string(ensemble.seed)}});
  Run& run = task.run();
  if (run.balancer->regrouping == Regrouping::never) {
    run.strategy = nullptr;
  } else if (run.strategy == nullptr) {
    refuse("an ensemble whose groups merge needs a strategy");
  } else if (const std::string wrong = hindrance(*run.balancer.row, *run.strategy);
             !wrong.empty()) {
    refuse("{}", wrong);
  }
  if (const std::string wrong = hindrance_to_exchanges(*run.balancer.row, "the ensemble");
      ensemble.exchanges && !wrong.empty()) {
    refuse("{}", wrong);
  }
  walkers_of(task);  // throws if there are too few or too many
  return task;
}

StateFiles state_files(const Ensemble& ensemble) {
  return {ensemble.states,
          fmt::format("ensemble chains={} seed={} report_every={} thin={} keep_draws={} {}",
                      ensemble.items.size(), ensemble.seed, ensemble.report_every, ensemble.thin,
                      ensemble.keep_draws, fmt::join(ensemble.quantities, " "))};
}

}  // namespace

Outcome execute(const Ensemble& ensemble, MPI_Comm comm, const Catalog& catalog) {
  check(ensemble);
  check_own_launcher();
  RealRun real;
  const Task task = task_of(ensemble, size_of(comm), catalog);
  Processes& processes = kept_processes(ensemble.waiting, comm);
  const StateFiles files = state_files(ensemble);
  Items left = ensemble.items;
  real.walkers.report_every = ensemble.report_every;
  if (ensemble.save_every > 0) {
    left = continue_from(files, ensemble.save_every, ensemble.items, real, processes);
  }
  RunInput input = resolve(task, ensemble.items, left);
  if (ensemble.exchanges) {
    input.messages = messages_between(ensemble.items, [&](int number) {
      return ensemble.make({number, input.stream, ensemble.items});
    });
  }
  if (input.strategy) real.make = maker(*input.strategy);
  real.walkers.make = ensemble.make;
  real.walkers.has_state = true;
  real.walkers.open_end = true;  // Walker::done() decides
  real.walkers.reproducible = ensemble.reproducible;
  real.walkers.quantities = ensemble.quantities;
  real.walkers.thin = ensemble.thin;
  real.walkers.keep_draws = ensemble.keep_draws;
  real.walkers.errors_end_chain = ensemble.chain_errors == end_chain;
  real.walkers.enough = ensemble.enough;
  real.walkers.on_reports = ensemble.on_reports;
  real.walkers.at_end = ensemble.at_end;
  real.start = RealRun::Start::at_once;
  Outcome outcome = execute(std::make_shared<const RunInput>(std::move(input)), real, processes);
  outcome.resumed_items = resumed_items(real);
  return outcome;
}

}  // namespace regroup
