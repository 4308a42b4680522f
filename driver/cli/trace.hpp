// SPDX-License-Identifier: BSD-3-Clause
//
// A run as what each of its ranks did, one after the other: what viewers of traces show.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "driver/store/record.hpp"
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
  Record record;
  std::vector<GroupLife> lives;  ///< by the time when they were formed
  int first_rank = 0;
  std::vector<std::vector<Span>> spans;  ///< of each rank from first_rank on

  std::string name() const { return fingerprint(record.task); }
};

/// The run called `run` of the results in `directory`; where that is empty, the last one that ended
/// well and formed groups, else the last that ended well. Of its ranks those in `ranks`, as in
/// "0-63"; empty: all. Throws UserError where there is no such run or rank, or a file is damaged.
TracedRun traced_run(const std::string& directory, const std::string& run, const std::string& ranks,
                     const Catalog& catalog);

struct TraceOptions {
  std::string directory;  ///< of results
  std::string run;
  std::string ranks;
  std::string output;  ///< empty: DIRECTORY/RUN.trace.json
};

/// Writes a run as JSON for Perfetto and chrome://tracing, and prints the name of the file.
void write_trace(const TraceOptions& options, const Catalog& catalog);

}  // namespace regroup
