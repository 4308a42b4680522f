// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "communicators/range/gather.hpp"

namespace regroup::range {

/// The root sends everybody its part, straight from where it lies.
class ScatterMachine {
 public:
  ScatterMachine(const Comm& comm, Kind kind, int tag, GatherPlan plan, void* result, int count,
                 MPI_Datatype type, int root);
  bool advance() { return lane_.settled(); }
  void add_pending(std::vector<PendingMessage>& pending) { lane_.add_pending(pending); }

 private:
  Lane lane_;
};

}  // namespace regroup::range
