// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "communicators/members.hpp"
#include "communicators/rank_range.hpp"

namespace regroup {

/// Any ranks, kept as ascending ranges with gaps between them: as large as it has gaps, whatever
/// the number of ranks. A value; copies share what they hold.
class RankSet {
 public:
  /// Nobody.
  RankSet() = default;
  /// The ranks of `range`.
  RankSet(RankRange range) {
    if (range.lo <= range.hi) hull_ = range;
  }
  /// The ranks `lo … hi`.
  RankSet(int lo, int hi) : RankSet(RankRange{lo, hi}) {}

  /// All ranks that are in one of `ranges`, which may come in any order, touch and overlap.
  static RankSet of(std::vector<RankRange> ranges);

  int lo() const { return hull_.lo; }  ///< the lowest
  int hi() const { return hull_.hi; }  ///< the highest
  int size() const { return several_ ? several_->size : hull_.size(); }
  bool empty() const { return size() == 0; }
  bool is_range() const { return !several_; }

  /// From left to right.
  std::span<const RankRange> ranges() const {
    if (several_) return several_->ranges;
    return {&hull_, hull_.size() > 0 ? 1u : 0u};
  }

  bool contains(int rank) const;
  bool contains(const RankSet& other) const;
  bool overlaps(const RankSet& other) const;

  /// The `count` ranks after the lowest `skipped`.
  RankSet slice(int skipped, int count) const;

  friend bool operator==(const RankSet& a, const RankSet& b) {
    if (a.hull_ != b.hull_ || !a.several_ != !b.several_) return false;
    return !a.several_ || a.several_ == b.several_ || a.several_->ranges == b.several_->ranges;
  }

 private:
  struct Several {
    int size;
    std::vector<RankRange> ranges;
  };

  RankRange hull_;
  std::shared_ptr<const Several> several_;  // where there is a gap
};

/// The ranks of all of `sets`.
RankSet united(std::span<const RankSet> sets);
inline RankSet united(const RankSet& a, const RankSet& b) {
  const RankSet both[] = {a, b};
  return united(both);
}

/// "0-3 8-11 17".
std::string text_of(const RankSet& ranks);
/// The reverse; nothing where `text` is no such.
std::optional<RankSet> rank_set_of(std::string_view text);

/// In ascending order.
Members members_of(const RankSet& ranks);

}  // namespace regroup
