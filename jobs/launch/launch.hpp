// SPDX-License-Identifier: BSD-3-Clause
#pragma once

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
/// `timeout_s` seconds, and until interrupt() is called. Leaves no process behind, however it ends:
/// what its descendants leave is found and ended. `tick` is called ten times a second.
/// Throws std::runtime_error where the command cannot be started.
Ending launch(const std::vector<std::string>& command,
              const std::map<std::string, std::string>& environment, const std::string& log,
              double timeout_s, void (*tick)(void*), void* tick_argument);

/// Lets Ctrl-C and SIGTERM end the run in progress, instead of ourselves. Once per program.
void catch_interrupts();

/// Whether an interrupt came.
bool interrupted();

/// Whether `program` is one that can be started: found, as execvp does, in `path`, the value of
/// PATH.
bool can_start(const std::string& program, const std::string& path);

/// `text` split into words as a shell does: at blanks, quotes keep words together.
std::vector<std::string> words(const std::string& text);

/// `word` so that a shell, or words(), reads it as one word.
std::string quoted(const std::string& word);

}  // namespace regroup
