// SPDX-License-Identifier: BSD-3-Clause
//
// What stands in the cells of a column of results.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "driver/store/record.hpp"
#include "kernel/regroup_statistics.hpp"
#include "library/task.hpp"
#include "regroup/measurement.hpp"
#include "regroup/options.hpp"
#include "regroup/outcome.hpp"

namespace regroup {

struct Content {
  enum class Type { integer, number, text, choice, yes_no, time };
  Type type = Type::text;
  bool may_be_empty = false;
  std::vector<std::string> words = {};  ///< that a choice has
};

/// A column says it by one of these: `number`, `maybe(integer)`, `one_of({"parent", "group"})`.
namespace content {
inline const Content integer{Content::Type::integer};
inline const Content number{Content::Type::number};
inline const Content text{Content::Type::text};
inline const Content yes_no{Content::Type::yes_no};
inline const Content utc_time{Content::Type::time};
Content one_of(std::vector<std::string> words);
Content maybe(Content content);
}  // namespace content

/// That of an option's values.
Content content_of(const OptionSpec& spec);

/// Of cells that are like those of `one` or like those of `other`.
Content either(const Content& one, const Content& other);

/// "integer", "number", "text", "choice", "yes/no", "time".
std::string_view name(Content::Type type);

/// The unit that the name of a column ends in: "s", "MB/s"; empty where it has none.
std::string_view unit_of(std::string_view column);

/// A column of a file of results, as those know it who read the file.
struct ResultColumn {
  std::string name;  ///< with its unit
  Content content;
  std::string help;
};

std::vector<std::string> names_of(const std::vector<ResultColumn>& columns);

/// The file that has a row for each task of `kind`: "runs.csv", "creation.csv".
std::string file_of(std::string_view kind);

/// Its columns. Every parameter is one.
std::vector<ResultColumn> columns_of(std::string_view kind);

/// A column that a parameter makes, or an option of what it names.
struct ParameterColumn : ResultColumn {
  std::function<std::string(const Scenario& task)> value;
};
/// Its own one, and one for each option of any row of its list, filled where the choice has it.
std::vector<ParameterColumn> columns_of(const Parameter& parameter);

/// Throws std::invalid_argument where a row that was added (jobs/catalog/catalog.hpp) has an option
/// with the name of another column.
void check_columns();

/// What a row tells of the groups of a run.
struct GroupFigures {
  double makespan_s = 0;
  RegroupStatistics statistics;
};
GroupFigures group_figures(const Outcome& outcome, int ranks);

/// The fields of the row of `record`. `items`: those of all groups at the start of a run.
std::vector<std::string> fields_of(const Record& record, std::span<const std::int64_t> items = {});

/// … of a run whose lives are not known any more, but what they came to.
std::vector<std::string> fields_of(const Record& record, std::span<const std::int64_t> items,
                                   const GroupFigures& groups);

// What columns are made of.

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
