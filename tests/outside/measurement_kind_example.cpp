// SPDX-License-Identifier: BSD-3-Clause
//
// A kind of measurement of one's own: the time of a barrier. A program adds its row with
// `catalog.measurements.push_back(barrier_kind())`.
#include <mpi.h>

#include <array>
#include <regroup/bench.hpp>
#include <regroup/measurement.hpp>
#include <string_view>

namespace regroup {

static constexpr std::array barrier_options{
    strategy_option("communicator", "", {}, "strategy that creates the communicator"),
    integer_option("group_size", "", 1, 1 << 20, "ranks of a group"),
    integer_option("samples", "30", 1, 1e6, "samples of each time, after three warm-ups"),
};
static constexpr std::array barrier_times{
    SampledTime{"barrier_s", "time from the common start to the return of the last member"}};
static constexpr std::array barrier_figures{
    Figure{"barrier_ranks", "ranks that waited for each other", /*is_count=*/true}};
static constexpr std::array<std::string_view, 2> barrier_compared{"communicator", "group_size"};

static Findings measure_barrier(Bench& bench) {
  const Members group = Members::range(0, bench.integer("group_size"));
  GroupComm comm = bench.communicator(group);
  Findings findings;
  findings.samples["barrier_s"] = bench.time(bench.integer("samples"), bool(comm), [&] {
    if (!comm) return;
    if (const range::Comm* range = comm.as_range()) return barrier(*range);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibarrier(comm.comm(), &request);
    bench.world().waiter().wait(request);
  });
  findings.figures["barrier_ranks"] = bench.sum(comm ? 1 : 0);
  bench.free(comm);
  return findings;
}

MeasurementKind barrier_kind() {
  MeasurementKind kind{{"barrier", "time of a barrier", barrier_options}};
  kind.times = barrier_times;
  kind.figures = barrier_figures;
  kind.measure = measure_barrier;
  kind.compared = barrier_compared;
  return kind;
}

}  // namespace regroup
