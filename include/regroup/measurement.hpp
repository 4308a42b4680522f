// SPDX-License-Identifier: BSD-3-Clause
//
// Kinds of measurements: each is a function that measures, with a Bench (regroup/bench.hpp), and a
// row of a table. Needs no MPI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "regroup/collective.hpp"
#include "regroup/options.hpp"
#include "regroup/outcome.hpp"
#include "regroup/strategy.hpp"
#include "regroup/walker.hpp"

namespace regroup {

/// A result of a measurement: a column of its file.
struct Figure {
  std::string_view name;  ///< with its unit
  std::string_view help;
  bool is_count = false;  ///< whether it is an integer
};

/// The columns that are computed from the samples of a time NAME_s.
enum class Becomes {
  summary,   ///< NAME_min_s, NAME_median_s, and the 95 % confidence interval of the median
  interval,  ///< NAME_s, the median, and its 95 % confidence interval
  median,    ///< NAME_s, the median
  none       ///< no column; MeasurementKind::derive uses the samples
};

/// A time of which a measurement takes samples. With fewer than six samples, there is no interval.
struct SampledTime {
  std::string_view name;
  std::string_view help;
  Becomes becomes = Becomes::summary;
  bool is_difference = false;  ///< a difference of times, which may be negative
};

using Figures = std::map<std::string, double>;  ///< by name

/// The result of a measurement: samples, and figures that are not computed from samples.
struct Findings {
  Samples samples;
  Figures figures;
};

class Bench;
class MeasuredSetting;
struct MeasurementKind;

/// A measurement with resolved names, without the parameters that runs also have.
struct Measurement {
  const MeasurementKind* kind = nullptr;
  Options options;
  const Strategy* strategy = nullptr;  ///< strategy of the option `communicator`, if any
  const CollectiveOperation* operation = nullptr;  ///< operation of the option `operation`, if any
  Chosen<WalkerEntry> walker;
  double item_ms = 100;
};

/// Thrown by a measurement on all ranks if the placement of the ranks makes it impossible.
struct Unsupported : std::runtime_error {
  using runtime_error::runtime_error;
};

/// A kind of measurement. Its name is that of its file (`creation.csv`). Its options, one of which
/// must be `samples`, are the parameters that a configuration combines. The defaults of the
/// functions below handle the options `group_size` and `communicator` if the kind has them.
struct MeasurementKind : Entry {
  std::span<const SampledTime> times = {};
  std::span<const Figure> figures = {};  ///< in addition to those computed from `times`

  /// Measures. Collective; the results are complete on rank 0.
  Findings (*measure)(Bench& bench) = nullptr;

  /// Whether it is a measurement of a walker, with the parameters `walker` and `item_ms`.
  bool of_walkers = false;

  // Optional.

  /// Whether an option of the type strategy accepts a strategy. Default: all.
  bool (*accepts)(const Strategy& strategy) = nullptr;

  /// Other figures, listed in `figures`, that are computed from samples.
  Figures (*derive)(const Samples& samples) = nullptr;

  /// Sets options without effect to fixed values, so that a sweep measures each case once. Default:
  /// group_size becomes the number of ranks if the strategy cannot form parts of its parent.
  void (*settle)(Measurement& measurement, int ranks) = nullptr;

  /// Whether a sweep skips the measurement, after `settle`. Default: if the group exceeds the
  /// ranks.
  bool (*left_out)(const Measurement& measurement, int ranks) = nullptr;

  /// Reason why the measurement is impossible with any MPI library; empty if it is possible.
  /// Default: the group exceeds the ranks, or the strategy cannot form a group of the first
  /// `group_size` ranks.
  std::string (*hindrance)(const Measurement& measurement, int ranks, std::uint64_t seed) = nullptr;

  /// Approximate duration of a sample, in addition to 1 ms per rank.
  double (*sample_s)(const Measurement& measurement, int ranks) = nullptr;

  /// Whether the measured groups or data depend on the seed; measurements with different seeds are
  /// then not repetitions.
  bool (*draws)(const Measurement& measurement) = nullptr;

  /// Text about the measurements of one setting, which differ in the options `compared`. Default: a
  /// table.
  std::string (*summarize)(const MeasuredSetting& setting) = nullptr;
  std::span<const std::string_view> compared = {};
};

/// The kinds of Regroup.
std::span<const MeasurementKind> measurement_kinds();

// These call the functions of the kind of a measurement, or the defaults.

void settle(Measurement& measurement, int ranks);
bool is_left_out(const Measurement& measurement, int ranks);
std::string hindrance(const Measurement& measurement, int ranks, std::uint64_t seed);
bool draws(const Measurement& measurement);
/// Approximate duration of all samples.
double measuring_s(const Measurement& measurement, int ranks);
std::string summary_of(const MeasuredSetting& setting);

/// All figures of a kind; those computed from its times come first.
struct NamedFigure {
  std::string name;
  std::string help;
  bool is_count;
};
std::vector<NamedFigure> figures_of(const MeasurementKind& kind);

/// The figures computed from all `samples` of a measurement.
Figures figures_of(const MeasurementKind& kind, const Samples& samples);

/// Maximum number of samples of a time that are stored; if there are more, every n-th is stored.
inline constexpr std::size_t most_kept = 1000;
Samples kept_of(Samples samples);

}  // namespace regroup
