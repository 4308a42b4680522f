// SPDX-License-Identifier: BSD-3-Clause
//
// Sweeps in parts: each job of a job array executes one part of the tasks.
//
// A job holds its nodes for all of its tasks, so tasks on equally many processes stay together,
// small ones first: with as many parts as numbers of processes, or more, no part mixes them. Each
// number of processes gets parts by the time that its tasks are likely to take. Within one, tasks
// keep the order of the configuration, whose innermost axis is balancers: what is to be compared
// is executed by one part, on the same nodes.
//
// The division depends on the configuration alone, so that parts that are started anew, or
// elsewhere, are the same.
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
  int number = 1;  ///< from 1 on …
  int of = 1;      ///< … to this
};

/// "2/3". Throws UserError where `text` is no shard.
Shard shard_from(const std::string& text);

/// What a division knows of a task.
struct Portion {
  int processes = 1;
  std::int64_t weight = 1;
};

/// Divides portions, by their indices, among as many shards or fewer; none is empty.
std::vector<Indices> divide(std::span<const Portion> portions, int shards);

/// Divides tasks of `experiment`. Throws UserError where they are fewer than the shards.
std::vector<Indices> divide(const Experiment& experiment, const Indices& indices, int shards);

/// Which tasks of a configuration are meant, as the command line says it. All where it is empty.
struct Selection {
  std::string only;   ///< those whose description holds this text
  std::string shard;  ///< of those, one part: "2/3"
  std::string one;    ///< the one with this name
};

/// The tasks that are meant, in their order. Throws UserError where there are none.
Indices selected(const Experiment& experiment, const Selection& selection);

/// Where a shard has its results, below the directory of the whole: "/shard-2-of-3"; empty for the
/// whole.
std::string place_of_shard(const Selection& selection);

/// The same as options of the command, quoted for a shell, each with a blank before it.
std::string options_of(const Selection& selection);

/// `indices` in the order in which they are executed (the key `sweep_order`). Which of two tasks
/// comes first does not depend on the others, so resuming keeps the order.
Indices in_order(const Experiment& experiment, Indices indices);

}  // namespace regroup
