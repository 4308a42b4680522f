// SPDX-License-Identifier: BSD-3-Clause
//
// Shared by the microbenchmarks on MPI processes: the main program and the timing functions. The
// numbers of iterations are fixed: those that Google Benchmark chooses would differ between ranks,
// which leads to deadlock.
#pragma once

#include <benchmark/benchmark.h>
#include <mpi.h>
#include <time.h>

#include <functional>
#include <string>
#include <vector>

#include "engines/mpi/surroundings.hpp"
#include "kernel/clocks/clock.hpp"
#include "kernel/numbers/statistics.hpp"
#include "regroup/range.hpp"

namespace regroup::micro {

/// Prints nothing; used on all ranks except 0.
class Silent : public benchmark::BenchmarkReporter {
 public:
  Silent() {
    SetOutputStream(&nowhere_);
    SetErrorStream(&nowhere_);
  }
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>&) override {}

 private:
  std::ostream nowhere_{nullptr};
};

/// Returns whether ranks outnumber cores.
inline bool crowded(const range::Comm& world) {
  return world.parent().waiter().how() == Waiting::polite;
}

/// Registers a benchmark with manual time and a fixed number of iterations.
template <class Body>
void add(const std::string& name, benchmark::TimeUnit unit, int iterations, Body body) {
  benchmark::RegisterBenchmark(name.c_str(), body)
      ->Iterations(iterations)
      ->UseManualTime()
      ->Unit(unit);
}

/// One of several operations that a benchmark times alternately.
struct Timed {
  std::string counter;  ///< name of the counter that reports its median time, in seconds
  int batch;            ///< number of executions per time measurement
  std::function<void(int)> execute;  ///< executes it the given number of times
  clockid_t clock = CLOCK_MONOTONIC;
};

/// For operations without waiting: excludes the time of other ranks on the same core.
inline constexpr clockid_t processor_time = CLOCK_THREAD_CPUTIME_ID;

/// Returns the seconds per execution, the maximum over ranks. Valid on rank 0.
inline double slowest_s(const range::Comm& world, const Timed& timed) {
  barrier(world);
  const double start = read_clock(timed.clock);
  timed.execute(timed.batch);
  const double mine = read_clock(timed.clock) - start;
  double slowest = mine;
  reduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, world);
  return slowest / timed.batch;
}

/// Executes a batch of every operation per iteration. The benchmark reports the time of the first
/// operation; `ratio` is the quotient of the medians of the first two.
inline void time_in_turn(benchmark::State& state, const range::Comm& world,
                         const std::vector<Timed>& operations) {
  for (const Timed& timed : operations) slowest_s(world, timed);  // warm up
  std::vector<std::vector<double>> times(operations.size());
  for (auto _ : state) {
    for (std::size_t i = 0; i < operations.size(); ++i) {
      times[i].push_back(slowest_s(world, operations[i]));
    }
    state.SetIterationTime(times.front().back());
  }
  for (std::size_t i = 0; i < operations.size(); ++i) {
    state.counters[operations[i].counter] = median(times[i]);
  }
  if (operations.size() > 1) state.counters["ratio"] = median(times[0]) / median(times[1]);
}

/// Runs the benchmarks that `add_all` registers, on all ranks; only rank 0 reports.
inline int main(int argc, char** argv, void (*add_all)(const range::Comm& world)) {
  MPI_Init(&argc, &argv);
  bool understood = true;
  {
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const Surroundings found = look_around("auto", MPI_COMM_WORLD);
    Site parent(MPI_COMM_WORLD, Waiter(found.how, ranks));
    make_first_contact(parent);
    add_all(parent.all());

    std::vector<char*> words(argv, argv + argc);
    char no_file[] = "--benchmark_out=";  // overrides earlier options
    if (parent.rank() != 0) words.push_back(no_file);
    int count = static_cast<int>(words.size());
    words.push_back(nullptr);
    benchmark::AddCustomContext("ranks", std::to_string(ranks));
    benchmark::AddCustomContext("waiting", found.waiting_name());
    benchmark::AddCustomContext("library", found.library);
    benchmark::Initialize(&count, words.data());
    understood = count == 1;
    if (understood && parent.rank() == 0) {
      benchmark::RunSpecifiedBenchmarks();
    } else if (understood) {
      Silent silent;
      benchmark::RunSpecifiedBenchmarks(&silent);
    } else if (parent.rank() == 0) {
      benchmark::ReportUnrecognizedArguments(count, words.data());
    }
  }
  MPI_Finalize();
  return understood ? 0 : 1;
}

}  // namespace regroup::micro
