// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/mpi/run.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string>

#include "kernel/mpi/collect.hpp"
#include "kernel/mpi/first_contact.hpp"
#include "kernel/mpi/process.hpp"
#include "kernel/mpi/shared_clock.hpp"
#include "kernel/walker.hpp"

namespace regroup {
namespace {

std::string library() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(text, &length);
  std::string first = text;
  first = first.substr(0, first.find('\n'));
  for (char& c : first) {
    if (c == '\t') c = ' ';
  }
  return first.substr(0, first.find(", package"));
}

Waiting waiting_for(const Scenario& scenario, const Hosts& hosts) {
  if (scenario.waiting == "direct") return Waiting::direct;
  if (scenario.waiting != "auto") return Waiting::polite;
  return hosts.crowded ? Waiting::polite : Waiting::direct;
}

}  // namespace

Outcome run(const Scenario& scenario, MPI_Comm world) {
  const double began = MPI_Wtime();
  int ranks = 0;
  MPI_Comm_size(world, &ranks);
  if (ranks != scenario.ranks) {
    throw std::invalid_argument(
        fmt::format("the run wants {} ranks and was launched with {}", scenario.ranks, ranks));
  }

  Outcome outcome;
  outcome.library = library();
  const bool simulated = outcome.library.find("SMPI") != std::string::npos;
  Waiting how = Waiting::direct;
  if (!simulated) {
    const Hosts hosts = survey_hosts(world);
    outcome.cores = hosts.cores;
    how = waiting_for(scenario, hosts);
    sharpen_sleep();
  }
  outcome.waiting = how == Waiting::direct        ? "direct"
                    : Waiter::wrapper_is_loaded() ? "wrapper"
                                                  : "polite";

  SharedClock clock(world, simulated);
  const Waiter waiter(how, ranks);
  Parent parent(world, waiter);
  {
    Process process(scenario, parent);
    if (!simulated) make_first_contact(parent);
    waiter.blocking([&] { clock.start_together(world); });
    outcome.setup_s = MPI_Wtime() - began;
    process.run(clock);
    waiter.blocking([&] { outcome.lives = collect_lives(process.lives(), world); });
  }
  waiter.blocking([&] {
    outcome.communicators_alive_max = largest(parent.communicators().alive_max, world);
    outcome.communicators_left = largest(parent.communicators().alive, world);
  });
  return outcome;
}

}  // namespace regroup
