// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "kernel/balancer.hpp"
#include "kernel/outcome.hpp"

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

/// What processes tell each other beside the messages of balancers.
enum class Notice : std::int32_t {
  none,    ///< the letter is a balancer's message
  report,  ///< a report of a chain: to rank 0
  enough,  ///< whether chains have observed enough: from rank 0
};
/// A letter that is to tell it, and what a letter tells.
Letter letter_of(Notice notice);
Notice notice_in(const Letter& letter);

Letter to_letter(const ChainReport& report, bool ended);
/// The report, and whether its chain has ended with it.
std::pair<ChainReport, bool> report_of(Letter letter);

Letter to_letter(const Message& message);
Message message_of(Letter letter);

}  // namespace regroup
