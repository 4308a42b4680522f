// SPDX-License-Identifier: BSD-3-Clause
//
// What is measured beside whole runs: the price of communicators and of operations on them.
#pragma once

#include <span>
#include <string_view>

#include "kernel/options.hpp"

namespace regroup {

/// A figure that a kind of measurement finds out: a column of its file.
struct Figure {
  std::string_view name;  ///< with its unit
  std::string_view help;
  bool is_count = false;  ///< a whole number
};
inline constexpr bool a_count = true;

/// A kind of measurement: its name is also that of its file (`creation.csv`), its options are the
/// parameters that a configuration crosses.
struct MeasurementKind : Entry {
  std::span<const Figure> figures;
};
std::span<const MeasurementKind> measurement_kinds();

}  // namespace regroup
