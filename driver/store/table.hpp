// SPDX-License-Identifier: BSD-3-Clause
//
// What `regroup table` shows of runs: a row for each setting.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "driver/store/settings.hpp"

namespace regroup {

class RunTable;

/// A row of the table.
struct TableRow {
  const RunSetting& setting;
  const RunTable& table;
};

/// What the table for people does with a column.
enum class Shown {
  never,  ///< it is for programs only
  always,
  if_several,  ///< where rows differ; else it is above the table
  if_any,      ///< where a row has a value
};

struct TableColumn : ColumnHelp {
  /// For programs: one value without unit, or an empty text. None where it is for people only.
  std::function<std::string(const TableRow& row)> cell;
  Shown shown = Shown::never;
  std::function<std::string(const TableRow& row)> text = {};  ///< for people, where not as `cell`
  std::string heading = {};                                   ///< likewise
  bool left = false;                                          ///< aligned to the left
  std::string usual = {};  ///< not worth a word where all rows have it
};

/// All of its columns.
std::vector<TableColumn> table_columns();

/// The settings of a directory of results. Rows are made whenever they are needed: there may be a
/// million.
class RunTable {
 public:
  /// `settings` outlive it.
  explicit RunTable(const RunSettings& settings);

  void print_text(bool markdown) const;
  void print_latex() const;
  void print_csv() const;
  void print_json() const;

  // Of a row.

  /// What distinguishes the row from others, beside the number of ranks and the variant: "T = 100
  /// ms, 2 cores". Rows with equal texts belong into one picture.
  std::string panel(const RunSetting& setting) const;
  /// The balancer with its options and, where several occur, the communicator strategy.
  std::string label(const RunSetting& setting) const;
  /// How far the virtual engine is off the same problems on real processes: several values where
  /// these ran under several conditions, in the order of their rows; none where there are none.
  std::vector<double> model_errors(const RunSetting& setting) const;

 private:
  /// The values of a column.
  struct Values {
    std::string first;  // that is not empty
    bool several = false;
  };

  std::string text_of(const TableColumn& column, const RunSetting& setting) const;
  void look_at(const RunSetting& setting);
  void find_panels();
  bool is_shown(std::size_t column) const;
  std::string in_common() const;
  void print_notes() const;
  template <class Print>
  void each_row(Print print) const;

  const RunSettings& settings_;
  std::vector<TableColumn> columns_;
  std::vector<Values> values_;
  std::vector<std::size_t> panel_columns_;
  bool several_strategies_ = false;
  std::multimap<std::string, const RunSetting*> real_;  // by what identifies them but the engine
};

/// The results of runs in a directory, as text, markdown, latex, csv or json. Throws UserError.
void print_run_table(const std::string& directory, const std::string& format,
                     const Catalog& catalog);

/// The summary of measurements in a directory as text; or as csv or json a row for each setting and
/// combination of options, with the medians over repetitions and seeds.
void print_measurements(const MeasurementKind& kind, const std::string& directory,
                        const std::string& format, const Catalog& catalog);

}  // namespace regroup
