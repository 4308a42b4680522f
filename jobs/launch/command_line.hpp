// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace regroup {

/// Whether `program` is one that can be started: found, as execvp does, in `path`, the value of
/// PATH.
bool can_start(const std::string& program, const std::string& path);

/// `text` split into words as a shell does: at blanks, quotes keep words together.
std::vector<std::string> words(const std::string& text);

/// `word` so that a shell, or words(), reads it as one word.
std::string quoted(const std::string& word);

}  // namespace regroup
