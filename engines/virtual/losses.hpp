// SPDX-License-Identifier: BSD-3-Clause
//
// Which ranks are lost in virtual time, and when.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engines/virtual/pace.hpp"
#include "kernel/faults.hpp"
#include "regroup/groups.hpp"

namespace regroup {

class Losses {
 public:
  struct Loss {
    int rank;
    Ticks at;
  };

  Losses() = default;
  explicit Losses(std::span<const Fault> faults);

  bool none() const { return timed_.empty() && counted_.empty() && lost_.empty(); }

  /// The next that a moment is known of; last_tick if none.
  Ticks next_at() const { return timed_.empty() ? last_tick : timed_.front().at; }
  /// Takes that out: from now on its rank is lost.
  Loss take();

  /// What was taken so far.
  std::span<const Loss> lost() const { return lost_; }
  const RankSet& lost_ranks() const { return lost_ranks_; }
  /// Whether a rank of the group is lost, so that it does nothing any more.
  bool hit(const RankSet& group) const {
    return !lost_ranks_.empty() && lost_ranks_.overlaps(group);
  }

  /// How many of the next `items` of `group` it begins before a rank of it is lost. If none, which
  /// then happens `at`.
  std::int64_t items_before(const RankSet& group, std::int64_t items, Ticks at);
  void executed(const RankSet& group, std::int64_t items);

  /// By which factor items of `group` take longer.
  double slowness(const RankSet& group) const;

  /// What is to come where the ranks `left` go on, numbered from 0 on.
  Losses among(std::span<const int> left) const;

 private:
  struct Counted {
    int rank;
    std::int64_t at_item;
    std::int64_t executed;
  };

  void add(Loss loss);

  std::vector<Loss> timed_;  // by moments
  std::vector<Counted> counted_;
  std::vector<std::pair<int, double>> slow_;  // rank and factor
  std::vector<Loss> lost_;
  RankSet lost_ranks_;
};

}  // namespace regroup
