// SPDX-License-Identifier: BSD-3-Clause
//
// Selects tasks, and divides sweeps into shards: each job of a job array executes one shard.
//
// A job holds its nodes for all of its tasks, so tasks on the same number of processes stay
// together, small ones first. No shard mixes numbers of processes if there are at least as many
// shards as such numbers. Each number of processes gets shards according to the predicted time of
// its tasks. Within a shard, tasks keep the order of the configuration, whose innermost axis is
// balancers: one shard executes the tasks to be compared, on the same nodes.
//
// The division depends on the configuration alone, so a restarted shard has the same tasks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "driver/config/experiment.hpp"

namespace regroup {

using Indices = std::vector<std::size_t>;  ///< of tasks in an experiment

struct Shard {
  int number = 1;  ///< from 1 to `of`
  int of = 1;      ///< number of shards
};

/// Parses "2/3". Throws UserError if `text` is no shard.
Shard shard_from(const std::string& text);

/// The properties of a task that its division depends on.
struct Portion {
  int processes = 1;
  std::int64_t weight = 1;
};

/// Divides portions among `shards` shards, at most one for each portion. Returns their indices.
std::vector<Indices> divide(std::span<const Portion> portions, int shards);

/// Divides tasks of `experiment`. Throws UserError if they are too few for `shards`.
std::vector<Indices> divide(const Experiment& experiment, const Indices& indices, int shards);

/// The tasks that the command line selects; all if it is empty.
struct Selection {
  std::string only;   ///< tasks whose description contains this text
  std::string shard;  ///< one shard of these: "2/3"
  std::string one;    ///< the task with this hash
};

/// Returns the selected tasks in their order. Throws UserError if there are none.
Indices selected(const Experiment& experiment, const Selection& selection);

/// Returns the directory of the results of a shard, below that of the sweep: "/shard-2-of-3"; empty
/// without a shard.
std::string place_of_shard(const Selection& selection);

/// Returns the selection as options of the command, quoted for a shell, each after a blank.
std::string options_of(const Selection& selection);

/// Returns `indices` in the order of their execution (the key `sweep_order`). The order of two
/// tasks does not depend on the others, so resuming keeps the order.
Indices in_order(const Experiment& experiment, Indices indices);

}  // namespace regroup
