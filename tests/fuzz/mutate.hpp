// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <random>
#include <string>

namespace regroup::fuzz {

/// The same numbers everywhere, which the distributions of the standard library do not promise.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : bits_(seed) {}

  /// A number below `limit`, or 0 where that is 0.
  std::size_t below(std::size_t limit) { return limit == 0 ? 0 : bits_() % limit; }

 private:
  std::mt19937_64 bits_;
};

/// Damages `text` in one way: its bytes, its numbers, its lines, its cells, or by what upsets
/// readers of YAML, CSV and JSON. `other` is a text to take a piece of.
void mutate(std::string& text, const std::string& other, Dice& dice);

}  // namespace regroup::fuzz
