// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "kernel/numbers/statistics.hpp"
#include "library/task.hpp"

namespace regroup {

/// "asynchronous(finished_groups=release), create_group": a balancer with its options and its
/// strategy.
std::string describe_balancer(const Scenario& scenario);

/// The groups at the start: "equal", "0-3/4-7 12/8-11", or of longer texts "64 1a2b3c4d", how many
/// they are and a name.
std::string describe_groups(const Scenario& scenario);

/// "exponential(mean_items=200)": a row of a list with those options that are not as usual.
std::string describe_choice(const Entry& entry, const Choice& choice);

/// "32 ranks, G 4, T 100 ms, exponential(mean_items=140)": what a run is to do, whoever does it.
std::string describe_problem(const Scenario& run);

/// ", item_ms 2, lennard_jones(atoms=55)": the parameters that a measurement shares with runs;
/// empty where its kind has none.
std::string describe_shared(const Scenario& measurement);

/// A task in one line, as progress and plans show it.
std::string describe(const Scenario& task);

/// A line about combinations of parameters that are no tasks of their own; empty without any.
std::string left_out_note(std::size_t left_out, std::string_view noun);

/// `text`, in whose middle something is left out where it is longer than so many bytes.
std::string shortened(const std::string& text, std::size_t bytes);

/// "1:05:20", "12:03", "8 s".
std::string duration(double seconds);

/// "1.25 ms", "83.0 µs": with three digits, in the unit that fits.
std::string in_fitting_unit(double seconds);
/// "1.25 [0.90, 1.40] ms": the largest of them has three digits.
std::string in_fitting_unit(double seconds, const Interval& interval);

/// Whether `description` holds `text`. A number at its end is meant whole: "#1" is not "#10".
bool holds(std::string_view description, std::string_view text);

}  // namespace regroup
