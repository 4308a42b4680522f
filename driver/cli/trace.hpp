// SPDX-License-Identifier: BSD-3-Clause
//
// A run as what each of its ranks did, one after the other: what viewers of traces show.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "regroup/groups.hpp"
#include "regroup/outcome.hpp"

namespace regroup {

enum class Doing {
  work,  ///< on items of the group's walker
  idle,  ///< it has none, or waits for others
  form,  ///< a new group: from the end of the last one to when the new communicator was ready
};

/// So long a rank did one thing. Seconds from the start of the run.
struct Span {
  double begin_s = 0;
  double end_s = 0;
  Doing doing = Doing::work;
  std::size_t life = 0;  ///< of TracedRun::lives, as whose member; while forming: of the new one
};

struct TracedRun {
  std::map<std::string, std::string> row;  ///< of runs.csv: columns and cells
  std::vector<GroupLife> lives;            ///< by the time when they were formed
  int first_rank = 0;
  std::vector<std::vector<Span>> spans;  ///< of each rank from first_rank on

  const std::string& name() const { return row.at("run"); }
};

/// The run called `run` of the results in `directory`; where that is empty, the last one that ended
/// well and formed groups, else the last that ended well. Of its ranks those in `ranks`, as in
/// "0-63"; empty: all. Throws UserError where there is no such run or rank, or a file is damaged.
TracedRun traced_run(const std::string& directory, const std::string& run,
                     const std::string& ranks);

/// Adds the subcommand `trace`.
void add_trace_command(CLI::App& app);

}  // namespace regroup
