// SPDX-License-Identifier: BSD-3-Clause
#include "regroup/range.hpp"

namespace regroup::range {

Persistent bcast_init(void* data, int count, MPI_Datatype type, int root, const Comm& comm,
                      int tag) {
  return Persistent([=] { return ibcast(data, count, type, root, comm, tag); });
}

Persistent allreduce_init(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
                          const Comm& comm, int tag) {
  return Persistent([=] { return iallreduce(data, result, count, type, op, comm, tag); });
}

}  // namespace regroup::range
