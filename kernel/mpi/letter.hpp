// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "kernel/balancer.hpp"

namespace regroup {

/// What processes tell each other, as numbers. The first few travel at once; where there are more,
/// as of groups with many gaps, the rest follows.
class Letter {
 public:
  static constexpr std::size_t first_part = 8;

  void put(std::int64_t number);
  void put(const RankSet& ranks);
  void put(const Group& group);

  std::int64_t take();
  RankSet take_ranks();
  Group take_group();

  /// How many numbers there are, the count of them included.
  std::size_t size() const { return static_cast<std::size_t>(first_[0]); }
  /// Those that travel at once; for a letter to receive, room for them.
  std::span<std::int64_t> first() { return first_; }
  std::span<const std::int64_t> first() const {
    return {first_.data(), std::min(size(), first_part)};
  }
  const std::vector<std::int64_t>& rest() const { return rest_; }
  /// Room for what follows, by the first part.
  std::span<std::int64_t> make_room();

 private:
  std::array<std::int64_t, first_part> first_{1};
  std::vector<std::int64_t> rest_;
  std::size_t taken_ = 1;
};

Letter to_letter(const Message& message);
Message message_of(Letter letter);

}  // namespace regroup
