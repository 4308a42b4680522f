// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>

namespace regroup {

/// Calls `end` when its scope is left, also by an exception.
template <class End>
class AtEnd {
 public:
  explicit AtEnd(End end) : end_(std::move(end)) {}
  AtEnd(const AtEnd&) = delete;
  AtEnd& operator=(const AtEnd&) = delete;
  ~AtEnd() { end_(); }

 private:
  End end_;
};

}  // namespace regroup
