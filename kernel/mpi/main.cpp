// SPDX-License-Identifier: BSD-3-Clause
//
// The program of every rank: executes one run on real processes and has rank 0 write the outcome.
// `regroup run` launches it; by hand: mpiexec -n N regroup-mpi SCENARIO_FILE OUTCOME_FILE
#include <fmt/format.h>
#include <mpi.h>

#include <cstdio>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>

#include "kernel/mpi/run.hpp"
#include "kernel/read_file.hpp"

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

Scenario read_scenario(const char* path) {
  const std::optional<std::string> text = read_file(path);
  if (!text) throw std::runtime_error(fmt::format("cannot read {}", path));
  return scenario_from_json(*text);
}

void write_outcome(const Outcome& outcome, const char* path) {
  std::ofstream file(path);
  file << to_json(outcome) << '\n' << std::flush;
  if (!file) throw std::runtime_error(fmt::format("cannot write {}", path));
}

void execute(const char* scenario_file, const char* outcome_file) {
  const Outcome outcome = run(read_scenario(scenario_file), MPI_COMM_WORLD);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) write_outcome(outcome, outcome_file);
}

}  // namespace
}  // namespace regroup

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  regroup::report_errors();
  std::string problem;
  try {
    if (argc != 3) throw std::invalid_argument("usage: regroup-mpi SCENARIO_FILE OUTCOME_FILE");
    regroup::execute(argv[1], argv[2]);
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
