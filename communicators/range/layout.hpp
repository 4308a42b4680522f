// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>

#include "communicators/range/error.hpp"

namespace regroup::range {

/// How elements of a datatype lie in memory, in bytes. Source: MPI 4.1, section 5.1.
struct Layout {
  long long size;   ///< that an element has in a message
  MPI_Aint extent;  ///< from one element to the next
  MPI_Aint lowest;  ///< where its first byte is: the true lower bound
  MPI_Aint span;    ///< from there to its last byte: the true extent

  /// In memory as in a message.
  bool is_plain() const { return extent == size && span == size && lowest == 0; }
};

/// The bytes of the commonest types, 0 of others. To ask MPI three times, as for others, takes 20
/// ns, and short collectives of two ranks take 200.
inline int bytes_of_common(MPI_Datatype type) {
  if (type == MPI_DOUBLE) return sizeof(double);
  if (type == MPI_BYTE || type == MPI_CHAR) return 1;
  if (type == MPI_INT) return sizeof(int);
  if (type == MPI_FLOAT) return sizeof(float);
  if (type == MPI_INT64_T) return sizeof(std::int64_t);
  return 0;
}

Layout ask_for_layout(MPI_Datatype type);

/// Throws MpiError for what is no datatype.
inline Layout layout_of(MPI_Datatype type) {
  const int bytes = bytes_of_common(type);
  return bytes > 0 ? Layout{bytes, bytes, 0, bytes} : ask_for_layout(type);
}

inline long long size_of(MPI_Datatype type) {
  if (const int bytes = bytes_of_common(type)) return bytes;
  int size = 0;
  throw_on_error(MPI_Type_size(type, &size));
  return size;
}

/// The bytes of a message of `count` elements.
inline long long message_bytes(int count, MPI_Datatype type) { return count * size_of(type); }

/// `count`, or 0 where elements have no bytes. All members of a collective see the same number of
/// bytes, though perhaps not the same `count`: it is bytes that say whether there are messages.
inline int count_with_bytes(int count, MPI_Datatype type) {
  return count != 0 && size_of(type) == 0 ? 0 : count;
}

/// `base` moved on by `elements` elements of `type`.
inline void* element(void* base, long long elements, MPI_Datatype type) {
  return elements == 0 ? base : static_cast<std::byte*>(base) + elements * layout_of(type).extent;
}

}  // namespace regroup::range
