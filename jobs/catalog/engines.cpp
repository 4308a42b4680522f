// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/catalog/engines.hpp"

#include <array>

namespace regroup {
namespace {

constexpr std::array rows{
    EngineEntry{{"mpi", "real MPI processes, wall clock", {}},
                "wall",
                largest_world,
                /*real=*/true},
    EngineEntry{{"virtual", "the same balancers driven by events in virtual time, no MPI", {}},
                "virtual",
                largest_world,
                /*real=*/false,
                /*exact=*/true},
    EngineEntry{{"simgrid",
                 "the MPI program on SimGrid: all ranks in one process, virtual time; what SimGrid "
                 "lacks becomes rows with status unsupported",
                 {}},
                "simgrid",
                1 << 16},  // each rank's stack is a mapping, of which Linux allows so many
};

}  // namespace

std::span<const EngineEntry> engines() { return rows; }

}  // namespace regroup
