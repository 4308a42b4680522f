// SPDX-License-Identifier: BSD-3-Clause
#include "communicators/range/long_reduce.hpp"

#include <algorithm>

#include "communicators/range/buffer.hpp"

namespace regroup::range {
namespace {

int elements_of_piece(MPI_Datatype type) {
  return static_cast<int>(std::max(1LL, pipelined_piece / message_bytes(1, type)));
}

int pieces(int count, MPI_Datatype type) {
  const int piece = elements_of_piece(type);
  return count / piece + (count % piece > 0);
}

/// Nowhere, moved on, is nowhere.
void* element_or_null(void* base, long long elements, MPI_Datatype type) {
  return base == nullptr ? nullptr : element(base, elements, type);
}

}  // namespace

LongReduceMachine::LongReduceMachine(const Comm& comm, Kind kind, int tag, const void* data,
                                     void* result, void* spare, int count, MPI_Datatype type,
                                     MPI_Op op, int root)
    : comm_(comm),
      kind_(kind),
      tag_(tag),
      root_(root),
      data_(data),
      result_(result),
      spare_(spare),
      count_(count),
      type_(type),
      op_(op),
      piece_(elements_of_piece(type)),
      pipeline_(pieces(count, type)) {
  advance();
}

bool LongReduceMachine::advance() {
  return pipeline_.advance([&](std::optional<ReduceMachine>& machine, int piece) {
    const long long first = static_cast<long long>(piece) * piece_;
    machine.emplace(comm_, kind_, tag_, element(const_cast<void*>(data_), first, type_),
                    element_or_null(result_, first, type_), element_or_null(spare_, first, type_),
                    static_cast<int>(std::min<long long>(piece_, count_ - first)), type_, op_,
                    root_, Pipeline<ReduceMachine>::tree);
  });
}

}  // namespace regroup::range
