// SPDX-License-Identifier: BSD-3-Clause
//
// What is measured beside whole runs: the price of communicators and of operations on them.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "kernel/options.hpp"

namespace regroup {

/// One measurement on real processes: one row of the file of its kind.
struct Measurement {
  std::string kind;
  std::string experiment;
  int ranks = 1;
  Options parameters;  ///< every option of its kind, as text
  std::string waiting = "auto";
  int repetition = 1;
  std::uint64_t seed = 1;
  double timeout_s = 60;
};

/// A figure that a kind of measurement finds out: a column of its file.
struct Figure {
  std::string_view name;  ///< with its unit
  std::string_view help;
};

/// A kind of measurement: its name is also that of its file (`creation.csv`), its options are the
/// parameters that a configuration crosses.
struct MeasurementKind : Entry {
  std::span<const Figure> figures;
};
std::span<const MeasurementKind> measurement_kinds();

/// What came out. A figure that has no meaning for the measurement is not there.
struct Findings {
  std::map<std::string, double> figures;  ///< by the name of their column
  int cores = 0;                          ///< that the processes had in all
  std::string waiting;                    ///< how they waited: direct, polite or wrapper
  std::string library;                    ///< the MPI library and its version
  double setup_s = 0;                     ///< from the processes' start to the first sample
};

/// As one line of JSON, which is how measurements reach the processes that execute them.
std::string to_json(const Measurement& measurement);
Measurement measurement_from_json(const std::string& text);
/// Whether `text` is a measurement; otherwise it is a scenario.
bool is_measurement(const std::string& text);

std::string to_json(const Findings& findings);
Findings findings_from_json(const std::string& text);

/// Sixteen hexadecimal digits that name these parameters: equal exactly where all are equal.
std::string fingerprint(const Measurement& measurement);

/// Why `measurement` cannot be made, whatever the MPI library: its strategy cannot form the groups
/// of its pattern. Empty where it can.
std::string impossible(const Measurement& measurement);

}  // namespace regroup
