// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>

#include "communicators/range/lane.hpp"
#include "communicators/range/layout.hpp"

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

/// Whether the order of the ranks matters to nobody.
bool commutes(MPI_Op op);

/// right = left op right, so that ranks stay in order where `left` is of lower ranks.
void combine(const void* left, void* right, int count, MPI_Datatype type, MPI_Op op);

}  // namespace regroup::range
