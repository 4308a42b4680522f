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

/// The ranks of a run among the processes of a site: all processes or, after a loss, the survivors,
/// numbered from 0 on. Each phase has its own tags, so that messages of earlier phases are never
/// received in it.
class World {
 public:
  static constexpr int most_phases = Site::most_separate;

  explicit World(Site& site) : site_(site), rank_(site.rank()), size_(site.size()) {}

  /// `processes`: the surviving ranks of `site`, ascending, including the caller. `phase`: at most
  /// `most_phases`, a new number each time; `site` was created for it.
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
  /// Number of the phase: 0 before the first loss, larger in each later phase.
  int phase() const { return phase_; }
  /// Whether ranks were lost before this phase.
  bool lost_ranks() const { return !processes_.empty(); }

  /// Returns the rank in the site and its communicator.
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
