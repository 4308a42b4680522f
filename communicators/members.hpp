// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <span>

#include "communicators/handles.hpp"

namespace regroup {

/// The MPI group of `members`, ranks of `comm`, in that order.
GroupHandle group_of(MPI_Comm comm, std::span<const int> members);

/// The place of the calling rank of `comm` among `members`, which hold it.
int place_among(MPI_Comm comm, std::span<const int> members);

}  // namespace regroup
