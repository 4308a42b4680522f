// SPDX-License-Identifier: BSD-3-Clause

// Range communicators beside the MPI library: what making one costs, and each collective against
// the library's own nonblocking counterpart, both waited for by the same Waiter.
//
//   mpiexec -n 16 range_micro [--benchmark_out=FILE --benchmark_out_format=json]
//
// All ranks run the same fixed number of iterations. One iteration is a batch of operations, first
// of ours, then of MPI's; the root moves on by one from each to the next. Its time is the maximum
// over ranks, by operation. `Time` is the mean over iterations of ours; `range_us` and `mpi_us` are
// medians, and `ratio` is that of the medians: below 1, the range communicator is faster.

#include <benchmark/benchmark.h>
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "communicators/range/collectives.hpp"

namespace {

using namespace regroup;

class Silent : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>&) override {}
};

void make_and_free(benchmark::State& state, const RangeComm& world) {
  const int last = world.size() - 1;
  for (auto _ : state) {
    RangeComm comm = world.range(0, last);
    benchmark::DoNotOptimize(comm);
  }
}

void make_and_free_strided(benchmark::State& state, const RangeComm& world) {
  const int last = world.size() - 1;
  for (auto _ : state) {
    RangeComm comm = world.range(0, last, 2);
    benchmark::DoNotOptimize(comm);
  }
}

// What a communicator of MPI's own costs on top, to be used as a range communicator.
void make_parent(benchmark::State& state, const RangeComm& world) {
  const Waiter waiter = world.parent().waiter();
  for (auto _ : state) {
    Parent parent(MPI_COMM_WORLD, waiter);
    benchmark::DoNotOptimize(parent.size());
  }
}

void translate_there_and_back(benchmark::State& state, const RangeComm& world) {
  const RangeComm comm = world.range(0, world.size() - 1, 2);
  int rank = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(rank);
    int back = comm.rank_of(comm.parent_rank(rank));
    benchmark::DoNotOptimize(back);
  }
}

struct Buffers {
  std::vector<double> in;
  std::vector<double> out;
  std::vector<int> counts;  // of gatherv
  std::vector<int> places;
};

/// One collective, by the range communicator and by MPI; MPI's is started only.
struct Pair {
  const char* name;
  std::function<void(Buffers&, int n, int root, const RangeComm&)> range;
  std::function<void(Buffers&, int n, int root, MPI_Request*)> mpi;
};

const MPI_Datatype type = MPI_DOUBLE;
const MPI_Comm all = MPI_COMM_WORLD;

std::vector<Pair> pairs() {
  return {
      {"bcast",
       [](Buffers& b, int n, int root, const RangeComm& c) {
         bcast(b.in.data(), n, type, root, c);
       },
       [](Buffers& b, int n, int root, MPI_Request* r) {
         MPI_Ibcast(b.in.data(), n, type, root, all, r);
       }},
      {"reduce",
       [](Buffers& b, int n, int root, const RangeComm& c) {
         reduce(b.in.data(), b.out.data(), n, type, MPI_SUM, root, c);
       },
       [](Buffers& b, int n, int root, MPI_Request* r) {
         MPI_Ireduce(b.in.data(), b.out.data(), n, type, MPI_SUM, root, all, r);
       }},
      {"allreduce",
       [](Buffers& b, int n, int, const RangeComm& c) {
         allreduce(b.in.data(), b.out.data(), n, type, MPI_SUM, c);
       },
       [](Buffers& b, int n, int, MPI_Request* r) {
         MPI_Iallreduce(b.in.data(), b.out.data(), n, type, MPI_SUM, all, r);
       }},
      {"scan",
       [](Buffers& b, int n, int, const RangeComm& c) {
         scan(b.in.data(), b.out.data(), n, type, MPI_SUM, c);
       },
       [](Buffers& b, int n, int, MPI_Request* r) {
         MPI_Iscan(b.in.data(), b.out.data(), n, type, MPI_SUM, all, r);
       }},
      {"exscan",
       [](Buffers& b, int n, int, const RangeComm& c) {
         exscan(b.in.data(), b.out.data(), n, type, MPI_SUM, c);
       },
       [](Buffers& b, int n, int, MPI_Request* r) {
         MPI_Iexscan(b.in.data(), b.out.data(), n, type, MPI_SUM, all, r);
       }},
      {"gather",
       [](Buffers& b, int n, int root, const RangeComm& c) {
         gather(b.in.data(), n, type, b.out.data(), n, type, root, c);
       },
       [](Buffers& b, int n, int root, MPI_Request* r) {
         MPI_Igather(b.in.data(), n, type, b.out.data(), n, type, root, all, r);
       }},
      {"gatherv",
       [](Buffers& b, int n, int root, const RangeComm& c) {
         gatherv(b.in.data(), n, type, b.out.data(), b.counts.data(), b.places.data(), type, root,
                 c);
       },
       [](Buffers& b, int n, int root, MPI_Request* r) {
         MPI_Igatherv(b.in.data(), n, type, b.out.data(), b.counts.data(), b.places.data(), type,
                      root, all, r);
       }},
      {"allgather",
       [](Buffers& b, int n, int, const RangeComm& c) {
         allgather(b.in.data(), n, type, b.out.data(), n, type, c);
       },
       [](Buffers& b, int n, int, MPI_Request* r) {
         MPI_Iallgather(b.in.data(), n, type, b.out.data(), n, type, all, r);
       }},
      {"barrier", [](Buffers&, int, int, const RangeComm& c) { barrier(c); },
       [](Buffers&, int, int, MPI_Request* r) { MPI_Ibarrier(all, r); }},
  };
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Seconds per operation, the maximum over ranks; on rank 0.
template <class Body>
double seconds(const RangeComm& comm, int batch, Body body) {
  barrier(comm);
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < batch; ++i) body(i % comm.size());
  const double mine =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  double slowest = mine;
  reduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, comm);
  return slowest / batch;
}

