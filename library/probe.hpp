// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "kernel/places/probe.hpp"

namespace regroup {

/// Collective over `world`: what its ranks find, which only rank 0 gets to know.
Probe probe(MPI_Comm world);

/// Collective over `world`: has rank 0 print the answer to `word`. Whether it is one that asks.
bool answered(std::string_view word, MPI_Comm world);

}  // namespace regroup
