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
/// By the finishing steps of splitmix64.
constexpr std::uint64_t hash_combined(std::uint64_t hash, std::uint64_t number) {
  std::uint64_t mixed = (hash ^ number) * 0x100000001b3u + 0x9e3779b97f4a7c15u;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
  return mixed ^ (mixed >> 31);
}

/// The digits of such a number, and back; nothing where `digits` are none.
std::string hash_digits(std::uint64_t number);
std::optional<std::uint64_t> hash_from(std::string_view digits);

}  // namespace regroup
