// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "jobs/summaries/settings.hpp"

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

}  // namespace regroup
