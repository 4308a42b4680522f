// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace regroup {

/// A number that names `text` (FNV-1a, 64 bits), and its sixteen hexadecimal digits.
std::uint64_t hash_number(std::string_view text);
std::string hash_text(std::string_view text);

}  // namespace regroup
