// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "communicators/site.hpp"

namespace regroup {

/// Sends an empty message between every two ranks of `world` that are at most 64 apart. MPI
/// libraries set up a connection with the first message over it, which takes longer than a
/// regrouping; a run of minutes does not notice that, but a benchmark of a fifth of a second does.
/// Collective over `world`.
void make_first_contact(Site& world);

}  // namespace regroup
