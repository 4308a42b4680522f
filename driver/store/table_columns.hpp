// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "driver/store/columns.hpp"
#include "driver/store/settings.hpp"
#include "regroup/measurement.hpp"

namespace regroup {

/// The settings on real processes, which those in virtual time may be compared with.
class RealRuns {
 public:
  /// `settings` must outlive it.
  explicit RealRuns(const Settings& settings);

  /// Those with the parameters of `scenario`, but for the engine and what belongs to it.
  std::vector<const RepeatedRuns*> like(const Scenario& scenario) const;

 private:
  std::multimap<std::string, const RepeatedRuns*> all_;
};

/// A setting, and those that it may be compared with.
struct Line {
  const RepeatedRuns& runs;
  const RealRuns& real;
};

/// How far the virtual engine is off the same problems on real processes, as parts: several where
/// these met several conditions, in the order of their rows; none where there are none.
std::vector<double> model_errors(const Line& line);

/// What becomes of a column in a table for people: `parameter` goes above the table where all rows
/// that have a value have the same, `optional` is left out where no row has one.
enum class Kind { parameter, figure, optional };

struct Heading {
  std::string_view name;
  std::string_view help;
  Kind kind;
  bool left;  ///< aligned to the left
  std::function<std::string(const Line& line)> cell;
};

/// The columns of the table of runs for people.
std::span<const Heading> table_columns();

/// A column of the table of runs for programs: no cell has more than one value, and none a unit.
struct DataColumn : ResultColumn {
  std::function<std::string(const Line& line)> value;  ///< empty where there is none
};

/// The parameters as in runs.csv, what was met, and the figures.
std::span<const DataColumn> data_columns();

// Print a row for each of `settings`; as JSON with the schema, and null for what is empty.
void print_table_as_csv(const Settings& settings);
void print_table_as_json(const Settings& settings);

// The same of a measurement's rows, as its file has them. Throws UserError where it cannot be read.
void print_rows_as_csv(const MeasurementKind& kind, const std::string& directory);
void print_rows_as_json(const MeasurementKind& kind, const std::string& directory);

}  // namespace regroup
