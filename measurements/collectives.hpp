// SPDX-License-Identifier: BSD-3-Clause
//
// Calls of collective operations, with their buffers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "regroup/bench.hpp"

namespace regroup {

/// Parts of `bytes` bytes: doubles, or bytes if 8 does not divide `bytes`.
class PartsBuffer {
 public:
  PartsBuffer(int parts, std::int64_t bytes);

  bool holds_doubles() const { return holds_doubles_; }
  int count() const { return count_; }  ///< elements of each part
  void* data() { return words_.data(); }

  /// Stores a whole number: bytes keep it modulo 256.
  void set(int part, int element, double value);
  /// Returns whether an element equals `value`. With Open MPI, bytes are not checked above 255.
  bool holds(int part, int element, double value) const;

 private:
  std::size_t index(int part, int element) const {
    return static_cast<std::size_t>(part) * static_cast<std::size_t>(count_) +
           static_cast<std::size_t>(element);
  }

  bool holds_doubles_;
  int count_;
  std::vector<double> words_;  // at least one: MPI requires distinct buffers, even if empty
};

/// A CollectiveCall of a member of `comm`, with its buffers; empty on other ranks.
class OwnedCall {
 public:
  /// `comm` and `waiter` must outlive this object.
  OwnedCall(const CollectiveOperation& operation, const GroupComm& comm, const Waiter& waiter,
            std::int64_t bytes);
  OwnedCall(const OwnedCall&) = delete;
  OwnedCall& operator=(const OwnedCall&) = delete;

  /// Called by all members.
  void execute(int root) {
    call_.participants.root = root;
    operation_.execute(call_);
  }

  /// Executes the operation and throws std::runtime_error if its result is wrong. Called by all
  /// members.
  void verify(int root);

 private:
  const CollectiveOperation& operation_;
  int parts_of_result_;
  PartsBuffer data_;
  PartsBuffer result_;
  std::vector<int> counts_;
  std::vector<int> begins_;
  CollectiveCall call_;
};

}  // namespace regroup
