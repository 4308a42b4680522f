// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jobs/records/record.hpp"
#include "kernel/measurement/measurement.hpp"
#include "kernel/numbers/spread.hpp"

namespace regroup {

/// Stored measurements that ended well and differ in repetition and seed, and in what a table
/// shows, but in nothing else: same ranks, cores, place, waiting, MPI library, version and other
/// options.
/// Where the seed draws the groups, it is the same, too.
class Setting {
 public:
  std::string title;  ///< in one line
  std::vector<const Record*> records;

  /// The values of `option` that occur: numbers ascend, words stand in the order of its table.
  std::vector<std::string> values(const std::string& option) const;

  /// The median of `figure` over repetitions and seeds, where all of `options` are as given;
  /// nothing where there is none.
  std::optional<double> median(const std::string& figure, const Options& options) const;

  /// The 95 % confidence interval of the figure whose columns are NAME_low_s and NAME_high_s; of
  /// several repetitions, what all of their intervals cover. Nothing where one has too few samples.
  std::optional<Interval> interval(const std::string& name, const Options& options) const;

 private:
  std::vector<const Record*> with(const Options& options) const;
};

/// `records` by their settings, without those that did not end well. `shown`: options of a table.
std::vector<Setting> by_setting(const MeasurementKind& kind, const std::vector<Record>& records,
                                const std::vector<std::string>& shown);

/// One line for each reason why some are unsupported, and one for each that did not end well.
std::string left_out(const std::vector<Record>& records);

}  // namespace regroup
