// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace regroup {

/// How a launched command ended.
struct Ending {
  enum class Kind { exited, signalled, timed_out, interrupted };
  Kind kind = Kind::exited;
  int code = 0;  ///< exit code, or the signal's number
  double wall_s = 0;
};

/// Runs `command` with `environment` added to our own and its output in `log`, for at most
/// `timeout_s` seconds, and until an interrupt comes. Leaves no process behind, however it ends:
/// what its descendants leave is found and ended. `tick` is called ten times a second.
/// Throws std::runtime_error where the command cannot be started.
Ending launch(const std::vector<std::string>& command,
              const std::map<std::string, std::string>& environment, const std::string& log,
              double timeout_s, const std::function<void()>& tick);

}  // namespace regroup
