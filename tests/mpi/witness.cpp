// SPDX-License-Identifier: BSD-3-Clause
#include "tests/mpi/witness.hpp"

#include <mpi.h>
#include <time.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <vector>

#include "engines/mpi/tags.hpp"

namespace regroup {
namespace {

struct Send {
  const MPI_Request* request;  // where its sender keeps it; MPI may use one handle for several
  int tag;
};

std::vector<Send>& open_sends() {
  static std::vector<Send> open = [] {
    std::vector<Send> none;
    none.reserve(10'000);  // so that taking note allocates nothing
    return none;
  }();
  return open;
}

void note_send(const MPI_Request* request, int tag) {
  if (tag < tag_leaders || tag > tag_orders + 1) return;
  open_sends().push_back({request, tag});
  const auto orders =
      std::ranges::count_if(open_sends(), [](const Send& send) { return send.tag >= tag_orders; });
  witness().most_open_orders =
      std::max(witness().most_open_orders, static_cast<std::size_t>(orders));
  witness().open_sends = open_sends().size();
}

void note_completion(const MPI_Request* request) {
  std::erase_if(open_sends(), [&](const Send& send) { return send.request == request; });
  witness().open_sends = open_sends().size();
}

void sleep(double seconds) {
  const timespec time{static_cast<time_t>(seconds), static_cast<long>(seconds * 1e9)};
  clock_nanosleep(CLOCK_MONOTONIC, 0, &time, nullptr);
}

void note_forming() {
  ++witness().calls_that_form;
  witness().most_open_when_forming =
      std::max(witness().most_open_when_forming, witness().open_sends);
  if (witness().slow_to_form_s > 0) sleep(witness().slow_to_form_s);
}

}  // namespace

Witness& witness() {
  static Witness seen;
  return seen;
}

void forget() {
  witness() = {};
  witness().open_sends = open_sends().size();
}

}  // namespace regroup

void* operator new(std::size_t bytes) {
  static std::size_t& allocations = regroup::witness().allocations;
  ++allocations;
  if (void* place = std::malloc(bytes == 0 ? 1 : bytes)) return place;
  throw std::bad_alloc();
}
void operator delete(void* place) noexcept { std::free(place); }
void operator delete(void* place, std::size_t) noexcept { std::free(place); }

extern "C" {

int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  const int code = PMPI_Isend(data, count, type, to, tag, comm, request);
  regroup::note_send(request, tag);
  return code;
}

int MPI_Test(MPI_Request* request, int* done, MPI_Status* status) {
  const int code = PMPI_Test(request, done, status);
  if (*done != 0) regroup::note_completion(request);
  return code;
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  const int code = PMPI_Wait(request, status);
  regroup::note_completion(request);
  return code;
}

int MPI_Comm_create_group(MPI_Comm parent, MPI_Group group, int tag, MPI_Comm* comm) {
  regroup::note_forming();
  return PMPI_Comm_create_group(parent, group, tag, comm);
}

int MPI_Comm_split(MPI_Comm parent, int color, int key, MPI_Comm* comm) {
  regroup::note_forming();
  return PMPI_Comm_split(parent, color, key, comm);
}

int nanosleep(const timespec* time, timespec* left) {
  const double seconds =
      static_cast<double>(time->tv_sec) + 1e-9 * static_cast<double>(time->tv_nsec);
  if (seconds > 1.4e-3) regroup::witness().sleeps_s.push_back(seconds);
  return clock_nanosleep(CLOCK_MONOTONIC, 0, time, left) == 0 ? 0 : -1;
}
}
