// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace regroup {

/// A number that names `text` (FNV-1a, 64 bits), and its sixteen hexadecimal digits.
std::uint64_t hash_number(std::string_view text);
std::string hash_text(std::string_view text);

/// `hash` with `number` added to it: a number that names both, in their order.
std::uint64_t hash_combined(std::uint64_t hash, std::uint64_t number);

/// The digits of such a number, and back; nothing where `digits` are none.
std::string hash_digits(std::uint64_t number);
std::optional<std::uint64_t> hash_from(std::string_view digits);

}  // namespace regroup
