// SPDX-License-Identifier: BSD-3-Clause
//
// Kinds of measurements: what communicators, and operations on them, cost. A kind is one function
// that measures and one row of a table; its code works with a Bench (regroup/bench.hpp). Needs no
// MPI.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "regroup/options.hpp"
#include "regroup/outcome.hpp"
#include "regroup/strategy.hpp"
#include "regroup/walker.hpp"

namespace regroup {

/// A number that a measurement finds out: a column of its file.
struct Figure {
  std::string_view name;  ///< with its unit
  std::string_view help;
  bool is_count = false;  ///< a whole number
};

/// Which figures the samples of a time called NAME_s become.
enum class Becomes {
  summary,   ///< NAME_min_s, NAME_median_s, and its 95 % confidence interval
  interval,  ///< NAME_s, the median, and its 95 % confidence interval
  median,    ///< NAME_s
  none       ///< none by itself: MeasurementKind::derive uses them
};

/// A time that a measurement takes again and again. The interval is NAME_low_s to NAME_high_s.
struct SampledTime {
  std::string_view name;
  std::string_view help;
  Becomes becomes = Becomes::summary;
  bool is_difference = false;  ///< and so may be negative
};

using Figures = std::map<std::string, double>;  ///< by name

/// What a measurement finds out: samples, and figures that do not follow from them.
struct Findings {
  Samples samples;
  Figures figures;
};

class Bench;
class MeasuredSetting;
struct MeasurementKind;

/// A measurement with its names resolved, without what it shares with runs.
struct Measurement {
  const MeasurementKind* kind = nullptr;
  Options options;
  const Strategy* strategy = nullptr;  ///< that the option `communicator` names, if any
  const WalkerEntry* walker = nullptr;
  Options walker_options;
  double item_ms = 100;
};

/// Thrown by a measurement, on all ranks, that cannot be made where the ranks are.
struct Unsupported : std::runtime_error {
  using runtime_error::runtime_error;
};

/// A kind of measurement. Its name is also that of its file (`creation.csv`), its options are the
/// parameters that a configuration crosses.
struct MeasurementKind : Entry {
  std::span<const SampledTime> times;
  std::span<const Figure> figures;  ///< besides those that the times become

  /// Measures. Collective; the findings are complete on rank 0.
  Findings (*measure)(Bench& bench) = nullptr;

  /// Whether it is a measurement of a walker, with the parameters `walker` and `item_ms`.
  bool of_walkers = false;

  // What may be left out.

  /// Figures that follow from samples in another way than SampledTime says.
  Figures (*derive)(const Samples& samples) = nullptr;

  /// Sets options without effect to fixed values, so that a sweep measures them once. By default
  /// those of a strategy that forms no part of its parent.
  void (*settle)(Measurement& measurement, int ranks) = nullptr;

  /// Whether a sweep leaves this combination out; by default where the group is larger than the
  /// ranks.
  bool (*left_out)(const Measurement& measurement, int ranks) = nullptr;

  /// Why it cannot be made, whatever the MPI library; empty where it can. By default by what its
  /// strategy forms.
  std::string (*hindrance)(const Measurement& measurement, int ranks, std::uint64_t seed) = nullptr;

  /// How long a sample takes, about, beside 1 ms for each rank.
  double (*sample_s)(const Measurement& measurement, int ranks) = nullptr;

  /// Whether the seed changes what is measured.
  bool (*draws)(const Measurement& measurement) = nullptr;

  /// Describes the measurements of one setting, in which only the options in `compared` vary. By
  /// default a table of the medians.
  std::string (*summarize)(const MeasuredSetting& setting) = nullptr;
  std::span<const std::string_view> compared{};
};

/// The kinds that come with Regroup.
std::span<const MeasurementKind> measurement_kinds();

/// All figures of a kind, those that its times become first.
struct NamedFigure {
  std::string name;
  std::string help;
  bool is_count;
};
std::vector<NamedFigure> figures_of(const MeasurementKind& kind);

/// The figures that `samples`, which are complete, become.
Figures figures_of(const MeasurementKind& kind, const Samples& samples);

/// At most this many samples of a time are kept; of more, every n-th, from the first on.
inline constexpr std::size_t most_kept = 1000;
Samples kept_of(Samples samples);

}  // namespace regroup
