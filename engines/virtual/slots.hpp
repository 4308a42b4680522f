// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace regroup {

/// A container whose objects keep their index and address until they are removed. Free indices are
/// reused, the most recently freed first.
template <class Object>
class Slots {
 public:
  using Index = std::uint32_t;
  static constexpr Index none = ~Index{0};

  Index add(Object object) {
    if (free_.empty()) {
      if (size_ % block_size == 0) blocks_.push_back(std::make_unique<Object[]>(block_size));
      free_.push_back(size_++);
    }
    const Index index = free_.back();
    free_.pop_back();
    (*this)[index] = std::move(object);
    return index;
  }

  Object& operator[](Index index) { return blocks_[index / block_size][index % block_size]; }

  Object remove(Index index) {
    free_.push_back(index);
    return std::exchange((*this)[index], Object());
  }

 private:
  static constexpr Index block_size = 64;

  std::vector<std::unique_ptr<Object[]>> blocks_;
  std::vector<Index> free_;
  Index size_ = 0;  // number of indices in use or free
};

}  // namespace regroup
