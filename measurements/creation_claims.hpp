// SPDX-License-Identifier: BSD-3-Clause
//
// Statements about the cost of creating one group (the pattern one_group), judged by measurements.
#pragma once

#include <string>
#include <vector>

#include "measurements/summary.hpp"

namespace regroup {

// Sections of the summary, with a heading; empty if there is nothing to report.

/// The fastest constructor for each group size.
std::string fastest_constructors(const MeasuredSetting& setting);

/// The group size from which on a parent-collective constructor is the faster one.
std::string crossovers(const MeasuredSetting& setting);

/// How many times cheaper a range communicator is than create_group.
std::string range_gain(const MeasuredSetting& setting);

/// The loss of a rank outside, by who must call.
std::string bystander_losses(const MeasuredSetting& setting);

/// An expectation of an MPI library or of range communicators. Medians in the wrong order are a
/// violation only if their 95 % intervals do not overlap; a median of too few samples has none.
struct Guideline {
  enum class Verdict { holds, too_few_samples, violated };
  std::string what;
  Verdict verdict;
  std::string details;  ///< verdict and numbers
};

/// Those of which both sides were measured.
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

/// Those of which both sides were measured. Throws std::invalid_argument if a time has too few
/// samples to be judged.
std::vector<Figure1Claim> figure1_claims(const MeasuredSetting& setting);

}  // namespace regroup
