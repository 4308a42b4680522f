// SPDX-License-Identifier: BSD-3-Clause
//
// What columns are made of.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <string>
#include <vector>

#include "jobs/catalog/parameters.hpp"
#include "jobs/records/columns.hpp"
#include "kernel/chains/convergence.hpp"
#include "kernel/measurement/measurement.hpp"

namespace regroup {

/// As many digits as tell it from every other number.
inline std::string exact(double number) { return fmt::format("{:.17g}", number); }
/// Empty where it is 0: where there is none.
inline std::string positive(double number) { return number > 0 ? exact(number) : std::string(); }

/// All that a row is made from.
struct Row {
  const Record& record;
  const Scenario& task;
  const Outcome* outcome;
  GroupFigures groups;
  Convergence convergence;
  double ideal_s;
  double bound_s;
  std::string problem;
};

struct Column : ResultColumn {
  std::function<std::string(const Row&)> value;
};
using Columns = std::vector<Column>;

/// A column that is empty where the task did not end well.
template <class Value>
Column if_ok(ResultColumn column, Value value) {
  column.content.may_be_empty = true;
  return {std::move(column),
          [value](const Row& row) { return row.outcome == nullptr ? std::string() : value(row); }};
}

/// Those that tell on how many cores it was, and the others of where and when it was. `runs`:
/// whether it was a run.
Columns columns_of_cores();
void add_place(Columns& columns, bool runs);

/// The options of a kind of measurement, and its figures.
void add_measured(Columns& columns, const MeasurementKind& kind);

}  // namespace regroup
