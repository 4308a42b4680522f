// SPDX-License-Identifier: BSD-3-Clause
#include "regroup/waiter.hpp"

#include <dlfcn.h>
#include <sched.h>
#include <time.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace regroup {
namespace {

using Wrapper = int (*)(int on);

/// Returns the wrapper, or nullptr if MPI does not call it for progress.
Wrapper find_wrapper() {
  const auto works = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "regroup_wraps_progress"));
  if (works == nullptr || works() == 0) return nullptr;
  return reinterpret_cast<Wrapper>(dlsym(RTLD_DEFAULT, "regroup_polite_progress"));
}

}  // namespace

bool Waiter::wrapper_is_in_place() { return find_wrapper() != nullptr; }

Waiter::Waiter(Waiting how, int ranks)
    : how_(how),
      naps_(how == Waiting::polite),
      longest_nap_(ranks < 128 ? std::chrono::microseconds(200) : std::chrono::milliseconds(1)) {
  Wrapper wrapper = find_wrapper();
  if (wrapper == nullptr) return;
  // Only once: a Waiter may be created inside a blocking call.
  static const int before = wrapper(0);
  static_cast<void>(before);
  if (how == Waiting::polite) wrapper_ = wrapper;
}

Waiter Waiter::automatic(MPI_Comm comm) {
  int ranks = 0;
  MPI_Comm_size(comm, &ranks);
  // By host name: a split by shared memory fails if MPICH is told to avoid shared memory.
  char host[MPI_MAX_PROCESSOR_NAME] = "";
  int length = 0;
  MPI_Get_processor_name(host, &length);
  const std::uint64_t name = std::hash<std::string_view>()(host);
  std::vector<std::uint64_t> names(static_cast<std::size_t>(ranks));
  MPI_Allgather(&name, 1, MPI_UINT64_T, names.data(), 1, MPI_UINT64_T, comm);
  const auto first = std::ranges::find(names, name);
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split(comm, static_cast<int>(first - names.begin()), 0, &node);
  cpu_set_t cores;  // cores that at least one process of the node may use
  CPU_ZERO(&cores);
  sched_getaffinity(0, sizeof cores, &cores);
  MPI_Allreduce(MPI_IN_PLACE, &cores, sizeof cores, MPI_BYTE, MPI_BOR, node);
  MPI_Comm_free(&node);
  int crowded = std::ranges::count(names, name) > CPU_COUNT(&cores) ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &crowded, 1, MPI_INT, MPI_MAX, comm);
  return Waiter(crowded != 0 ? Waiting::polite : Waiting::direct, ranks);
}

Waiter Waiter::patient() const {
  Waiter copy = *this;
  copy.first_nap_ = std::chrono::microseconds(100);
  copy.longest_nap_ =
      std::max<std::chrono::nanoseconds>(longest_nap_, std::chrono::milliseconds(1));
  return copy;
}

Waiter Waiter::with(Lookout* lookout) const {
  Waiter copy = *this;
  copy.lookout_ = lookout;
  return copy;
}

Waiter Waiter::simulated() const {
  Waiter copy = *this;
  copy.naps_ = true;
  return copy;
}

int Waiter::wait(MPI_Request& request, MPI_Status* status) const {
  if (how_ == Waiting::direct && lookout_ == nullptr) return MPI_Wait(&request, status);
  int code = MPI_SUCCESS;
  until([&] {
    int done = 0;
    code = MPI_Test(&request, &done, status);
    return done != 0 || code != MPI_SUCCESS;
  });
  return code;
}

int Waiter::wait_in_mpi(MPI_Request& request, MPI_Status* status) const {
  int code = MPI_SUCCESS;
  int done = 0;
  until_in_mpi(
      [&] {
        if (done == 0) code = MPI_Test(&request, &done, status);
        return done != 0 || code != MPI_SUCCESS;
      },
      [&] {
        code = MPI_Wait(&request, status);
        done = 1;
      });
  return code;
}

int Waiter::wait_any(std::span<MPI_Request> requests, MPI_Status& status) const {
  const int count = static_cast<int>(requests.size());
  int which = MPI_UNDEFINED;
  if (how_ == Waiting::direct && lookout_ == nullptr) {
    MPI_Waitany(count, requests.data(), &which, &status);
    return which;
  }
  until([&] {
    int done = 0;
    MPI_Testany(count, requests.data(), &which, &done, &status);
    return done != 0;
  });
  return which;
}

std::chrono::nanoseconds Waiter::longer(std::chrono::nanoseconds nap) const {
  return std::min(nap + nap / 8, longest_nap_);
}

void Waiter::sleep(std::chrono::nanoseconds nap) {
  const timespec time{0, nap.count()};
  nanosleep(&time, nullptr);
}

}  // namespace regroup
