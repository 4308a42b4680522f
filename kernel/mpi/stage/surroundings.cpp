// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/mpi/stage/surroundings.hpp"

#include <unistd.h>

#include <array>
#include <map>
#include <stdexcept>
#include <vector>

#include "kernel/items/sleep.hpp"

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

Waiting waiting_for(const std::string& waiting, const Hosts& hosts) {
  if (waiting == "direct") return Waiting::direct;
  if (waiting != "auto") return Waiting::polite;
  return hosts.crowded ? Waiting::polite : Waiting::direct;
}

}  // namespace

Hosts survey_hosts(MPI_Comm world) {
  struct Host {
    std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
    int cores = 0;
  };
  Host own;
  int length = 0;
  MPI_Get_processor_name(own.name.data(), &length);
  own.cores = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(world, &rank);
  MPI_Comm_size(world, &ranks);
  std::vector<Host> all(rank == 0 ? static_cast<std::size_t>(ranks) : 0);
  MPI_Gather(&own, sizeof own, MPI_BYTE, all.data(), sizeof own, MPI_BYTE, 0, world);

  std::map<std::string, int> free_cores;
  Hosts hosts;
  for (const Host& host : all) {
    const auto [place, is_new] = free_cores.try_emplace(host.name.data(), host.cores);
    if (is_new) hosts.cores += host.cores;
    hosts.crowded = --place->second < 0 || hosts.crowded;
  }
  MPI_Bcast(&hosts, sizeof hosts, MPI_BYTE, 0, world);
  return hosts;
}

std::string Surroundings::waiting_name() const {
  if (how == Waiting::direct) return "direct";
  return Waiter::wrapper_is_in_place() ? "wrapper" : "polite";
}

Surroundings look_around(const std::string& waiting, MPI_Comm world) {
  Surroundings found;
  found.library = library();
  found.simulated = found.library.find("SMPI") != std::string::npos;
  if (found.simulated) return found;
  const Hosts hosts = survey_hosts(world);
  found.cores = hosts.cores;
  found.how = waiting_for(waiting, hosts);
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
