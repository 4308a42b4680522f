// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace regroup {

/// Sixteen hexadecimal digits that name `text` (FNV-1a, 64 bits).
std::string hash_text(std::string_view text);

}  // namespace regroup
