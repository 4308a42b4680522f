// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace regroup::range {

/// No channel is left for a communicator, so that its messages could be taken for those of another.
class NoChannel : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The channels of one process: how many there are, what for, and which of them are taken by
/// communicators that live here. An MPI message carries its tag and no context; a channel is what
/// tells communicators apart that icreate_group has made. 0 is no channel, but the ranges of the
/// Parent themselves.
class Channels {
 public:
  /// Consecutive channels.
  struct Pool {
    std::uint32_t first;
    std::uint32_t size;

    /// 0 if there are none.
    std::uint32_t at(std::uint64_t place) const {
      return size == 0 ? 0 : first + static_cast<std::uint32_t>(place % size);
    }
  };

  explicit Channels(std::uint32_t number) : number_(number) {}

  std::uint32_t number() const { return number_; }

  // Communicators of different kinds never have a channel in common.
  Pool by_tags() const { return {1, number_ / 4}; }
  Pool checked() const { return {1 + number_ / 4, number_ / 2}; }
  Pool agreed() const {
    const std::uint32_t others = number_ / 4 + number_ / 2;
    return {1 + others, number_ - others};
  }

  bool is_taken(std::uint32_t channel) const {
    return std::ranges::find(taken_, channel) != taken_.end();
  }
  /// True if it was free.
  bool take(std::uint32_t channel) {
    if (is_taken(channel)) return false;
    taken_.push_back(channel);
    return true;
  }
  void give_back(std::uint32_t channel) { std::erase(taken_, channel); }

 private:
  std::uint32_t number_;
  std::vector<std::uint32_t> taken_;
};

}  // namespace regroup::range
