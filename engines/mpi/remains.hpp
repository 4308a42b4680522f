// SPDX-License-Identifier: BSD-3-Clause
//
// What is left when ranks were lost, and how those that are left agree about it.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engines/mpi/black_box.hpp"
#include "engines/mpi/collect.hpp"
#include "engines/mpi/world.hpp"
#include "kernel/recovery.hpp"
#include "regroup/walker.hpp"

namespace regroup {

/// What a black box has of a rank's result, as bytes, and back; nothing where there are none.
std::vector<std::byte> record_of(const BlackBox& box);
std::optional<RankResult> kept_record(std::span<const std::byte> bytes);

/// The last groups of the ranks of `world`, by their results in `left`, and the items of each chain
/// that were not executed by all members of its last group, also by what `lost` ranks had written
/// down; by the ranks and walkers of `run`, the whole run.
Remains remains_of(const RunInput& run, const World& world, std::span<const RankResult> left,
                   std::span<const RankResult> lost);

/// All but who is lost.
State packed(const Remains& remains);
Remains unpacked_remains(std::span<const std::byte> state);

/// Collective over `world`: what rank 0 has, for all.
void broadcast(State& state, const World& world);

/// Collective over `world`: all ranks but 0 wait for it.
void tell_all(const World& world, Tag tag);

}  // namespace regroup
