// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "jobs/summaries/settings.hpp"

namespace regroup {

// What the figures of the pattern one_group say, in plain words; empty where they say nothing.

/// Which constructor is fastest for each group size.
std::string fastest_constructors(const Setting& setting);

/// From which group size on a parent-collective constructor is at least as fast as create_group.
std::string crossovers(const Setting& setting);

/// What is expected of an MPI library and of range communicators, judged: medians in the wrong
/// order count as a violation only where their 95 % intervals do not overlap, and a median of too
/// few samples has none.
struct Guideline {
  enum class Verdict { holds, too_few_samples, violated };
  std::string what;
  Verdict verdict;
  std::string says;  ///< verdict and numbers
};

/// Those of which both sides were measured.
std::vector<Guideline> judged(const Setting& setting);
std::string guidelines(const std::vector<Guideline>& judged);

/// How many times cheaper a range communicator is than create_group.
std::string range_gain(const Setting& setting);

/// What a rank outside loses, by who must call.
std::string bystander_losses(const Setting& setting);

}  // namespace regroup
