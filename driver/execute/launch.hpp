// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace regroup {

/// Makes Ctrl-C, and the signals with which schedulers end jobs, end the run in progress instead of
/// this program. Exceeding the file size limit becomes a write error. May be called again.
void catch_interrupts();

/// Returns whether such a signal has arrived.
bool interrupted();

/// Returns whether `program` can be started: whether it is found, as by execvp, in `path`, the
/// value of PATH.
bool can_start(const std::string& program, const std::string& path);

/// How a launched command ended.
struct Exit {
  enum class Kind { exited, signalled, timed_out, interrupted };
  Kind kind = Kind::exited;
  int code = 0;  ///< exit code, or the signal's number
  double wall_s = 0;
  bool began = false;  ///< whether it had started, according to `started`
  bool done = false;   ///< whether its work was done within the time limit
  bool taken = false;  ///< whether others were about to end it, within the time limit
};

/// The time limits of a command.
struct Patience {
  double start_s = 0;             ///< until it has started
  double run_s = 0;               ///< from its start on
  double end_s = 0;               ///< after its work is done, or others are about to end it
  std::function<bool()> started;  ///< whether it has started
  std::function<bool()> done;     ///< whether its work is done
  std::function<bool()> taken = [] { return false; };  ///< whether others are about to end it
  std::chrono::milliseconds between_looks{100};        ///< and between two ticks
};

/// Runs `command` with `environment` added to that of this process and its output in `log`, until
/// `patience` is exceeded or an interrupt arrives. If it ends badly, an interrupt shortly after it
/// counts too: a scheduler may end what it launched before it ends us. Leaves no process behind.
/// Calls `tick` now and then. Throws std::runtime_error if the command cannot be started.
Exit launch(const std::vector<std::string>& command,
            const std::map<std::string, std::string>& environment, const std::string& log,
            const Patience& patience, const std::function<void()>& tick);

}  // namespace regroup
