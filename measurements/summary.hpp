// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/numbers/statistics.hpp"
#include "regroup/measurement.hpp"

namespace regroup {

/// Measurements of one kind that ended well and differ only in the compared options, in repetition
/// and, unless the seed determines the groups, in the seed.
class MeasuredSetting {
 public:
  struct Row {
    Options options;
    const Strategy* strategy = nullptr;  ///< named by the option `communicator`, if any
    Figures figures;
  };

  /// `cores`: of all nodes; `crowded`: whether ranks share cores. `kind` must outlive this object.
  MeasuredSetting(const MeasurementKind& kind, std::vector<Row> rows, int cores, bool crowded)
      : kind_(&kind), rows_(std::move(rows)), cores_(cores), crowded_(crowded) {}

  const MeasurementKind& kind() const { return *kind_; }
  const std::vector<Row>& rows() const { return rows_; }
  int cores() const { return cores_; }
  bool crowded() const { return crowded_; }

  /// Returns the values of `option` that occur: ascending numbers, or words in the option's order.
  std::vector<std::string> values(std::string_view option) const;

  /// Returns the strategies that occur, in the order of the values of `communicator`.
  std::vector<const Strategy*> strategies() const;

  /// Returns the median of `figure` over the rows with `options`; nullopt if it does not occur.
  std::optional<double> median(std::string_view figure, const Options& options) const;

  /// Returns the 95 % confidence interval NAME_low_s to NAME_high_s; for several rows, the hull of
  /// their intervals. nullopt if a row has too few samples.
  std::optional<Interval> interval(std::string_view name, const Options& options) const;

 private:
  std::vector<const Row*> rows_with(const Options& options) const;

  const MeasurementKind* kind_;
  std::vector<Row> rows_;
  int cores_;
  bool crowded_;
};

/// Formats a median; empty if there is none.
std::string time_text(const std::optional<double>& seconds);

/// Returns a table: a row for each combination of the compared options, a column for each figure.
std::string table_of(const MeasuredSetting& setting);

}  // namespace regroup
