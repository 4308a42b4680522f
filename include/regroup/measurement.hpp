// SPDX-License-Identifier: BSD-3-Clause
//
// What is measured beside whole runs: the price of communicators and of operations on them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "regroup/groups.hpp"
#include "regroup/options.hpp"

namespace regroup {

/// A figure that a kind of measurement finds out: a column of its file.
struct Figure {
  std::string_view name;  ///< with its unit
  std::string_view help;
  bool is_count = false;  ///< a whole number
};
inline constexpr bool a_count = true;

/// A kind of measurement: its name is also that of its file (`creation.csv`), its options are the
/// parameters that a configuration crosses.
struct MeasurementKind : Entry {
  std::span<const Figure> figures;
};
std::span<const MeasurementKind> measurement_kinds();

// Which groups are formed, and in what order, when communicator constructors are measured.

/// Groups that have no rank in common, and are formed at the same time.
using Layer = std::vector<Members>;

struct Pattern : Entry {
  /// The layers among `ranks`, from first to last; every rank forms its groups in this order.
  std::vector<Layer> (*layers)(int ranks, int group_size, std::uint64_t seed);
  /// The size of groups where the pattern itself says it; 0 where the configuration does.
  int (*own_size)(int ranks);
  /// Whether the seed draws the groups: measurements with different seeds are of different groups.
  bool drawn = false;
  /// Where groups depend on who shares a node, so that `layers` knows none: those on `nodes`.
  /// Nothing where these do not allow any.
  std::vector<Layer> (*on_nodes)(const NodeMap& nodes, int ranks, int group_size) = nullptr;
};

std::span<const Pattern> patterns();

/// Whether `strategy` forms these groups by messages and does not block, so that its members can
/// work meanwhile: idup, and icreate_group where none of the groups is a range.
bool goes_on_beside_work(std::string_view strategy, std::span<const Layer> layers);

}  // namespace regroup
