// SPDX-License-Identifier: BSD-3-Clause
#include "communicators/range/pipeline.hpp"

#include "communicators/range/lane.hpp"

namespace regroup::range {
namespace {

/// Whether elements have the same bytes in memory as in a message.
bool lies_as_sent(MPI_Datatype type) {
  int integers = 0;
  int addresses = 0;
  int types = 0;
  int combiner = 0;
  throw_on_error(MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner));
  if (combiner != MPI_COMBINER_NAMED) return false;
  return layout_of(type).is_plain();
}

}  // namespace

LongBcastMachine::LongBcastMachine(const Comm& comm, const Label& label, void* data, int count,
                                   MPI_Datatype type, int root)
    : comm_(comm),
      label_(label),
      root_(root),
      data_(data),
      count_(count),
      type_(type),
      bytes_(static_cast<int>(message_bytes(count, type))),
      pipeline_((bytes_ + pipelined_piece - 1) / pipelined_piece) {
  if (!lies_as_sent(type)) {
    packed_ =
        static_cast<std::byte*>(comm_.parent().memory().allocate(static_cast<std::size_t>(bytes_)));
    if (comm_.rank() == root_) {
      int packed = 0;
      throw_on_error(MPI_Pack(data_, count_, type_, packed_, bytes_, &packed, MPI_COMM_SELF));
    }
  }
  through_ = pass_on();
}

LongBcastMachine::~LongBcastMachine() {
  // After an error, MPI may still read this memory, which is leaked rather than overwritten.
  if (packed_ == nullptr || !through_) return;
  comm_.parent().memory().deallocate(packed_, static_cast<std::size_t>(bytes_));
}

bool LongBcastMachine::pass_on() {
  std::byte* const all = packed_ != nullptr ? packed_ : static_cast<std::byte*>(data_);
  return pipeline_.advance([&](std::optional<BcastMachine>& machine, int piece) {
    const int first = piece * pipelined_piece;
    const int bytes = std::min(pipelined_piece, bytes_ - first);
    machine.emplace(comm_, label_, all + first, bytes, MPI_BYTE, root_, bytes,
                    Pipeline<BcastMachine>::tree);
  });
}

bool LongBcastMachine::advance() {
  if (!through_ && !(through_ = pass_on())) return false;
  if (packed_ != nullptr && comm_.rank() != root_) {
    int unpacked = 0;
    throw_on_error(MPI_Unpack(packed_, bytes_, &unpacked, data_, count_, type_, MPI_COMM_SELF));
  }
  return true;
}

namespace {

int elements_of_piece(MPI_Datatype type) {
  return static_cast<int>(std::max(1LL, pipelined_piece / message_bytes(1, type)));
}

int pieces(int count, MPI_Datatype type) {
  const int piece = elements_of_piece(type);
  return count / piece + (count % piece > 0);
}

/// Like `element`, but returns nullptr if `base` is nullptr.
void* element_or_null(void* base, long long elements, MPI_Datatype type) {
  return base == nullptr ? nullptr : element(base, elements, type);
}

}  // namespace

LongReduceMachine::LongReduceMachine(const Comm& comm, const Label& label, const void* data,
                                     void* result, void* spare, int count, MPI_Datatype type,
                                     MPI_Op op, int root)
    : comm_(comm),
      label_(label),
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
    machine.emplace(comm_, label_, element(const_cast<void*>(data_), first, type_),
                    element_or_null(result_, first, type_), element_or_null(spare_, first, type_),
                    static_cast<int>(std::min<long long>(piece_, count_ - first)), type_, op_,
                    root_, Pipeline<ReduceMachine>::tree);
  });
}

}  // namespace regroup::range
