// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <string>

#include "communicators/members.hpp"
#include "communicators/mpi_group.hpp"
#include "communicators/site.hpp"

namespace regroup {

/// The group of `members`, which are ranks of `parent`, taken from the process set mpi://WORLD of
/// a session. The first call opens the session, and it lives as long as the parent.
GroupHandle session_group(Site& parent, const Members& members);

/// The error handler of the parent's communicator, for calls that know no communicator.
class ParentsErrors {
 public:
  explicit ParentsErrors(const Site& parent) { MPI_Comm_get_errhandler(parent.comm(), &handler_); }
  ParentsErrors(const ParentsErrors&) = delete;
  ParentsErrors& operator=(const ParentsErrors&) = delete;
  ~ParentsErrors() { MPI_Errhandler_free(&handler_); }
  MPI_Errhandler handler() const { return handler_; }

 private:
  MPI_Errhandler handler_ = MPI_ERRHANDLER_NULL;
};

/// `tag` as the text that tells creations from groups apart.
std::string string_tag(int tag);

}  // namespace regroup
