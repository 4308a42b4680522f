// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "driver/store/settings.hpp"

namespace regroup {

// What stored measurements of one kind say, in tables and plain words.

std::string creation_summary(const MeasurementKind& kind, const std::vector<Record>& records);
std::string collectives_summary(const MeasurementKind& kind, const std::vector<Record>& records);
std::string steps_summary(const MeasurementKind& kind, const std::vector<Record>& records);
std::string items_summary(const MeasurementKind& kind, const std::vector<Record>& records);
std::string sort_summary(const MeasurementKind& kind, const std::vector<Record>& records);

/// The exit code that the guidelines of creation come to: 0 where all hold, 1 where one is
/// violated. Throws UserError where none is violated, but there is none, or one has too few
/// samples.
int check_guidelines(const std::string& directory);

/// Prints the summary of the file of `kind` in a directory of results, and what it leaves out.
void print_summary(const MeasurementKind& kind, const std::string& directory);

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

// What the paper says of its Figure 1, the cost of creating a communicator by the size of its
// group, judged by measurements. Source: Dinan et al., Noncollective Communicator Creation in MPI,
// EuroMPI 2011, sections 4.1 and 6.

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
