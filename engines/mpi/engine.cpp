// SPDX-License-Identifier: BSD-3-Clause
#include "engines/mpi/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "engines/mpi/collect.hpp"
#include "engines/mpi/process.hpp"
#include "engines/mpi/shared_clock.hpp"
#include "kernel/clocks/clock.hpp"

namespace regroup {
namespace {

/// `lives`, with the times that their end has set right.
std::vector<GroupLife> settled(std::vector<GroupLife> lives, const SharedClock& clock) {
  for (GroupLife& life : lives) {
    for (double* time : {&life.formed_s, &life.busy_until_s, &life.ended_s}) {
      *time = clock.settled(*time);
    }
  }
  return lives;
}

}  // namespace

Outcome execute(RunInput run, const Hands& hands, Processes& processes) {
  Site& site = processes.site();
  if (site.size() != run.ranks) {
    throw std::invalid_argument(
        fmt::format("the run wants {} ranks and was launched with {}", run.ranks, site.size()));
  }
  const Surroundings& found = processes.surroundings();
  const Waiter& waiter = processes.waiter();
  Outcome outcome;
  outcome.library = found.library;
  outcome.place = found.place;
  outcome.waiting = found.waiting_name();
  if (!found.simulated) run.nodes = found.nodes;
  if (hands.walkers.computes) run.cores = found.cores;

  SharedClock& clock = processes.clock();
  site.communicators() = {};
  Position unseen;
  Position& position = hands.position != nullptr ? *hands.position : unseen;
  Process process(run, hands.make, hands.walkers, site, position);
  run = {};  // on a simulator all ranks share one memory
  if (hands.start == Hands::Start::together) {
    waiter.blocking([&] { clock.start_together(); });
  } else {
    clock.start_at_once(site);
  }
  position.started = Position::now();
  if (hands.on_start && site.rank() == 0) hands.on_start();
  outcome.setup_s = MPI_Wtime() - hands.began_s;
  const double before_s = read_clock(CLOCK_PROCESS_CPUTIME_ID);
  process.run(clock);
  const double cpu_s = read_clock(CLOCK_PROCESS_CPUTIME_ID) - before_s;
  clock.look_again();

  RankResult own{settled(process.lives(), clock), process.chains(), {}, process.failures()};
  const TeamCommunicators& teams = process.team_communicators();
  own.figures = {clock.has_other_hosts() ? clock.settled_error() : 0,
                 found.simulated ? 0 : cpu_s,
                 process.hand_over_s(),
                 process.carrier().state_bytes(),
                 teams.created,
                 teams.creating_s,
                 site.communicators().alive_max,
                 site.communicators().alive + teams.count.alive};
  const std::vector<RankResult> all = collect(own, waiter, site.comm());
  using Figures = RankResult::Figures;
  outcome.clock_error_us = 1e6 * largest(all, &Figures::clock_error_s);
  outcome.cpu_s = sum(all, &Figures::cpu_s);
  outcome.hand_over_s = sum(all, &Figures::hand_over_s);
  outcome.hand_over_bytes = largest(all, &Figures::hand_over_bytes);
  outcome.walker_communicators = largest(all, &Figures::walker_communicators);
  outcome.walker_communicators_s = largest(all, &Figures::walker_communicators_s);
  outcome.communicators_alive_max = largest(all, &Figures::communicators_alive_max);
  outcome.communicators_left = largest(all, &Figures::communicators_left);
  outcome.lives = lives_of(all);
  if (site.rank() == 0) outcome.failures = failures_of(all, hands.walkers.failed);
  if (hands.walkers.open_end || hands.walkers.enough.asked() || !outcome.failures.empty()) {
    count_executed_items(outcome.lives);
  }
  const bool comparable = hands.walkers.has_state && hands.walkers.reproducible;
  if (comparable && site.rank() == 0) outcome.chains_hash = hash_of(chain_ends_of(all));
  if (const auto& monitor = process.reporting().monitor()) {
    outcome.reports = monitor->reports();
    outcome.enough_items = monitor->enough_items();
    if (comparable && outcome.enough_items > 0) outcome.chains_hash = hash_of(monitor->ends());
    // Whether a chain went on beyond that depends on time.
    if (outcome.enough_items > 0) {
      std::erase_if(outcome.failures, [&](const ChainFailure& failure) {
        return failure.item >= outcome.enough_items;
      });
    }
  }
  return outcome;
}

}  // namespace regroup
