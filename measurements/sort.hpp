// SPDX-License-Identifier: BSD-3-Clause
//
// What must hold of every sort that is measured: a fast sort that does not sort is no result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "regroup/communicator.hpp"

namespace regroup {

/// Elements of any type.
struct ElementsView {
  const std::byte* data;
  std::size_t count;
  std::size_t size;  ///< of an element, which has no padding
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

/// Tells elements from others whatever their order: their number, and sum and exclusive or of
/// hashes of their bytes.
struct Contents {
  std::uint64_t number = 0;
  std::uint64_t sum = 0;
  std::uint64_t exclusive_or = 0;
  friend bool operator==(const Contents&, const Contents&) = default;
};
Contents contents_of(const ElementsView& elements);

/// Whether no element of a rank is less than one of a lower rank. Collective; false on all ranks
/// that violate it.
bool follows_lower_ranks(const ElementsView& elements, Site& world);

/// Checks the result of a sort of elements that had the contents `before`, on all ranks together:
/// all elements are there, and in order, also from rank to rank. Each rank must have
/// `number_of_each`; below 0: any number. Collective; throws std::runtime_error, on all ranks, if
/// something is wrong on one of them, and names the last such rank.
void check_sorted(const ElementsView& elements, const Contents& before, long long number_of_each,
                  Site& world);

}  // namespace regroup
