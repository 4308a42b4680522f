// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "library/task.hpp"

namespace regroup {

/// All combinations of the values of some parameters, numbered from 0 on. The parameter that was
/// crossed first varies most slowly. Tasks are made on demand: none is held.
class Grid {
 public:
  /// Gives a task the value of that index.
  using Set = std::function<void(Task& task, std::size_t value)>;

  /// `settle` completes a task that has a value of every axis.
  explicit Grid(Task origin, std::function<void(Task&)> settle = {})
      : origin_(std::move(origin)), settle_(std::move(settle)) {}

  void cross(std::string_view parameter, std::size_t values, Set set) {
    cross(std::vector{std::string(parameter)}, values, std::move(set));
  }
  /// One axis of several parameters, which change together.
  void cross(std::vector<std::string> parameters, std::size_t values, Set set);

  std::size_t size() const { return size_; }  ///< of combinations; the largest number where more

  Task at(std::size_t index) const;

  /// Which of its values the parameter `axis` has at `index`. Axes count from 0.
  std::size_t value(std::size_t index, std::size_t axis) const {
    return index / axes_[axis].stride % axes_[axis].values;
  }

  /// The index that differs from `index` in having that value.
  std::size_t with(std::size_t index, std::size_t axis, std::size_t value) const {
    return index + (value - this->value(index, axis)) * axes_[axis].stride;
  }

  /// The axis of `parameter`. Throws std::logic_error where it was not crossed.
  std::size_t axis(std::string_view parameter) const;

  /// The axes of `parameters`, each once.
  std::vector<std::size_t> axes(std::span<const std::string_view> parameters) const;

  /// Whether several parameters share it.
  bool is_shared(std::size_t axis) const { return axes_[axis].parameters.size() > 1; }
  bool has_shared_axes() const;

  /// How many values it has.
  std::size_t values(std::size_t axis) const { return axes_[axis].values; }

  /// Calls `visit` with every index that differs from `index` in the values on `axes` at most.
  void each(std::size_t index, std::span<const std::size_t> axes,
            const std::function<void(std::size_t)>& visit) const;

  /// "1200000 runs: 1000 ranks × 1200 seed": how many combinations there are, with the factors.
  std::string describe_size(std::string_view noun) const;

 private:
  struct Axis {
    std::vector<std::string> parameters;
    std::size_t values;
    std::size_t stride;  // between indices that differ in the next value and nothing else
    Set set;
  };

  Task origin_;
  std::function<void(Task&)> settle_;
  std::vector<Axis> axes_;
  std::size_t size_ = 1;
};

}  // namespace regroup
