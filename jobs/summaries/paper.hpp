// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <string_view>

#include "jobs/catalog/scenario.hpp"

namespace regroup {

/// A row of the paper's Table 1: regroupings per process at 8,192 ranks.
/// Source: Dinan et al., Noncollective Communicator Creation in MPI, EuroMPI 2011, Table 1.
struct PaperRow {
  std::string_view balancer;
  std::string_view option;  ///< value of its first option
  double average;
  double deviation;
  int min;
  int max;
};

// The paper's asynchronous balancer goes on merging when all work is done: `finished: merge`.
inline constexpr std::array paper_rows{
    PaperRow{"none", "", 0, 0, 0, 0},
    PaperRow{"collective", "1", 5.38, 2.12, 2, 8},
    PaperRow{"collective", "2", 5.38, 2.12, 2, 8},
    PaperRow{"collective", "4", 5.38, 2.12, 2, 8},
    PaperRow{"collective", "8", 5.38, 2.12, 2, 8},
    PaperRow{"collective", "16", 5.38, 2.12, 2, 8},
    PaperRow{"collective", "32", 5.38, 2.12, 2, 8},
    PaperRow{"collective", "64", 3.75, 1.20, 2, 5},
    PaperRow{"collective", "128", 2.62, 0.48, 2, 3},
    PaperRow{"asynchronous", "merge", 14.38, 3.54, 5, 26},
};

/// The paper's row for the balancer of `run`; nullptr where it has none, or where `run` is not the
/// paper's experiment (groups of 4, cyclic workload).
const PaperRow* paper_row(const Scenario& run);

}  // namespace regroup
