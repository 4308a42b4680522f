// SPDX-License-Identifier: BSD-3-Clause
//
// The program of every rank: executes one run on real processes and has rank 0 write the outcome.
// `regroup run` launches it; by hand: mpiexec -n N regroup-mpi SCENARIO_FILE OUTCOME_FILE
#include <fmt/format.h>
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <sstream>
#include <string>

#include "kernel/mpi/collect.hpp"
#include "kernel/mpi/process.hpp"
#include "kernel/mpi/shared_clock.hpp"
#include "kernel/outcome.hpp"
#include "kernel/scenario.hpp"
#include "kernel/walker.hpp"

namespace regroup {
namespace {

void report_and_abort(MPI_Comm* comm, int* code, ...) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  int rank = -1;
  MPI_Error_string(*code, text, &length);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  fmt::print(stderr, "regroup: rank {}: {}\n", rank, text);
  MPI_Abort(*comm, 3);
}

void report_errors() {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_create_errhandler(report_and_abort, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
  MPI_Errhandler_free(&handler);
}

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

std::string read_file(const char* path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw std::runtime_error(fmt::format("cannot read {}", path));
  return text.str();
}

void execute(const Scenario& scenario, const char* outcome_file) {
  const double began = MPI_Wtime();
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks != scenario.ranks) {
    throw std::invalid_argument(
        fmt::format("the run wants {} ranks and was launched with {}", scenario.ranks, ranks));
  }

  Outcome outcome;
  outcome.library = library();
  const bool simulated = outcome.library.find("SMPI") != std::string::npos;
  Waiting how = Waiting::direct;
  if (!simulated) {
    const Hosts hosts = survey_hosts(MPI_COMM_WORLD);
    outcome.cores = hosts.cores;
    how = waiting_for(scenario, hosts);
    sharpen_sleep();
  }
  outcome.waiting = how == Waiting::direct        ? "direct"
                    : Waiter::wrapper_is_loaded() ? "wrapper"
                                                  : "polite";

  SharedClock clock(MPI_COMM_WORLD, simulated);
  const Waiter waiter(how, ranks);
  CommunicatorCount communicators;
  {
    Process process(scenario, MPI_COMM_WORLD, waiter, communicators);
    waiter.blocking([&] { clock.start_together(MPI_COMM_WORLD); });
    outcome.setup_s = MPI_Wtime() - began;
    process.run(clock);
    waiter.blocking([&] { outcome.lives = collect_lives(process.lives(), MPI_COMM_WORLD); });
  }
  waiter.blocking([&] {
    outcome.communicators_alive_max = largest(communicators.alive_max, MPI_COMM_WORLD);
    outcome.communicators_left = largest(communicators.alive, MPI_COMM_WORLD);
  });
  if (rank != 0) return;

  std::ofstream file(outcome_file);
  file << to_json(outcome) << '\n' << std::flush;
  if (!file) throw std::runtime_error(fmt::format("cannot write {}", outcome_file));
}

}  // namespace
}  // namespace regroup

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  regroup::report_errors();
  std::string problem;
  try {
    if (argc != 3) throw std::invalid_argument("usage: regroup-mpi SCENARIO_FILE OUTCOME_FILE");
    regroup::execute(regroup::scenario_from_json(regroup::read_file(argv[1])), argv[2]);
  } catch (const std::exception& error) {
    problem = error.what();
  }
  if (!problem.empty()) {
    fmt::print(stderr, "regroup: {}\n", problem);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  MPI_Finalize();
  return 0;
}
