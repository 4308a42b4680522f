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

/// All combinations of the values of some parameters, numbered from 0. The parameter that was
/// crossed first varies most slowly. Tasks are created on demand and not stored.
class Grid {
 public:
  /// Sets a parameter of a task to the value with that index.
  using Set = std::function<void(Task& task, std::size_t value)>;

  /// `settle` completes a task after the values of all axes are set.
  explicit Grid(Task origin, std::function<void(Task&)> settle = {})
      : origin_(std::move(origin)), settle_(std::move(settle)) {}

  void cross(std::string_view parameter, std::size_t values, Set set) {
    cross(std::vector{std::string(parameter)}, values, std::move(set));
  }
  /// Adds one axis of several parameters that change together.
  void cross(std::vector<std::string> parameters, std::size_t values, Set set);

  std::size_t size() const { return size_; }  ///< number of combinations; saturates

  Task at(std::size_t index) const;

  /// Returns the index of the value of `axis` in the combination `index`. Axes count from 0.
  std::size_t value(std::size_t index, std::size_t axis) const {
    return index / axes_[axis].stride % axes_[axis].values;
  }

  /// Returns the index of the combination that differs from `index` only in that value.
  std::size_t with(std::size_t index, std::size_t axis, std::size_t value) const {
    return index + (value - this->value(index, axis)) * axes_[axis].stride;
  }

  /// Returns the axis of `parameter`. Throws std::logic_error if it was not crossed.
  std::size_t axis(std::string_view parameter) const;

  /// Returns the axes of `parameters`, without duplicates.
  std::vector<std::size_t> axes(std::span<const std::string_view> parameters) const;

  /// Returns whether several parameters share the axis.
  bool is_shared(std::size_t axis) const { return axes_[axis].parameters.size() > 1; }
  bool has_shared_axes() const;

  /// Returns the number of values of the axis.
  std::size_t values(std::size_t axis) const { return axes_[axis].values; }

  /// Calls `visit` with every index that differs from `index` at most in the values on `axes`.
  void each(std::size_t index, std::span<const std::size_t> axes,
            const std::function<void(std::size_t)>& visit) const;

  /// Describes the number of combinations: "1200000 runs: 1000 ranks × 1200 seed".
  std::string describe_size(std::string_view noun) const;

 private:
  struct Axis {
    std::vector<std::string> parameters;
    std::size_t values;
    std::size_t stride;  // difference of the indices for consecutive values
    Set set;
  };

  Task origin_;
  std::function<void(Task&)> settle_;
  std::vector<Axis> axes_;
  std::size_t size_ = 1;
};

}  // namespace regroup
