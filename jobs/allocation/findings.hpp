// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "jobs/allocation/given_hosts.hpp"
#include "kernel/places/probe.hpp"

namespace regroup {

/// One thing that was looked at before anything is measured.
struct Finding {
  enum class Verdict { ok, warning, wrong };
  Verdict verdict = Verdict::ok;
  std::string what;  ///< "clocks"
  std::string text;
};

/// "warning  clocks         times of other hosts are wrong …": a line of the report.
std::string line_of(const Finding& finding);

/// What ranks were to be.
struct AskedRanks {
  int ranks = 0;
  int ranks_per_node = 0;  ///< 0: as the launcher does
};

/// What `probe` means, of ranks that came after `seconds`.
std::vector<Finding> judged(const Probe& probe, const AskedRanks& asked, const GivenHosts& given,
                            double seconds);

/// What the MPI library `library` lacks; `missing`: strategies.
Finding judged_library(const std::string& library, const std::vector<std::string>& missing);

}  // namespace regroup
