// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <vector>

#include "communicators/range/operation.hpp"
#include "regroup/range.hpp"

namespace regroup::range {

template <class Unwanted>
void MpiCopies::free_if(Unwanted unwanted) {
  std::erase_if(copies_, [&](Copy& copy) {
    if (!unwanted(copy.context)) return false;
    MPI_Comm_free(&copy.comm);
    return true;
  });
}

MpiCopies::~MpiCopies() {
  free_if([](const Context&) { return true; });
}

MPI_Comm MpiCopies::find(const Context& context) const {
  const auto found = std::ranges::find(copies_, context, &Copy::context);
  return found == copies_.end() ? MPI_COMM_NULL : found->comm;
}

void MpiCopies::free(const Context& context) {
  free_if([&](const Context& other) { return other == context; });
}

void MpiCopies::forget(const Context& parent) {
  free_if([&](const Context& other) {
    return other.a == parent.a && other.b == parent.b && other.c == parent.c;
  });
}

namespace {

/// Owns an MPI group.
class Group {
 public:
  Group() = default;
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;
  ~Group() {
    if (group_ != MPI_GROUP_NULL) MPI_Group_free(&group_);
  }
  MPI_Group* address() { return &group_; }
  MPI_Group get() const { return group_; }

 private:
  MPI_Group group_ = MPI_GROUP_NULL;
};

}  // namespace

MPI_Group group(const Comm& comm) {
  std::vector<int> ranks(static_cast<std::size_t>(comm.size()));
  for (int member = 0; member < comm.size(); ++member) {
    ranks[static_cast<std::size_t>(member)] = comm.parent_rank(member);
  }
  Group all;
  MPI_Group members = MPI_GROUP_NULL;
  throw_on_error(MPI_Comm_group(comm.parent().comm(), all.address()));
  throw_on_error(MPI_Group_incl(all.get(), comm.size(), ranks.data(), &members));
  return members;
}

MPI_Comm to_mpi(const Comm& comm, int tag) {
  require_collective(comm, tag);
  Parent& parent = comm.parent();
  MPI_Comm made = parent.mpi_copies().find(comm.context());
  if (made != MPI_COMM_NULL) return made;
  Group members;
  *members.address() = group(comm);
  int code = MPI_SUCCESS;
  parent.waiter().blocking(
      [&] { code = MPI_Comm_create_group(parent.comm(), members.get(), tag, &made); });
  throw_on_error(code);
  parent.mpi_copies().add(comm.context(), made);
  return made;
}

void free_mpi(const Comm& comm) {
  require_member(comm);
  comm.parent().mpi_copies().free(comm.context());
}

}  // namespace regroup::range
