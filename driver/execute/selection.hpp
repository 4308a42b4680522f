// SPDX-License-Identifier: BSD-3-Clause
//
// Sweeps in parts: who has a job array starts as many commands as it has jobs, and each does its
// part of the tasks.
//
// Every job of an array is an allocation of nodes, which all tasks of the part hold. So tasks on
// equally many processes stand together, small ones first: where there are as many parts as numbers
// of processes, or more, no part mixes them, and each can ask for the nodes that its tasks need and
// no more. (With fewer parts neighbours in size are mixed.) Parts are given to the sizes by the
// time that these are likely to take.
//
// Within a size tasks keep the order of the configuration: there repetitions and seeds are
// outermost and balancers innermost, so that what is to be compared is done by one part, on the
// same nodes, and parts are alike: each has its own repetitions of everything.
//
// The division depends on the configuration alone, not on times of day or machines: parts that are
// started anew, or elsewhere, are the same.
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

/// Divides portions, by their indices, among so many shards, of which none is empty; there must be
/// as many portions.
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

/// Where a shard has its results, below the directory of the whole: "/shard-2-of-3"; nothing for
/// the whole. Two jobs never write to one directory so.
std::string place_of_shard(const Selection& selection);

/// The same as options of the command, quoted for a shell, each with a blank before it.
std::string options_of(const Selection& selection);

/// `indices` in the order in which they are done (the key `sweep_order`). Of any two tasks it
/// is the same one that comes first, whatever else is done: also in what is left to be resumed.
Indices in_order(const Experiment& experiment, Indices indices);

}  // namespace regroup
