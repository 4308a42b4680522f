// SPDX-License-Identifier: BSD-3-Clause
//
// Texts in UTF-8 as they stand in a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace regroup {

/// How many columns of a terminal `text` takes, at most: characters may be two wide.
std::size_t width_of(std::string_view text);

/// `text` or, where it takes more than so many columns, what fits of its beginning, with an
/// ellipsis.
std::string fitted(std::string_view text, std::size_t columns);

/// `text` with an end of line in place of blanks, so that each line takes at most so many columns
/// where no word is longer; those after the first begin with `indent` blanks.
std::string folded(std::string_view text, std::size_t columns, std::size_t indent);

}  // namespace regroup
