// SPDX-License-Identifier: BSD-3-Clause
#include "communicators/range/buffer.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "communicators/range/error.hpp"

namespace regroup::range {

Buffer::Buffer(Lane& lane, int times, int count, MPI_Datatype type) : lane_(lane) {
  if (times == 0 || count == 0) return;
  MPI_Aint lower_bound = 0;
  MPI_Aint extent = 0;
  MPI_Aint true_extent = 0;
  throw_on_error(MPI_Type_get_extent(type, &lower_bound, &extent));
  throw_on_error(MPI_Type_get_true_extent(type, &lowest_, &true_extent));
  constexpr std::ptrdiff_t alignment = alignof(std::max_align_t);
  // Elements may follow each other downwards.
  const std::ptrdiff_t others = (count - 1) * extent;
  lowest_ += std::min<std::ptrdiff_t>(others, 0);
  const std::ptrdiff_t span = true_extent + std::abs(others);
  pitch_ = (span + alignment - 1) / alignment * alignment;
  bytes_ = static_cast<std::size_t>(times * pitch_);
  start_ = static_cast<std::byte*>(lane_.memory().allocate(bytes_));
}

Buffer::~Buffer() {
  // What an error has left on its way is still read: better lost than overwritten.
  if (start_ != nullptr && lane_.give_up()) lane_.memory().deallocate(start_, bytes_);
}

void copy_elements(const void* from, int from_count, MPI_Datatype from_type, void* to, int to_count,
                   MPI_Datatype to_type) {
  if (from_count == 0 || (from == to && from_type == to_type)) return;
  if (from_type == to_type && from_count == to_count) {
    int size = 0;
    MPI_Aint lower_bound = 0;
    MPI_Aint extent = 0;
    throw_on_error(MPI_Type_size(from_type, &size));
    throw_on_error(MPI_Type_get_extent(from_type, &lower_bound, &extent));
    MPI_Aint true_lower_bound = 0;
    MPI_Aint true_extent = 0;
    throw_on_error(MPI_Type_get_true_extent(from_type, &true_lower_bound, &true_extent));
    if (extent == size && true_extent == size && true_lower_bound == 0) {
      std::memcpy(to, from, static_cast<std::size_t>(from_count) * static_cast<std::size_t>(size));
      return;
    }
  }
  // MPI would raise it on a communicator that is not the parent's.
  if (message_bytes(from_count, from_type) > message_bytes(to_count, to_type)) {
    throw_mpi_error(MPI_ERR_TRUNCATE);
  }
  throw_on_error(MPI_Sendrecv(from, from_count, from_type, 0, 0, to, to_count, to_type, 0, 0,
                              MPI_COMM_SELF, MPI_STATUS_IGNORE));
}

void combine(const void* left, void* right, int count, MPI_Datatype type, MPI_Op op) {
  throw_on_error(MPI_Reduce_local(left, right, count, type, op));
}

long long message_bytes(int count, MPI_Datatype type) {
  int size = 0;
  throw_on_error(MPI_Type_size(type, &size));
  return static_cast<long long>(count) * size;
}

int count_with_bytes(int count, MPI_Datatype type) {
  return message_bytes(count, type) == 0 ? 0 : count;
}

void* element(void* base, long long elements, MPI_Datatype type) {
  MPI_Aint lower_bound = 0;
  MPI_Aint extent = 0;
  throw_on_error(MPI_Type_get_extent(type, &lower_bound, &extent));
  return static_cast<std::byte*>(base) + elements * extent;
}

}  // namespace regroup::range
