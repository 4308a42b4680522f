// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace regroup {

/// `text` split into words as a shell does: at blanks, quotes keep words together.
std::vector<std::string> words(const std::string& text);

/// `word` so that a shell, or words(), reads it as one word.
std::string quoted(const std::string& word);

}  // namespace regroup
