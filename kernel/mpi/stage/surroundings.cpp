// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/mpi/stage/surroundings.hpp"

#include <stdexcept>

#include "kernel/items/sleep.hpp"
#include "kernel/mpi/collect.hpp"

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
