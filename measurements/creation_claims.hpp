// SPDX-License-Identifier: BSD-3-Clause
//
// Statements about the cost of creating one group (the pattern one_group), judged by measurements.
#pragma once

#include <string>
#include <vector>

#include "measurements/summary.hpp"

namespace regroup {

// Sections of the summary, with a heading; empty if there is nothing to report.

/// Lists the fastest constructor for each group size.
std::string fastest_constructors(const MeasuredSetting& setting);

/// Lists the group sizes from which parent-collective constructors are at least as fast.
std::string crossovers(const MeasuredSetting& setting);

/// Compares the cost of range communicators with that of create_group.
std::string range_gain(const MeasuredSetting& setting);

/// Lists the time lost by ranks outside the group, by the required callers.
std::string bystander_losses(const MeasuredSetting& setting);

/// An expectation of an MPI library or of range communicators. Medians in the wrong order violate
/// it only if their 95 % intervals do not overlap; medians of too few samples have no interval.
struct Guideline {
  enum class Verdict { holds, too_few_samples, violated };
  std::string what;
  Verdict verdict;
  std::string details;  ///< verdict and numbers
};

/// Returns the guidelines of which both sides were measured.
std::vector<Guideline> judged(const MeasuredSetting& setting);
std::string guidelines(const std::vector<Guideline>& judged);

/// A statement of the paper about its Figure 1, the cost of creating a communicator as a function
/// of group size. Source: Dinan et al., Noncollective Communicator Creation in MPI, EuroMPI 2011,
/// sections 4.1 and 6.
struct Figure1Claim {
  std::string what;
  std::string paper;
  std::string ours;
  bool holds = true;  ///< or does not hold for a known reason
  std::string details = {};
};

/// Returns the claims of which both sides were measured. Throws std::invalid_argument if a time has
/// too few samples to be judged.
std::vector<Figure1Claim> figure1_claims(const MeasuredSetting& setting);

}  // namespace regroup
