// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "regroup/communicator.hpp"

namespace regroup {

/// A view of elements of any type.
struct ElementsView {
  const std::byte* data;
  std::size_t count;
  std::size_t size;  ///< of an element, in bytes, without padding
  bool (*less)(const void* one, const void* other);

  const std::byte* at(std::size_t index) const { return data + index * size; }
};

template <class T>
ElementsView view_of(const std::vector<T>& elements) {
  return {reinterpret_cast<const std::byte*>(elements.data()), elements.size(), sizeof(T),
          [](const void* one, const void* other) {
            return *static_cast<const T*>(one) < *static_cast<const T*>(other);
          }};
}

/// A fingerprint of elements in any order: their number, and sum and exclusive or of their hashes.
struct Contents {
  std::uint64_t number = 0;
  std::uint64_t sum = 0;
  std::uint64_t exclusive_or = 0;
  friend bool operator==(const Contents&, const Contents&) = default;
};
Contents contents_of(const ElementsView& elements);

/// Returns whether the first element of this rank, if any, is not less than the last element of the
/// nearest lower rank that has elements. Collective.
bool follows_lower_ranks(const ElementsView& elements, Site& world);

/// Checks that the elements of all ranks have the contents `before` and are sorted, also across
/// ranks, and that each rank has `number_of_each` (below 0: any number). Collective; throws
/// std::runtime_error on all ranks, naming the last rank with the worst fault.
void check_sorted(const ElementsView& elements, const Contents& before, long long number_of_each,
                  Site& world);

}  // namespace regroup
