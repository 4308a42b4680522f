// SPDX-License-Identifier: BSD-3-Clause
//
// Kinds of measurements: each a function that measures, with a Bench (regroup/bench.hpp), and a row
// of a table. Needs no MPI.
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

/// A number that a measurement finds: a column of its file.
struct Figure {
  std::string_view name;  ///< with its unit
  std::string_view help;
  bool is_count = false;  ///< a whole number
};

/// The figures that follow from the samples of a time called NAME_s.
enum class Becomes {
  summary,   ///< NAME_min_s, NAME_median_s, and the 95 % confidence interval of the median
  interval,  ///< NAME_s, the median, and its 95 % confidence interval
  median,    ///< NAME_s, the median
  none       ///< none by itself: MeasurementKind::derive uses the samples
};

/// A time of which a measurement takes samples. No interval with fewer than six.
struct SampledTime {
  std::string_view name;
  std::string_view help;
  Becomes becomes = Becomes::summary;
  bool is_difference = false;  ///< and so may be negative
};

using Figures = std::map<std::string, double>;  ///< by name

/// The result of a measurement: samples, and figures that do not follow from them.
struct Findings {
  Samples samples;
  Figures figures;
};

class Bench;
class MeasuredSetting;
struct MeasurementKind;

/// A measurement with its names resolved, without the parameters that it shares with runs.
struct Measurement {
  const MeasurementKind* kind = nullptr;
  Options options;
  const Strategy* strategy = nullptr;              ///< that the option `communicator` names, if any
  const CollectiveOperation* operation = nullptr;  ///< that the option `operation` names, if any
  Chosen<WalkerEntry> walker;
  double item_ms = 100;
};

/// Thrown by a measurement, on all ranks, that is impossible where the ranks are.
struct Unsupported : std::runtime_error {
  using runtime_error::runtime_error;
};

/// A kind of measurement. Its name is that of its file (`creation.csv`); its options, one of which
/// is `samples`, are the parameters that a configuration crosses. The defaults of the functions
/// below are for kinds with the options `group_size` and `communicator`, and hold for kinds that
/// lack them.
struct MeasurementKind : Entry {
  std::span<const SampledTime> times = {};
  std::span<const Figure> figures = {};  ///< besides those that follow from `times`

  /// Measures. Collective; the findings are complete on rank 0.
  Findings (*measure)(Bench& bench) = nullptr;

  /// Whether it is a measurement of a walker, with the parameters `walker` and `item_ms`.
  bool of_walkers = false;

  // Optional.

  /// Which strategies an option of the type strategy accepts; by default all.
  bool (*accepts)(const Strategy& strategy) = nullptr;

  /// Figures, listed in `figures`, that follow from samples in another way.
  Figures (*derive)(const Samples& samples) = nullptr;

  /// Sets options without effect to fixed values, so that a sweep measures them once. Default: all
  /// ranks as the group size of a strategy that forms no part of its parent.
  void (*settle)(Measurement& measurement, int ranks) = nullptr;

  /// Whether a sweep skips a settled measurement; by default if the group exceeds the ranks.
  bool (*left_out)(const Measurement& measurement, int ranks) = nullptr;

  /// Why it is impossible, whatever the MPI library; empty if it is not. By default: the group
  /// exceeds the ranks, or the strategy cannot form the first `group_size` ranks.
  std::string (*hindrance)(const Measurement& measurement, int ranks, std::uint64_t seed) = nullptr;

  /// The duration of a sample, about, in addition to 1 ms for each rank.
  double (*sample_s)(const Measurement& measurement, int ranks) = nullptr;

  /// Whether the seed draws what is measured: other seeds are then no repetitions.
  bool (*draws)(const Measurement& measurement) = nullptr;

  /// Describes the measurements of one setting, which differ in the options `compared`. Default: a
  /// table.
  std::string (*summarize)(const MeasuredSetting& setting) = nullptr;
  std::span<const std::string_view> compared = {};
};

/// The kinds that come with Regroup.
std::span<const MeasurementKind> measurement_kinds();

// The functions of the kind of a measurement, or the defaults.

void settle(Measurement& measurement, int ranks);
bool is_left_out(const Measurement& measurement, int ranks);
std::string hindrance(const Measurement& measurement, int ranks, std::uint64_t seed);
bool draws(const Measurement& measurement);
/// The duration of all samples, about.
double measuring_s(const Measurement& measurement, int ranks);
std::string summary_of(const MeasuredSetting& setting);

/// All figures of a kind, those that follow from its times first.
struct NamedFigure {
  std::string name;
  std::string help;
  bool is_count;
};
std::vector<NamedFigure> figures_of(const MeasurementKind& kind);

/// The figures that follow from all `samples` of a measurement.
Figures figures_of(const MeasurementKind& kind, const Samples& samples);

/// At most this many samples of a time are kept; of more, every n-th, from the first on.
inline constexpr std::size_t most_kept = 1000;
Samples kept_of(Samples samples);

}  // namespace regroup
