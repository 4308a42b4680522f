// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <climits>

#include "communicators/range/comm.hpp"
#include "communicators/range/error.hpp"

namespace regroup::range {

/// What a message belongs to. Operations of different kinds never mistake each other's messages.
enum class Kind {
  users_own,  ///< what the user sends on the parent communicator itself
  bcast,
  reduce,
  allreduce,
  scan,
  exscan,
  gather,
  gatherv,
  allgather,
  allgatherv,
  barrier,
  creation,
  scatter,
  alltoall,
  reduce_scatter,
  point_to_point  ///< the last one, since its messages have all other tags of a channel
};

constexpr int tags_of_channel = 1 << (Parent::kind_bits + Parent::tag_bits);
constexpr int first_message_tag = static_cast<int>(Kind::point_to_point) << Parent::tag_bits;

/// The MPI tag of a message: from its highest bit, the channel, the kind, the user's tag.
inline int wire_tag(const Comm& comm, Kind kind, int tag) {
  return static_cast<int>(comm.channel() << (Parent::kind_bits + Parent::tag_bits)) |
         ((static_cast<int>(kind) << Parent::tag_bits) + tag);
}

/// Throws std::invalid_argument where MPI would call the error handler, or worse, match wrongly.
inline void require_member(const Comm& comm) {
  if (!comm || comm.rank() < 0) [[unlikely]] {
    throw std::invalid_argument("range communicator: the caller is no member of it");
  }
}
inline void require_rank(const char* what, int rank, const Comm& comm) {
  require_within(what, rank, 0, comm.size() - 1);
}
inline void require_count(int count) {
  if (count < 0) [[unlikely]]
    throw_out_of_bounds("the count", count, 0, INT_MAX);
}
inline void require_buffer(const void* data) {
  if (data == MPI_IN_PLACE) [[unlikely]] {
    throw std::invalid_argument("range communicator: MPI_IN_PLACE has no meaning here");
  }
}

/// MPI would raise it on a communicator that is not the parent's.
inline void require_type(MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL) [[unlikely]] {
    throw std::invalid_argument("range communicator: there is no datatype");
  }
}
inline void require_op(MPI_Op op) {
  if (op == MPI_OP_NULL) [[unlikely]] {
    throw std::invalid_argument("range communicator: there is no operation");
  }
}
inline void require_elements(int count, MPI_Datatype type) {
  require_count(count);
  require_type(type);
}
inline void require_tag(int tag) { require_within("the tag", tag, 0, Parent::max_tag); }
inline void require_message_tag(int tag, const Comm& comm) {
  require_within("the tag", tag, 0, comm.parent().max_message_tag());
}

}  // namespace regroup::range
