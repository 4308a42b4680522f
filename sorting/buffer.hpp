// SPDX-License-Identifier: BSD-3-Clause
//
// Elements on their way. Needs no MPI.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

namespace regroup::sorting {

/// Leaves new elements as they are: they are going to be overwritten, and need no constructor.
template <class T>
struct RawAllocator : std::allocator<T> {
  template <class Other>
  struct rebind {
    using other = RawAllocator<Other>;
  };
  template <class Other, class... Arguments>
  void construct(Other* place, Arguments&&... arguments) {
    if constexpr (sizeof...(Arguments) > 0) {
      std::construct_at(place, std::forward<Arguments>(arguments)...);
    }
  }
};

template <class T>
using Buffer = std::vector<T, RawAllocator<T>>;

/// `elements` with those for which `is_small` holds, `small` of them, in front. Without branches
/// that depend on elements, which no processor foresees.
template <class T, class IsSmall>
Buffer<T> parted(const Buffer<T>& elements, long long small, IsSmall is_small) {
  Buffer<T> parts(elements.size());
  T* const front = parts.data();
  T* const back = front + small;
  std::size_t smaller = 0;
  std::size_t larger = 0;
  for (const T& element : elements) {
    const bool goes_left = is_small(element);
    T* const to = goes_left ? front + smaller : back + larger;
    *to = element;
    smaller += goes_left ? 1 : 0;
    larger += goes_left ? 0 : 1;
  }
  return parts;
}

}  // namespace regroup::sorting
