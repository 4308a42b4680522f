// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace regroup {

/// Lets Ctrl-C, and the signals with which schedulers end jobs, end the run in progress instead of
/// this program. Exceeding the file size limit becomes a write error. Once per program.
void catch_interrupts();

/// Whether an interrupt came.
bool interrupted();

/// Whether `program` is one that can be started: found, as execvp does, in `path`, the value of
/// PATH.
bool can_start(const std::string& program, const std::string& path);

/// How a launched command ended.
struct Exit {
  enum class Kind { exited, signalled, timed_out, interrupted };
  Kind kind = Kind::exited;
  int code = 0;  ///< exit code, or the signal's number
  double wall_s = 0;
  bool began = false;  ///< it came to its start, if `started` could tell
  bool done = false;   ///< what it was for was done, while it had time
  bool taken = false;  ///< somebody else was about to end it, while it had time
};

/// How long a command may take.
struct Patience {
  double start_s = 0;             ///< until it has started
  double run_s = 0;               ///< from then on
  double end_s = 0;               ///< from when what it was for is done, or somebody else ends it
  std::function<bool()> started;  ///< whether it has started
  std::function<bool()> done;     ///< whether what it was for is done
  std::function<bool()> taken = [] { return false; };  ///< whether somebody else ends it
  std::chrono::milliseconds between_looks{100};        ///< and between two ticks
};

/// Runs `command` with `environment` added to our own and its output in `log`, until `patience` is
/// over or an interrupt comes; where it ends badly, also one that comes shortly after: who ends a
/// job may end what it launched first. Leaves no process behind, however it ends. `tick` is called
/// now and then. Throws std::runtime_error where the command cannot be started.
Exit launch(const std::vector<std::string>& command,
            const std::map<std::string, std::string>& environment, const std::string& log,
            const Patience& patience, const std::function<void()>& tick);

}  // namespace regroup
