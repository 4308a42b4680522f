// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "jobs/configuration/grid.hpp"
#include "kernel/options.hpp"

namespace regroup {

/// All combinations of the values of the options of one row of a list.
struct Choices {
  std::string name;
  std::vector<std::pair<std::string, std::vector<std::string>>> options;

  std::size_t size() const;
  /// The first option varies fastest.
  Choice at(std::size_t place) const;
};

/// Whether both hold the same choice.
bool overlap(const Choices& a, const Choices& b);

/// Parts with several elements each, one part after the other.
template <class Part>
class Joined {
 public:
  void add(Part part) {
    ends_.push_back(sum(size(), part.size()));
    parts_.push_back(std::move(part));
  }

  std::size_t size() const { return ends_.empty() ? 0 : ends_.back(); }
  auto at(std::size_t place) const {
    const auto [part, within] = find(place);
    return parts_[part].at(within);
  }

  /// The part that holds the element at `place`, and the element's place in it.
  std::pair<std::size_t, std::size_t> find(std::size_t place) const {
    const auto end = std::ranges::upper_bound(ends_, place);
    const auto part = static_cast<std::size_t>(end - ends_.begin());
    return {part, place - (part == 0 ? 0 : ends_[part - 1])};
  }

  const std::vector<Part>& parts() const { return parts_; }

 private:
  std::vector<Part> parts_;
  std::vector<std::size_t> ends_;  // of each part, in elements
};

}  // namespace regroup
