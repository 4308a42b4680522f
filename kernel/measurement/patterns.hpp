// SPDX-License-Identifier: BSD-3-Clause
//
// Which groups are formed, and in what order, when communicator constructors are measured.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "communicators/members.hpp"
#include "kernel/groups/node_map.hpp"
#include "kernel/options.hpp"

namespace regroup {

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
