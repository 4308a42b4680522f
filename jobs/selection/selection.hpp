// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "jobs/configuration/experiment.hpp"
#include "jobs/selection/shard.hpp"

namespace regroup {

/// Which tasks of a configuration are meant, as the command line says it. All where it is empty.
struct Selection {
  std::string only;   ///< those whose description holds this text
  std::string shard;  ///< of those, one part: "2/3"
  std::string one;    ///< the one with this name
};

/// The tasks that are meant, in their order. Throws UserError where there are none.
Places selected(const Experiment& experiment, const Selection& selection);

/// Where a shard has its results, below the directory of the whole: "/shard-2-of-3"; nothing for
/// the whole. Two jobs never write to one directory so.
std::string place_of_shard(const Selection& selection);

/// The same as options of the command, quoted for a shell, each with a blank before it.
std::string options_of(const Selection& selection);

}  // namespace regroup
