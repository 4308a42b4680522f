// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/mpi/stage/host_clock.hpp"

#include <mpi.h>
#include <unistd.h>

#include <array>
#include <fstream>

#include "kernel/items/clock.hpp"

namespace regroup {
namespace {

/// The processor's name where the system has no boot id.
std::string boot_id() {
  std::string id;
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  if (std::getline(file, id) && !id.empty()) return id;
  std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
  int length = 0;
  MPI_Get_processor_name(name.data(), &length);
  return name.data();
}

/// Nothing where the system has none.
std::string time_namespace() {
  std::array<char, 64> name{};
  const auto length = readlink("/proc/self/ns/time", name.data(), name.size());
  return {name.data(), static_cast<std::size_t>(length < 0 ? 0 : length)};
}

}  // namespace

HostClock own_clock() {
  return {boot_id() + ' ' + time_namespace(), [] { return read_clock(CLOCK_MONOTONIC); }};
}

HostClock simulated_clock() {
  return {"", [] { return MPI_Wtime(); }};
}

}  // namespace regroup
