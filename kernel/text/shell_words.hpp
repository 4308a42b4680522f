// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace regroup {

/// Splits `text` into words at blanks outside of quotes, like a shell.
std::vector<std::string> words(const std::string& text);

/// Quotes `word`, if necessary, so that a shell or words() reads it as one word.
std::string quoted(const std::string& word);

}  // namespace regroup
