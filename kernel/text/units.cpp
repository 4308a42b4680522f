// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/text/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace regroup {
namespace {

/// Format of a time with three digits.
struct Digits {
  double unit;
  std::string_view name;
  int decimals;
};

Digits digits_for(double seconds) {
  constexpr std::array<std::pair<double, std::string_view>, 4> units{
      {{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}}};
  const double size = std::abs(seconds);
  // Numbers that are rounded up to 1 of the next unit use that unit.
  const auto fits = [&](const auto& unit) { return size >= 0.9995 * unit.first; };
  const auto found = std::ranges::find_if(units, fits);
  const auto& [unit, name] = found == units.end() ? units.back() : *found;
  const double number = size / unit;
  return {unit, name, number < 9.995 ? 2 : number < 99.95 ? 1 : 0};
}

}  // namespace

std::string duration(double seconds) {
  const long whole = std::lround(std::ceil(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string rounded(double number, int decimals) {
  const double size = std::abs(number);
  if (number == 0) return "0";
  if (!(size < 1)) return fmt::format("{:.{}f}", number, decimals);
  const int digits = std::clamp(decimals, 1, 3);
  if (size < 1e-9) return fmt::format("{:.{}e}", number, digits - 1);
  const int before = static_cast<int>(-std::floor(std::log10(size))) - 1;  // zeros after the point
  return fmt::format("{:.{}f}", number, std::max(decimals, before + digits));
}

std::string in_fitting_unit(double seconds) {
  if (seconds == 0) return "0 s";
  const auto [unit, name, decimals] = digits_for(seconds);
  return fmt::format("{} {}", rounded(seconds / unit, decimals), name);
}

std::string in_fitting_unit(double seconds, const Interval& interval) {
  const auto [unit, name, decimals] = digits_for(
      std::max({std::abs(seconds), std::abs(interval.low_s), std::abs(interval.high_s)}));
  return fmt::format("{} [{}, {}] {}", rounded(seconds / unit, decimals),
                     rounded(interval.low_s / unit, decimals),
                     rounded(interval.high_s / unit, decimals), name);
}

std::string shortened(const std::string& text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  // Cuts only between characters, whose continuation bytes begin with the bits 10.
  const auto continues = [&](std::size_t at) { return (text[at] & 0xC0) == 0x80; };
  std::size_t head = bytes / 2;
  std::size_t tail = text.size() - bytes / 2;
  while (head > 0 && continues(head)) --head;
  while (tail < text.size() && continues(tail)) ++tail;
  return text.substr(0, head) + " … " + text.substr(tail);
}

}  // namespace regroup
