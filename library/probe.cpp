// SPDX-License-Identifier: BSD-3-Clause
#include "library/probe.hpp"

#include <fmt/format.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include "engines/mpi/collect.hpp"
#include "engines/mpi/shared_clock.hpp"
#include "engines/mpi/surroundings.hpp"
#include "kernel/places/probe.hpp"

namespace regroup {
namespace {

constexpr double mb = 1e6;

/// Sends 8 bytes back and forth between rank 0 and `partner`, while the others wait. Returns the
/// shortest one-way time in µs, on rank 0.
double message_us(int partner, int ranks, const Waiter& waiter, MPI_Comm world) {
  constexpr int rounds = 200;
  int rank = 0;
  MPI_Comm_rank(world, &rank);
  double best_s = std::numeric_limits<double>::infinity();
  double word = 0;
  const auto send = [&](int to) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Isend(&word, 1, MPI_DOUBLE, to, 0, world, &request);
    waiter.wait(request);
  };
  const auto receive = [&](int from) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(&word, 1, MPI_DOUBLE, from, 0, world, &request);
    waiter.wait(request);
  };
  for (int round = 0; round < rounds && rank == 0; ++round) {
    const double began = MPI_Wtime();
    send(partner);
    receive(partner);
    best_s = std::min(best_s, (MPI_Wtime() - began) / 2);
  }
  for (int round = 0; round < rounds && rank == partner; ++round) {
    receive(0);
    send(0);
  }
  MPI_Request all_did = MPI_REQUEST_NULL;
  MPI_Ibarrier(world, &all_did);
  Waiter(Waiting::polite, ranks).wait(all_did);  // idle ranks leave their cores to others
  return 1e6 * best_s;
}

void look_at_messages(const NodeMap& nodes, int ranks, const Waiter& waiter, MPI_Comm world,
                      Probe& found) {
  int inside = 0;
  int between = 0;
  for (int rank = ranks - 1; rank > 0; --rank) {
    (nodes.of(rank) == nodes.of(0) ? inside : between) = rank;
  }
  if (inside > 0) found.inside_us = message_us(inside, ranks, waiter, world);
  if (between > 0) found.between_us = message_us(between, ranks, waiter, world);
}

/// Finds the node with the least free space in /dev/shm per rank.
void look_at_shared_memory(const NodeMap& nodes, const Place& place, int ranks, MPI_Comm world,
                           Probe& found) {
  struct {
    double mb;
    int node;
  } own{0, 0}, least{0, 0};
  int rank = 0;
  MPI_Comm_rank(world, &rank);
  own.node = nodes.of(rank);
  int sharing = 0;
  for (int other = 0; other < ranks; ++other) sharing += nodes.of(other) == own.node ? 1 : 0;
  struct statvfs space {};
  if (statvfs("/dev/shm", &space) == 0) {
    own.mb =
        static_cast<double>(space.f_bavail) * static_cast<double>(space.f_frsize) / mb / sharing;
  }
  MPI_Reduce(&own, &least, 1, MPI_DOUBLE_INT, MPI_MINLOC, 0, world);
  found.shared_mb = least.mb;
  if (rank == 0) found.shared_least = place.nodes.at(static_cast<std::size_t>(least.node)).name;
}

void look_at_place(const Place& place, Probe& found) {
  const Placement where = placement_of(place);
  found.hosts = where.nodes;
  found.least_on_a_host = where.ranks_per_node_min;
  found.most_on_a_host = where.ranks_per_node_max;
  found.processors = where.cores;
  for (const Node& node : place.nodes) {
    if (!node.crowded()) continue;
    ++found.crowded_hosts;
    if (!found.crowded.empty()) continue;
    found.crowded = fmt::format("{} ranks on {} processors of {}", node.ranks().size(),
                                node.cores(), node.name);
  }
}

void print(std::string_view word, const std::string& answer) {
  fmt::print("{}{}\n", answer_to(word), answer);
  std::fflush(stdout);
}

/// Returns the findings of all ranks, which are complete only on rank 0.
Probe probe(MPI_Comm world) {
  Probe found;
  MPI_Comm_size(world, &found.ranks);
  const Surroundings around = look_around("auto", world);
  const Waiter waiter(around.how, found.ranks);
  found.library = around.library;
  look_at_place(around.place, found);
  look_at_shared_memory(around.nodes, around.place, found.ranks, world, found);
  look_at_messages(around.nodes, found.ranks, waiter, world, found);
  found.clock_error_us = 1e6 * worst(SharedClock(world, waiter, own_clock()).error(), world);
  found.communicators = communicator_room(MPI_COMM_SELF, most_communicators_tried);
  return found;
}

}  // namespace

bool answered(std::string_view word, MPI_Comm world) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(world, &rank);
  MPI_Comm_size(world, &ranks);
  if (word == count_ranks) {
    if (rank == 0) print(word, std::to_string(ranks));
    return true;
  }
  if (word != probe_all) return false;
  const Probe found = probe(world);
  if (rank == 0) print(word, to_json(found));
  return true;
}

}  // namespace regroup
