// SPDX-License-Identifier: BSD-3-Clause
//
// What the paper says of its Figure 1, the cost of creating a communicator by the size of its
// group, judged by measurements. Source: Dinan et al., Noncollective Communicator Creation in MPI,
// EuroMPI 2011, sections 4.1 and 6.
#pragma once

#include <string>
#include <vector>

#include "jobs/summaries/settings.hpp"

namespace regroup {

struct Figure1Claim {
  std::string what;
  std::string paper;
  std::string ours;
  bool holds = true;      ///< or it is explained why not
  std::string says = {};  ///< how it holds, or what is wrong
};

/// The claims of which both sides were measured. `crowded`: ranks share cores. Throws
/// std::invalid_argument where a time has too few samples to be judged.
std::vector<Figure1Claim> figure1_claims(const Setting& setting, bool crowded);

}  // namespace regroup
