// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>

#include "communicators/range/lane.hpp"

namespace regroup::range {

/// Memory of a Parent for some times `count` elements of an MPI type, for messages of `lane`.
class Buffer {
 public:
  Buffer(Lane& lane, int times, int count, MPI_Datatype type);
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer();

  /// Where the i-th `count` elements are, in MPI's sense: the address that MPI calls take.
  void* at(int i) const { return start_ - lowest_ + static_cast<std::ptrdiff_t>(i) * pitch_; }

 private:
  Lane& lane_;
  std::size_t bytes_ = 0;
  MPI_Aint lowest_ = 0;
  std::ptrdiff_t pitch_ = 0;
  std::byte* start_ = nullptr;
};

/// Copies within the process, as a message to oneself would; nothing to where it is.
void copy_elements(const void* from, int from_count, MPI_Datatype from_type, void* to, int to_count,
                   MPI_Datatype to_type);

/// right = left op right, so that ranks stay in order where `left` is of lower ranks.
void combine(const void* left, void* right, int count, MPI_Datatype type, MPI_Op op);

/// The bytes of a message of `count` elements.
long long message_bytes(int count, MPI_Datatype type);

/// `count`, or 0 where elements have no bytes. All members of a collective see the same number of
/// bytes, though perhaps not the same `count`: it is bytes that say whether there are messages.
int count_with_bytes(int count, MPI_Datatype type);

/// `base` moved on by `elements` elements of `type`.
void* element(void* base, long long elements, MPI_Datatype type);

}  // namespace regroup::range
