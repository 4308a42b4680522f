// SPDX-License-Identifier: BSD-3-Clause
//
// A walker's state as bytes: what travels to those who join its group, and what is written down.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace regroup {

using State = std::vector<std::byte>;

/// Appends values to a state. All members run the same program on the same kind of machine, so
/// their bytes travel as they are.
class Packer {
 public:
  explicit Packer(State& state) : state_(&state) {}

  template <class T>
  requires std::is_trivially_copyable_v<T>
  void put(const T& value) { put(std::span(&value, 1)); }

  template <class T>
  requires std::is_trivially_copyable_v<T>
  void put(std::span<const T> values) {
    if (values.empty()) return;
    const std::size_t before = state_->size();
    state_->resize(before + values.size_bytes());
    std::memcpy(state_->data() + before, values.data(), values.size_bytes());
  }

 private:
  State* state_;
};

/// Takes values from a state in the order in which they were put.
class Unpacker {
 public:
  explicit Unpacker(std::span<const std::byte> state) : rest_(state) {}

  template <class T>
  requires std::is_trivially_copyable_v<T> T take() {
    T value;
    take(std::span(&value, 1));
    return value;
  }

  /// Fills `values`. Throws std::runtime_error where fewer are left.
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void take(std::span<T> values) {
    const std::span<std::byte> bytes = std::as_writable_bytes(values);
    if (bytes.size() > rest_.size()) {
      throw std::runtime_error("a walker unpacks more than it packed");
    }
    std::memcpy(bytes.data(), rest_.data(), bytes.size());
    rest_ = rest_.subspan(bytes.size());
  }

  std::size_t bytes_left() const { return rest_.size(); }

 private:
  std::span<const std::byte> rest_;
};

}  // namespace regroup
