// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/mpi/stage/shared_clock.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <limits>
#include <vector>

#include "kernel/items/sleep.hpp"
#include "kernel/mpi/stage/tags.hpp"

namespace regroup {
namespace {

using HostName = std::array<char, MPI_MAX_PROCESSOR_NAME>;

HostName host_name() {
  HostName name{};
  int length = 0;
  MPI_Get_processor_name(name.data(), &length);
  return name;
}

double host_clock() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The reference's side of one measurement.
void answer(int rank, MPI_Comm world) {
  double time = 0;
  MPI_Recv(&time, 1, MPI_DOUBLE, rank, tag_clock, world, MPI_STATUS_IGNORE);
  time = host_clock();
  MPI_Send(&time, 1, MPI_DOUBLE, rank, tag_clock, world);
}

constexpr int trials = 10;

double measured_offset(MPI_Comm world) {
  double shortest = std::numeric_limits<double>::infinity();
  double offset = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const double sent = host_clock();
    double reference = sent;
    MPI_Send(&reference, 1, MPI_DOUBLE, 0, tag_clock, world);
    MPI_Recv(&reference, 1, MPI_DOUBLE, 0, tag_clock, world, MPI_STATUS_IGNORE);
    const double returned = host_clock();
    if (returned - sent >= shortest) continue;
    shortest = returned - sent;
    offset = reference - (sent + returned) / 2;
  }
  return offset;
}

}  // namespace

SharedClock::SharedClock(MPI_Comm world, bool one_clock) : one_clock_(one_clock) {
  if (one_clock) return;
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(world, &rank);
  MPI_Comm_size(world, &ranks);

  HostName reference = host_name();
  MPI_Bcast(reference.data(), static_cast<int>(reference.size()), MPI_CHAR, 0, world);
  const int elsewhere = std::strcmp(reference.data(), host_name().data()) != 0 ? 1 : 0;
  std::vector<int> all(rank == 0 ? static_cast<std::size_t>(ranks) : 0);
  MPI_Gather(&elsewhere, 1, MPI_INT, all.data(), 1, MPI_INT, 0, world);
  if (elsewhere != 0) offset_ = measured_offset(world);
  for (std::size_t other = 0; other < all.size(); ++other) {
    for (int trial = 0; all[other] != 0 && trial < trials; ++trial) {
      answer(static_cast<int>(other), world);
    }
  }
}

double SharedClock::read() const { return one_clock_ ? MPI_Wtime() : host_clock(); }

void SharedClock::start_together(MPI_Comm world) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(world, &rank);
  MPI_Comm_size(world, &ranks);
  // Long enough for the broadcast to reach everybody where many ranks share a core.
  const double ahead = 0.010 + 0.0005 * std::min(ranks, 1000);
  MPI_Barrier(world);
  start_ = read() + offset_ + ahead;
  MPI_Bcast(&start_, 1, MPI_DOUBLE, 0, world);
  if (const double left = -now(); left > 0) sleep_for(left);
}

}  // namespace regroup
