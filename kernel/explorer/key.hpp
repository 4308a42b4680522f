// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "kernel/balancer.hpp"

namespace regroup {

/// Appends numbers to a key: small ones, which most are, take one byte.
class Key {
 public:
  void add(std::int64_t number) {
    if (number >= -1 && number < 250) {
      text_.push_back(static_cast<char>(number + 1));
      return;
    }
    text_.push_back(static_cast<char>(255));
    for (int shift = 0; shift < 64; shift += 8) {
      text_.push_back(static_cast<char>(number >> shift));
    }
  }
  void add(const RankSet& ranks) {
    add(static_cast<std::int64_t>(ranks.ranges().size()));
    for (const RankRange range : ranks.ranges()) {
      add(range.lo);
      add(range.hi);
    }
  }
  void add(std::span<const std::int64_t> numbers) {
    add(static_cast<std::int64_t>(numbers.size()));
    for (const std::int64_t number : numbers) add(number);
  }
  void add(const Message& message) {
    add(message.word);
    add(message.from);
    add(message.ranks);
    add(std::span(message.numbers));
  }
  void add(const Group& group) {
    add(group.ranks);
    add(group.chain.walker);
    add(group.chain.items_left);
    add(std::span(group.note));
  }
  std::string text() && { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace regroup
