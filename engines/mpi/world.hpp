// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "engines/mpi/tags.hpp"
#include "regroup/communicator.hpp"
#include "regroup/groups.hpp"
#include "regroup/waiter.hpp"

namespace regroup {

/// The ranks of a run among the processes of a site: all of them or, after some were lost, the
/// others, numbered from 0 on. Messages of a run that lost ranks have tags of their own, so that
/// those of an earlier phase are never taken for them.
class World {
 public:
  static constexpr int most_phases = Site::most_separate;

  explicit World(Site& site) : site_(site), rank_(site.rank()), size_(site.size()) {}

  /// `processes`: the ranks of `site` that are left, ascending, of which the caller is one.
  /// `phase`: up to `most_phases`, a new one each time; `site` was made for it.
  World(Site& site, std::vector<int> processes, int phase)
      : site_(site),
        rank_(
            static_cast<int>(std::ranges::lower_bound(processes, site.rank()) - processes.begin())),
        size_(static_cast<int>(processes.size())),
        processes_(std::move(processes)),
        phase_(phase) {}

  Site& site() const { return site_; }
  MPI_Comm comm() const { return site_.comm(); }
  const Waiter& waiter() const { return site_.waiter(); }
  int rank() const { return rank_; }
  int size() const { return size_; }
  int tag(Tag tag) const { return phase_ * tag_end + tag; }
  /// 0 before ranks were lost; then it grows.
  int phase() const { return phase_; }
  /// Whether ranks were lost before.
  bool lost_ranks() const { return !processes_.empty(); }

  /// The rank of the site, and of its communicator.
  int process(int rank) const {
    return processes_.empty() ? rank : processes_[static_cast<std::size_t>(rank)];
  }

  RankSet processes(const RankSet& ranks) const {
    if (processes_.empty()) return ranks;
    std::vector<RankRange> all;
    for (const RankRange range : ranks.ranges()) {
      for (int rank = range.lo; rank <= range.hi; ++rank) {
        all.push_back({process(rank), process(rank)});
      }
    }
    return RankSet::of(std::move(all));
  }

 private:
  Site& site_;
  int rank_;
  int size_;
  std::vector<int> processes_;  // empty: all
  int phase_ = 0;
};

}  // namespace regroup
