// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/mpi/stage/surroundings.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "kernel/files/plain_text.hpp"
#include "kernel/items/sleep.hpp"
#include "kernel/mpi/stage/find_place.hpp"
#include "kernel/places/this_process.hpp"

namespace regroup {
namespace {

/// In lines of plain text.
std::string whole_version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(text, &length);
  std::istringstream lines(text);
  std::string version;
  for (std::string line; std::getline(lines, line);) {
    std::ranges::replace(line, '\t', ' ');
    version += fmt::format("{}{}", version.empty() ? "" : "\n", one_line(line));
  }
  return version;
}

std::string library() {
  const std::string version = whole_version();
  const std::string first = version.substr(0, version.find('\n'));
  return first.substr(0, first.find(", package"));
}

/// On every rank: the nodes of all `ranks`, which rank 0 alone knows the `place` of.
std::vector<int> told_nodes(const Place& place, int ranks, MPI_Comm world) {
  std::vector<int> nodes(static_cast<std::size_t>(ranks), 0);
  for (std::size_t node = 0; node < place.nodes.size(); ++node) {
    const RankSet own = place.nodes[node].ranks();
    for (const RankRange range : own.ranges()) {
      std::fill(nodes.begin() + range.lo, nodes.begin() + range.hi + 1, static_cast<int>(node));
    }
  }
  MPI_Bcast(nodes.data(), ranks, MPI_INT, 0, world);
  return nodes;
}

Waiting waiting_for(const std::string& waiting, bool crowded) {
  if (waiting == "direct") return Waiting::direct;
  if (waiting != "auto") return Waiting::polite;
  return crowded ? Waiting::polite : Waiting::direct;
}

}  // namespace

std::string Surroundings::waiting_name() const {
  if (how == Waiting::direct) return "direct";
  return Waiter::wrapper_is_in_place() ? "wrapper" : "polite";
}

Surroundings look_around(const std::string& waiting, MPI_Comm world) {
  Surroundings found;
  found.library = library();
  found.simulated = found.library.find("SMPI") != std::string::npos;
  if (found.simulated) return found;
  int ranks = 0;
  MPI_Comm_size(world, &ranks);
  int crowded = 0;  // known to rank 0 alone, at first
  // Whether ranks share cores is not known yet; where a run follows another, naps are off.
  Waiter(Waiting::polite, ranks).blocking([&] {
    found.place = find_place(
        own_spot(), [] { return host_facts(); }, world);
    found.nodes = NodeMap(told_nodes(found.place, ranks, world));
    crowded = found.place.crowded() ? 1 : 0;
    MPI_Bcast(&crowded, 1, MPI_INT, 0, world);
  });
  found.place.mpi = whole_version();
  found.place.variables = placing_variables(environ);
  found.place.job_id = job_id();
  found.how = waiting_for(waiting, crowded != 0);
  if (waiting == "wrapper" && !Waiter::wrapper_is_in_place()) {
    throw std::runtime_error(
        "'waiting: wrapper' was asked for, but it is not in place: this MPI does not wait in UCX, "
        "or "
        "this is not the program wrapped/regroup-mpi");
  }
  sharpen_sleep();
  return found;
}

}  // namespace regroup
