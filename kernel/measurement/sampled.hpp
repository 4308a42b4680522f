// SPDX-License-Identifier: BSD-3-Clause
//
// The times that measurements take again and again, and the figures that come of them: where they
// are measured, and where results are checked.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "kernel/outcome.hpp"

namespace regroup {

/// What becomes of the samples of a time called NAME_s.
enum class Becomes {
  spread,      ///< NAME_min_s, NAME_median_s, NAME_low_s and NAME_high_s
  interval,    ///< NAME_s, the median, NAME_low_s and NAME_high_s
  middle,      ///< NAME_s, the median
  only_hidden  ///< nothing by itself
};

struct SampledTime {
  std::string_view name;
  std::string_view help;
  Becomes becomes;
  bool is_difference = false;  ///< so that it may be below 0
};
std::span<const SampledTime> sampled_times();

/// The figures that `samples`, which are whole, come to.
std::map<std::string, double> figures_of(const Samples& samples);

/// Those of one time; none where `samples` have none of it.
std::map<std::string, double> figures_of(const SampledTime& time, const Samples& samples);

/// Whether a figure of this name is made of samples.
bool comes_of_samples(std::string_view figure);

/// Adds the next one.
void add(std::vector<Sample>& samples, double began_s, double value_s);

/// So many samples of a time are kept at most; of more, every so many-th, from the first on.
inline constexpr std::size_t most_kept = 1000;
Samples kept_of(Samples samples);

/// Of so many, each how many-th is kept, and how many that are.
std::size_t kept_every(std::size_t samples);
std::size_t kept_of(std::size_t samples);

}  // namespace regroup
