// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "communicators/range/lane.hpp"

namespace regroup::range {

/// Where the parts of a gathering go: part r is `counts[r]` (or `count`) elements, beginning
/// `displacements[r]` (or r · count) elements into `data`.
struct GatherPlan {
  void* data;
  int count;
  const int* counts;
  const int* displacements;
  MPI_Datatype type;

  int count_of(int rank) const { return counts == nullptr ? count : counts[rank]; }
  void* place_of(int rank) const;
  void require_counts(int ranks) const;
};

/// Everybody sends to the root, which receives in place.
class GatherMachine {
 public:
  GatherMachine(const Comm& comm, Kind kind, int tag, const void* data, int count,
                MPI_Datatype type, GatherPlan plan, int root);
  bool advance() { return lane_.settled(); }
  void add_pending(std::vector<PendingMessage>& pending) { lane_.add_pending(pending); }

 private:
  Lane lane_;
};

}  // namespace regroup::range
