// SPDX-License-Identifier: BSD-3-Clause
//
// What the microbenchmarks on MPI processes have in common: the main program and how times are
// taken. Numbers of iterations are fixed, since Google Benchmark's own choice would differ between
// the ranks, and they would wait for each other for ever.
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

/// For every rank but 0: says nothing.
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

/// Do ranks outnumber cores?
inline bool crowded(const range::Comm& world) {
  return world.parent().waiter().how() == Waiting::polite;
}

/// Registers a benchmark that takes its times itself.
template <class Body>
void add(const std::string& name, benchmark::TimeUnit unit, int iterations, Body body) {
  benchmark::RegisterBenchmark(name.c_str(), body)
      ->Iterations(iterations)
      ->UseManualTime()
      ->Unit(unit);
}

/// One of the operations that a benchmark times in turn.
struct Timed {
  std::string counter;               ///< shows the median of its times, in seconds
  int batch;                         ///< how often it is executed at a time
  std::function<void(int)> execute;  ///< executes it so often
  clockid_t clock = CLOCK_MONOTONIC;
};

/// For what waits for nobody: other ranks that run on the same core meanwhile do not count.
inline constexpr clockid_t processor_time = CLOCK_THREAD_CPUTIME_ID;

/// Seconds that one execution takes, the maximum over ranks. Valid on rank 0.
inline double slowest_s(const range::Comm& world, const Timed& timed) {
  barrier(world);
  const double start = read_clock(timed.clock);
  timed.execute(timed.batch);
  const double mine = read_clock(timed.clock) - start;
  double slowest = mine;
  reduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, world);
  return slowest / timed.batch;
}

/// Each iteration executes a batch of every operation. The first one's time is the benchmark's;
/// `ratio` is that of the medians of the first two.
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

/// The main program: runs what `add_all` has registered, on all ranks; rank 0 alone reports.
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
    char no_file[] = "--benchmark_out=";  // the last one counts
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
