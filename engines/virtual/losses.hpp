// SPDX-License-Identifier: BSD-3-Clause
//
// Faults of ranks in virtual time.
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

  /// Returns the time of the next loss whose time is known, or last_tick if there is none.
  Ticks next_at() const { return timed_.empty() ? last_tick : timed_.front().at; }
  /// Removes and returns this loss; its rank is lost from now on.
  Loss take();

  /// The losses taken so far.
  std::span<const Loss> lost() const { return lost_; }
  const RankSet& lost_ranks() const { return lost_ranks_; }
  /// Whether a rank of `group` is lost, so that the group no longer works.
  bool hit(const RankSet& group) const {
    return !lost_ranks_.empty() && lost_ranks_.overlaps(group);
  }

  /// Returns how many of its next `items` items `group` executes before it loses a rank. If none,
  /// sets the time of this loss to `at`.
  std::int64_t items_before(const RankSet& group, std::int64_t items, Ticks at);
  void executed(const RankSet& group, std::int64_t items);

  /// Returns the factor by which items of `group` take longer.
  double slowness(const RankSet& group) const;

  /// Returns the future faults of the surviving ranks `left`, which are renumbered from 0 on.
  Losses among(std::span<const int> left) const;

 private:
  struct Counted {
    int rank;
    std::int64_t at_item;
    std::int64_t executed;
  };

  void add(Loss loss);

  std::vector<Loss> timed_;  // sorted by time
  std::vector<Counted> counted_;
  std::vector<std::pair<int, double>> slow_;  // rank and factor
  std::vector<Loss> lost_;
  RankSet lost_ranks_;
};

}  // namespace regroup
