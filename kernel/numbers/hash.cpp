// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/numbers/hash.hpp"

#include <fmt/format.h>

namespace regroup {

std::uint64_t hash_number(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

std::string hash_text(std::string_view text) { return fmt::format("{:016x}", hash_number(text)); }

}  // namespace regroup
