// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "measurements/summary.hpp"
#include "regroup/bench.hpp"
#include "regroup/communicator.hpp"
#include "regroup/groups.hpp"

namespace regroup {

// ---- patterns of groups (creation.cpp)

/// Disjoint groups that are formed at the same time.
using Layer = std::vector<Members>;

/// A rule for the groups of a measurement and the order in which they are formed.
struct Pattern {
  std::string_view name;
  std::string_view help;
  /// The layers among `ranks`, in the order in which every rank forms its groups. None if they
  /// depend on nodes.
  std::vector<Layer> (*layers)(int ranks, int group_size, std::uint64_t seed) = nullptr;
  /// The size of groups, if it follows from the pattern and not from the configuration.
  int (*own_size)(int ranks) = nullptr;
  bool drawn = false;  ///< the seed determines the groups
  /// The layers of a pattern that depends on the nodes of the ranks; empty if there are no such
  /// groups.
  std::vector<Layer> (*layers_on)(const NodeMap& nodes, int ranks, int group_size) = nullptr;
};

std::span<const Pattern> patterns();

/// Returns the layers of a measurement. Collective; throws Unsupported, on all ranks, if the nodes
/// allow no groups of its pattern, or none that the strategy can form.
std::vector<Layer> layers_of(const Bench& bench);

/// Returns the reason why `strategy` cannot be measured on these `nodes`; empty if it can.
std::string hindrance_on(const NodeMap& nodes, const Pattern& pattern, int group_size, int ranks,
                         const Strategy& strategy);

// ---- measuring (creation_bench.cpp, creation_stress.cpp)

Findings measure_creation(Bench& bench);

/// Returns whether `strategy` forms these groups by nonblocking messages: idup, and icreate_group
/// if no group is a range.
bool forms_beside_work(std::string_view strategy, std::span<const Layer> layers);

/// Measures the duration of `at_once` simultaneous creations of each group, alone and overlapped
/// with work; no samples unless forms_beside_work(). Collective; complete on all ranks.
Samples measure_in_flight(Bench& bench, std::span<const Layer> layers, int at_once);

/// Counts the communicators that can be alive, before and after `regroupings` random regroupings.
/// Collective; complete on all ranks.
Figures measure_storm(Bench& bench, int regroupings);

/// Communicators beyond this number are not counted: Open MPI has 65,532.
inline constexpr int most_counted = 4096;

/// Returns the fraction of the creation time that work hides, from samples of measure_in_flight().
Figures hidden_fraction_of(const Samples& samples);

// ---- summary (creation_summary.cpp)

std::string summarize_creation(const MeasuredSetting& setting);

}  // namespace regroup
