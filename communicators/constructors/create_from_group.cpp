// SPDX-License-Identifier: BSD-3-Clause
//
// create_from_group: MPI_Comm_create_from_group. The members are named by the process set
// mpi://WORLD of a session; no communicator takes part. Group-collective.
// Source: MPI 4.1, section 7.4.2.
#include "communicators/constructors.hpp"
#include "communicators/joins.hpp"
#include "communicators/session.hpp"

namespace regroup::constructor {
namespace {

/// MPICH 4.0 calls it a success when no context is left, and gives no communicator.
void report_missing(const Site& parent) {
  int kind = 0;
  int code = 0;
  MPI_Add_error_class(&kind);
  MPI_Add_error_code(kind, &code);
  MPI_Add_error_string(
      code,
      "MPI_Comm_create_from_group gave no communicator: probably there are too many "
      "communicators");
  MPI_Comm_call_errhandler(parent.comm(), code);
}

}  // namespace

GroupComm create_from_group(Site& parent, const Members& members, int tag) {
  if (!joins(parent, members)) return {};
  const GroupHandle group = session_group(parent, members);
  MPI_Comm comm = MPI_COMM_NULL;
  const ParentsErrors errors(parent);
  const int code = MPI_Comm_create_from_group(group.get(), string_tag(tag).c_str(), MPI_INFO_NULL,
                                              errors.handler(), &comm);
  if (code == MPI_SUCCESS && comm == MPI_COMM_NULL) report_missing(parent);
  return GroupComm(CommHandle(comm, parent.communicators()));
}

}  // namespace regroup::constructor
