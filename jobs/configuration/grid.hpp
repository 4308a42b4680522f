// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

}  // namespace regroup
