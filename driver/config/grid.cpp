// SPDX-License-Identifier: BSD-3-Clause
#include "driver/config/grid.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace regroup {

/// Returns `a · b`, or the largest number if that overflows.
static std::size_t product(std::size_t a, std::size_t b) {
  std::size_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? std::numeric_limits<std::size_t>::max() : result;
}

void Grid::cross(std::vector<std::string> parameters, std::size_t values, Set set) {
  for (Axis& axis : axes_) axis.stride = product(axis.stride, values);
  axes_.push_back({std::move(parameters), values, 1, std::move(set)});
  size_ = product(size_, values);
}

Task Grid::at(std::size_t index) const {
  Task task = origin_;
  for (const Axis& axis : axes_) axis.set(task, index / axis.stride % axis.values);
  if (settle_) settle_(task);
  return task;
}

std::size_t Grid::axis(std::string_view parameter) const {
  const auto found = std::ranges::find_if(axes_, [&](const Axis& axis) {
    return std::ranges::find(axis.parameters, parameter) != axis.parameters.end();
  });
  if (found == axes_.end()) throw std::logic_error(fmt::format("no axis '{}'", parameter));
  return static_cast<std::size_t>(found - axes_.begin());
}

std::vector<std::size_t> Grid::axes(std::span<const std::string_view> parameters) const {
  std::vector<std::size_t> all;
  for (const std::string_view parameter : parameters) {
    const std::size_t found = axis(parameter);
    if (std::ranges::find(all, found) == all.end()) all.push_back(found);
  }
  return all;
}

bool Grid::has_shared_axes() const {
  return std::ranges::any_of(axes_, [](const Axis& axis) { return axis.parameters.size() > 1; });
}

void Grid::each(std::size_t index, std::span<const std::size_t> axes,
                const std::function<void(std::size_t)>& visit) const {
  if (axes.empty()) return visit(index);
  for (std::size_t value = 0; value < axes_[axes.front()].values; ++value) {
    each(with(index, axes.front(), value), axes.subspan(1), visit);
  }
}

std::string Grid::describe_size(std::string_view noun) const {
  std::string factors;
  double number = 1;
  for (const Axis& axis : axes_) {
    if (axis.values == 1) continue;
    factors += fmt::format("{}{} {}", factors.empty() ? "" : " × ", axis.values,
                           fmt::join(axis.parameters, " with "));
    number *= static_cast<double>(axis.values);
  }
  return fmt::format("{:.0f} {}: {}", number, noun, factors);
}

}  // namespace regroup
