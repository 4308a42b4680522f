// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/numbers/hash.hpp"

#include <fmt/format.h>

#include "kernel/numbers/parse.hpp"

namespace regroup {

std::uint64_t hash_number(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

std::string hash_text(std::string_view text) { return hash_digits(hash_number(text)); }

std::string hash_digits(std::uint64_t number) { return fmt::format("{:016x}", number); }

std::optional<std::uint64_t> hash_from(std::string_view digits) {
  if (digits.size() != 16) return std::nullopt;
  return parse<std::uint64_t>(digits, 16);
}

}  // namespace regroup
