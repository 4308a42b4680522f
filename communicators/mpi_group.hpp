// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "communicators/handles.hpp"
#include "communicators/members.hpp"

namespace regroup {

/// The group of `members`, which are ranks of `all`.
GroupHandle subgroup(MPI_Group all, const Members& members);

/// The group of `members`, which are ranks of `comm`.
GroupHandle group_of(MPI_Comm comm, const Members& members);

}  // namespace regroup
