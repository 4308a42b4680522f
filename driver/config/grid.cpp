// SPDX-License-Identifier: BSD-3-Clause
#include "driver/config/grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace regroup {

static constexpr std::size_t largest = std::numeric_limits<std::size_t>::max();

std::size_t product(std::size_t a, std::size_t b) {
  std::size_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? largest : result;
}

std::size_t sum(std::size_t a, std::size_t b) {
  std::size_t result = 0;
  return __builtin_add_overflow(a, b, &result) ? largest : result;
}

std::size_t Axes::axis(std::string_view parameter) const {
  const auto found = std::ranges::find(axes_, parameter, &Axis::parameter);
  if (found == axes_.end()) throw std::logic_error(fmt::format("no axis '{}'", parameter));
  return static_cast<std::size_t>(found - axes_.begin());
}

void Axes::add(std::string_view parameter, std::size_t values) {
  for (Axis& axis : axes_) axis.stride = product(axis.stride, values);
  axes_.push_back({std::string(parameter), values, 1});
  size_ = product(size_, values);
}

void Axes::each(std::size_t place, std::span<const std::size_t> axes,
                const std::function<void(std::size_t)>& visit) const {
  if (axes.empty()) return visit(place);
  for (std::size_t value = 0; value < axes_[axes.front()].values; ++value) {
    each(with(place, axes.front(), value), axes.subspan(1), visit);
  }
}

std::string Axes::complaint(std::string_view noun) const {
  if (size_ <= most_combinations) return {};
  std::string factors;
  double number = 1;
  for (const Axis& axis : axes_) {
    if (axis.values == 1) continue;
    factors += fmt::format("{}{} {}", factors.empty() ? "" : " × ", axis.values, axis.parameter);
    number *= static_cast<double>(axis.values);
  }
  return fmt::format("{:.0f} {}: {}", number, noun, factors);
}

std::size_t Choices::size() const {
  std::size_t number = 1;
  for (const auto& [option, values] : options) number = product(number, values.size());
  return number;
}

Choice Choices::at(std::size_t place) const {
  Choice choice{name, {}};
  for (const auto& [option, values] : options) {
    choice.options.set(option, values[place % values.size()]);
    place /= values.size();
  }
  return choice;
}

bool overlap(const Choices& a, const Choices& b) {
  if (a.name != b.name) return false;
  for (std::size_t i = 0; i < a.options.size(); ++i) {
    if (std::ranges::find_first_of(a.options[i].second, b.options[i].second) ==
        a.options[i].second.end()) {
      return false;
    }
  }
  return true;
}

}  // namespace regroup
