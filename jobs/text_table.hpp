// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace regroup {

using Cells = std::vector<std::string>;

/// `rows`, the first of which holds the headings, with aligned columns. The columns in `left` are
/// aligned to the left, the others to the right.
std::string text_table(const std::vector<Cells>& rows, const std::vector<std::size_t>& left,
                       bool markdown = false);

}  // namespace regroup
