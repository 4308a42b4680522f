// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/catalog/parameters.hpp"
#include "jobs/records/content.hpp"
#include "jobs/records/record.hpp"
#include "kernel/regroup_statistics.hpp"

namespace regroup {

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

}  // namespace regroup