void compare(benchmark::State& state, const Pair& pair, const RangeComm& comm, int n, int batch) {
  Buffers buffers{std::vector<double>(static_cast<std::size_t>(n), 1.0),
                  std::vector<double>(static_cast<std::size_t>(n * comm.size())),
                  {},
                  {}};
  for (int rank = 0; rank < comm.size(); ++rank) {
    buffers.counts.push_back(n);
    buffers.places.push_back(n * rank);
  }
  const auto ours = [&](int root) { pair.range(buffers, n, root, comm); };
  const auto theirs = [&](int root) {
    MPI_Request request;
    pair.mpi(buffers, n, root, &request);
    comm.parent().waiter().wait(request);
  };
  seconds(comm, batch, ours);  // warm up
  seconds(comm, batch, theirs);
  std::vector<double> range_s;
  std::vector<double> mpi_s;
  for (auto _ : state) {
    range_s.push_back(seconds(comm, batch, ours));
    mpi_s.push_back(seconds(comm, batch, theirs));
    state.SetIterationTime(range_s.back());
  }
  state.counters["range_us"] = median(range_s) * 1e6;
  state.counters["mpi_us"] = median(mpi_s) * 1e6;
  state.counters["ratio"] = median(range_s) / median(mpi_s);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const bool crowded = size > static_cast<int>(std::thread::hardware_concurrency());
  {
    Parent parent(MPI_COMM_WORLD, Waiter(crowded ? Waiting::polite : Waiting::direct, size));
    const RangeComm world = parent.all();
    for (auto [name, local] : {std::pair{"make_and_free", &make_and_free},
                               std::pair{"make_and_free_strided", &make_and_free_strided},
                               std::pair{"make_parent", &make_parent},
                               std::pair{"translate_there_and_back", &translate_there_and_back}}) {
      benchmark::RegisterBenchmark(name, [=](auto& state) {
        local(state, world);
      })->Iterations(1'000'000);
    }
    for (const Pair& pair : pairs()) {
      for (const int n : {1, 8, 64, 512}) {
        if (std::string("barrier") == pair.name && n > 1) continue;
        const std::string name = std::string(pair.name) + "/doubles:" + std::to_string(n);
        const int batch = crowded ? 20 : 500;
        benchmark::RegisterBenchmark(name.c_str(),
                                     [=](auto& state) { compare(state, pair, world, n, batch); })
            ->Iterations(crowded ? 25 : 40)
            ->UseManualTime()
            ->Unit(benchmark::kMicrosecond);
      }
    }
    // Everybody else must not write rank 0's file.
    if (rank != 0) {
      argc = static_cast<int>(std::remove_if(argv + 1, argv + argc,
                                             [](const std::string& word) {
                                               return word.starts_with("--benchmark_out");
                                             }) -
                              argv);
    }
    benchmark::AddCustomContext("ranks", std::to_string(size));
    benchmark::AddCustomContext("waiting", crowded ? "polite" : "direct");
    benchmark::Initialize(&argc, argv);
    Silent silent;
    if (rank == 0) {
      benchmark::RunSpecifiedBenchmarks();
    } else {
      benchmark::RunSpecifiedBenchmarks(&silent);
    }
  }
  MPI_Finalize();
  return 0;
}
