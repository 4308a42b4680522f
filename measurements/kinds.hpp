// SPDX-License-Identifier: BSD-3-Clause
//
// The rows of the table of measurement kinds, and their common options and checks.
#pragma once

#include <string>

#include "regroup/groups.hpp"
#include "regroup/measurement.hpp"

namespace regroup {

MeasurementKind creation_kind();
MeasurementKind collectives_kind();
MeasurementKind steps_kind();
MeasurementKind items_kind();
MeasurementKind sort_kind();

inline constexpr OptionSpec group_size_option =
    integer_option("group_size", "", 1, 1 << 20, "number of ranks in a group");
inline constexpr OptionSpec samples_option = integer_option(
    "samples", "30", 1, 1e6,
    "number of samples of each measured time. Three warm-up samples before them are discarded.");

/// Returns whether the strategy cannot form arbitrary groups; if so, sets group_size to `ranks`.
bool settle_whole_groups(Measurement& measurement, int ranks);

/// Returns why a measurement with the options `group_size` and `communicator` is impossible; empty
/// if it is possible.
std::string hindrance_by_group(const Measurement& measurement, int ranks);

/// Returns why a group of `group_size` is impossible; empty if it is possible.
std::string hindrance_by_size(int group_size, int ranks);

/// Returns why `strategy` cannot form `group` from `ranks`; empty if it can.
std::string hindrance_by_strategy(const Strategy& strategy, const Members& group, int ranks);

}  // namespace regroup
