// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <string>

#include "communicators/mpi_group.hpp"
#include "communicators/range/parent.hpp"
#include "kernel/members.hpp"

namespace regroup {

/// The group of `members`, which are ranks of `parent`, taken from the process set mpi://WORLD of
/// a session. The first call opens the session, and it lives as long as the parent.
GroupHandle session_group(Parent& parent, const Members& members);

/// `tag` as the text that tells creations from groups apart.
std::string string_tag(int tag);

}  // namespace regroup
