// SPDX-License-Identifier: BSD-3-Clause
#include "tests/mpi/mpi_calls.hpp"

#include <mpi.h>
#include <time.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <vector>

#include "engines/mpi/tags.hpp"

namespace regroup {
namespace {

Calls calls;  // test programs run one rank per process
int largest_tag = 0;
Watch* watch = nullptr;

struct Send {
  const MPI_Request* request;  // the sender's handle, by address; MPI may use one value for several
  int tag;
};

std::vector<Send>& open_sends() {
  static std::vector<Send> open;
  return open;
}

void note_send(const MPI_Request* request, int tag) {
  if (watch == nullptr || tag < tag_leaders || tag > tag_orders + 1) return;
  open_sends().push_back({request, tag});
  const auto orders =
      std::ranges::count_if(open_sends(), [](const Send& send) { return send.tag >= tag_orders; });
  watch->most_open_orders = std::max(watch->most_open_orders, static_cast<std::size_t>(orders));
}

void note_completion(const MPI_Request* request) {
  if (watch == nullptr) return;
  std::erase_if(open_sends(), [&](const Send& send) { return send.request == request; });
}

void sleep(double seconds) {
  const timespec time{static_cast<time_t>(seconds), static_cast<long>(seconds * 1e9)};
  clock_nanosleep(CLOCK_MONOTONIC, 0, &time, nullptr);
}

template <class Call, class... Arguments>
int counted(Call call, Arguments... arguments) {
  ++calls.mpi;
  return call(arguments...);
}

template <class Call, class... Arguments>
int constructed(Call call, Arguments... arguments) {
  ++calls.constructors;
  return counted(call, arguments...);
}

/// Counts a call to a constructor of the strategies in the process tests, and notes it in `watch`.
template <class Call, class... Arguments>
int formed(Call call, Arguments... arguments) {
  if (watch != nullptr) {
    ++watch->calls_that_form;
    watch->most_open_when_forming = std::max(watch->most_open_when_forming, open_sends().size());
    if (watch->slow_to_form_s > 0) sleep(watch->slow_to_form_s);
  }
  return constructed(call, arguments...);
}

}  // namespace

Calls calls_so_far() { return calls; }

void pretend_largest_tag(int tag) { largest_tag = tag; }

Watch::Watch() {
  regroup::open_sends().clear();
  regroup::open_sends().reserve(10'000);  // so that recording a send does not allocate
  watch = this;
}

Watch::~Watch() { watch = nullptr; }

std::size_t Watch::open_sends() const { return regroup::open_sends().size(); }

}  // namespace regroup

using regroup::calls;
using regroup::constructed;
using regroup::counted;
using regroup::formed;

#ifndef __SANITIZE_ADDRESS__  // the sanitizer has its own operator new
void* operator new(std::size_t bytes) {
  ++calls.allocations;
  if (void* place = std::malloc(bytes == 0 ? 1 : bytes)) return place;
  throw std::bad_alloc();
}
void operator delete(void* place) noexcept { std::free(place); }
void operator delete(void* place, std::size_t) noexcept { std::free(place); }
#endif

extern "C" {

int nanosleep(const timespec* time, timespec* left) {
  const double seconds =
      static_cast<double>(time->tv_sec) + 1e-9 * static_cast<double>(time->tv_nsec);
  if (regroup::watch != nullptr && seconds > 1.4e-3) regroup::watch->sleeps_s.push_back(seconds);
  return clock_nanosleep(CLOCK_MONOTONIC, 0, time, left) == 0 ? 0 : -1;
}

int MPI_Comm_rank(MPI_Comm comm, int* out) { return counted(PMPI_Comm_rank, comm, out); }
int MPI_Comm_size(MPI_Comm comm, int* out) { return counted(PMPI_Comm_size, comm, out); }
int MPI_Comm_group(MPI_Comm comm, MPI_Group* out) { return counted(PMPI_Comm_group, comm, out); }
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* out) { return constructed(PMPI_Comm_dup, comm, out); }
int MPI_Comm_idup(MPI_Comm comm, MPI_Comm* out, MPI_Request* request) {
  return constructed(PMPI_Comm_idup, comm, out, request);
}
int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* out) {
  return formed(PMPI_Comm_split, comm, color, key, out);
}
int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* out) {
  return constructed(PMPI_Comm_create, comm, group, out);
}
int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* out) {
  return formed(PMPI_Comm_create_group, comm, group, tag, out);
}
int MPI_Intercomm_create(MPI_Comm comm, int leader, MPI_Comm peer, int other, int tag,
                         MPI_Comm* out) {
  return constructed(PMPI_Intercomm_create, comm, leader, peer, other, tag, out);
}
int MPI_Intercomm_merge(MPI_Comm comm, int high, MPI_Comm* out) {
  return constructed(PMPI_Intercomm_merge, comm, high, out);
}
#if MPI_VERSION >= 4
int MPI_Comm_create_from_group(MPI_Group group, const char* tag, MPI_Info info,
                               MPI_Errhandler handler, MPI_Comm* out) {
  return constructed(PMPI_Comm_create_from_group, group, tag, info, handler, out);
}
int MPI_Intercomm_create_from_groups(MPI_Group local, int leader, MPI_Group remote, int other,
                                     const char* tag, MPI_Info info, MPI_Errhandler handler,
                                     MPI_Comm* out) {
  return constructed(PMPI_Intercomm_create_from_groups, local, leader, remote, other, tag, info,
                     handler, out);
}
#endif
int MPI_Comm_free(MPI_Comm* comm) { return counted(PMPI_Comm_free, comm); }
int MPI_Comm_get_attr(MPI_Comm comm, int key, void* value, int* found) {
  ++calls.mpi;
  if (key == MPI_TAG_UB && regroup::largest_tag != 0) {
    *static_cast<int**>(value) = &regroup::largest_tag;
    *found = 1;
    return MPI_SUCCESS;
  }
  return PMPI_Comm_get_attr(comm, key, value, found);
}
int MPI_Group_range_incl(MPI_Group group, int n, int ranges[][3], MPI_Group* out) {
  return counted(PMPI_Group_range_incl, group, n, ranges, out);
}
int MPI_Group_incl(MPI_Group group, int n, const int ranks[], MPI_Group* out) {
  return counted(PMPI_Group_incl, group, n, ranks, out);
}
int MPI_Group_free(MPI_Group* group) { return counted(PMPI_Group_free, group); }
int MPI_Group_translate_ranks(MPI_Group a, int n, const int in[], MPI_Group b, int out[]) {
  return counted(PMPI_Group_translate_ranks, a, n, in, b, out);
}
int MPI_Send(const void* data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  return counted(PMPI_Send, data, n, type, to, tag, comm);
}
int MPI_Sendrecv(const void* data, int n, MPI_Datatype type, int to, int tag, void* in, int in_n,
                 MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm, MPI_Status* status) {
  return counted(PMPI_Sendrecv, data, n, type, to, tag, in, in_n, in_type, from, in_tag, comm,
                 status);
}
int MPI_Isend(const void* data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  ++calls.mpi;
  const int code = PMPI_Isend(data, n, type, to, tag, comm, request);
  regroup::note_send(request, tag);
  return code;
}
int MPI_Irecv(void* data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request) {
  return counted(PMPI_Irecv, data, n, type, from, tag, comm, request);
}
int MPI_Iprobe(int from, int tag, MPI_Comm comm, int* found, MPI_Status* status) {
  return counted(PMPI_Iprobe, from, tag, comm, found, status);
}
int MPI_Improbe(int from, int tag, MPI_Comm comm, int* found, MPI_Message* message,
                MPI_Status* status) {
  return counted(PMPI_Improbe, from, tag, comm, found, message, status);
}
int MPI_Imrecv(void* data, int n, MPI_Datatype type, MPI_Message* message, MPI_Request* request) {
  return counted(PMPI_Imrecv, data, n, type, message, request);
}
int MPI_Test(MPI_Request* request, int* done, MPI_Status* status) {
  ++calls.mpi;
  const int code = PMPI_Test(request, done, status);
  if (*done != 0) regroup::note_completion(request);
  return code;
}
int MPI_Waitany(int n, MPI_Request requests[], int* which, MPI_Status* status) {
  return counted(PMPI_Waitany, n, requests, which, status);
}
int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  ++calls.mpi;
  const int code = PMPI_Wait(request, status);
  regroup::note_completion(request);
  return code;
}
int MPI_Type_size(MPI_Datatype type, int* out) { return counted(PMPI_Type_size, type, out); }
int MPI_Type_get_extent(MPI_Datatype type, MPI_Aint* low, MPI_Aint* extent) {
  return counted(PMPI_Type_get_extent, type, low, extent);
}
int MPI_Type_get_true_extent(MPI_Datatype type, MPI_Aint* low, MPI_Aint* extent) {
  return counted(PMPI_Type_get_true_extent, type, low, extent);
}
int MPI_Op_commutative(MPI_Op op, int* out) { return counted(PMPI_Op_commutative, op, out); }
int MPI_Reduce_local(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op) {
  return counted(PMPI_Reduce_local, in, out, n, type, op);
}
int MPI_Barrier(MPI_Comm comm) { return counted(PMPI_Barrier, comm); }
int MPI_Bcast(void* data, int n, MPI_Datatype type, int root, MPI_Comm comm) {
  return counted(PMPI_Bcast, data, n, type, root, comm);
}
int MPI_Allreduce(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return counted(PMPI_Allreduce, in, out, n, type, op, comm);
}
int MPI_Ibcast(void* data, int n, MPI_Datatype type, int root, MPI_Comm comm,
               MPI_Request* request) {
  return counted(PMPI_Ibcast, data, n, type, root, comm, request);
}
int MPI_Iallreduce(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request* request) {
  return counted(PMPI_Iallreduce, in, out, n, type, op, comm, request);
}

}  // extern "C"
