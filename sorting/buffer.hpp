// SPDX-License-Identifier: BSD-3-Clause
//
// Elements on their way. Needs no MPI.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
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

/// `elements` with those for which `is_small` holds in front. Each is written to the next free
/// place on both sides, and one of the two places remains free: no branch depends on elements,
/// which no processor foresees.
template <class T, class IsSmall>
Buffer<T> parted(const Buffer<T>& elements, IsSmall is_small) {
  Buffer<T> parts(elements.size());
  T* front = parts.data();
  T* back = front + parts.size();
  for (const T& element : elements) {
    const bool goes_in_front = is_small(element);
    *front = element;
    *(back - 1) = element;
    front += goes_in_front ? 1 : 0;
    back -= goes_in_front ? 0 : 1;
  }
  return parts;
}

/// The first `count` elements of two sequences merged, which ascend by `less`; of equal ones those
/// of `one` come first, which has `count` elements, at least.
template <class T, class Iterator, class Output, class Less>
void merge_some(Iterator one, Iterator other, Iterator others_end, Output next, std::size_t count,
                Less less) {
  for (; count > 0 && other != others_end; --count) {
    const bool is_other = less(*other, *one);
    const T& taken = is_other ? *other : *one;
    *next++ = taken;
    other += is_other ? 1 : 0;
    one += is_other ? 0 : 1;
  }
  std::copy_n(one, count, next);
}

}  // namespace regroup::sorting
