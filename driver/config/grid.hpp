// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "regroup/options.hpp"

namespace regroup {

/// The most runs, or measurements, that one configuration may span.
inline constexpr std::size_t most_combinations = 1'000'000;

/// All combinations of the values of some parameters, as places from 0 on. The parameter that was
/// crossed first varies most slowly.
class Axes {
 public:
  std::size_t size() const { return size_; }  ///< of combinations; the largest number where more

  /// Which of its values the parameter `axis` has at `place`. Axes count from 0.
  std::size_t value(std::size_t place, std::size_t axis) const {
    return place / axes_[axis].stride % axes_[axis].values;
  }

  /// The place that differs from `place` in having that value.
  std::size_t with(std::size_t place, std::size_t axis, std::size_t value) const {
    return place + (value - this->value(place, axis)) * axes_[axis].stride;
  }

  /// The axis of `parameter`. Throws std::logic_error where it was not crossed.
  std::size_t axis(std::string_view parameter) const;

  /// How many values it has.
  std::size_t values(std::size_t axis) const { return axes_[axis].values; }

  /// Calls `visit` with every place that differs from `place` in the values on `axes` at most.
  void each(std::size_t place, std::span<const std::size_t> axes,
            const std::function<void(std::size_t)>& visit) const;

  /// What is wrong where there are too many combinations, with the factors; empty where not.
  std::string complaint(std::string_view noun) const;

 protected:
  void add(std::string_view parameter, std::size_t values);
  std::size_t axes() const { return axes_.size(); }

 private:
  struct Axis {
    std::string parameter;
    std::size_t values;
    std::size_t stride;  // between places that differ in the next value and nothing else
  };
  std::vector<Axis> axes_;
  std::size_t size_ = 1;
};

/// … which are made into points on demand: none is held.
template <class Point>
class Grid : public Axes {
 public:
  using Set = std::function<void(Point&, std::size_t value)>;

  explicit Grid(Point origin) : origin_(std::move(origin)) {}

  void cross(std::string_view parameter, std::size_t values, Set set) {
    set_.push_back(std::move(set));
    add(parameter, values);
  }

  Point at(std::size_t place) const {
    Point point = origin_;
    for (std::size_t axis = 0; axis < axes(); ++axis) set_[axis](point, value(place, axis));
    return point;
  }

 private:
  Point origin_;
  std::vector<Set> set_;
};

/// `a · b` and `a + b`, or the largest number where that is more.
std::size_t product(std::size_t a, std::size_t b);
std::size_t sum(std::size_t a, std::size_t b);

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
