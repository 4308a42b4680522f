// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/text/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "driver/cli/commands.hpp"
#include "driver/config/experiment.hpp"
#include "driver/store/columns.hpp"
#include "driver/store/summaries.hpp"
#include "driver/store/table_columns.hpp"
#include "kernel/files/files.hpp"
#include "kernel/text/plain_text.hpp"
#include "library/resolve.hpp"

namespace regroup {
namespace {

const std::span<const Heading> headings = table_columns();

Cells names() {
  Cells cells;
  for (const Heading& heading : headings) cells.emplace_back(heading.name);
  return cells;
}

/// The table of runs. Its rows are made whenever they are needed: there may be a million.
class RunTable {
 public:
  explicit RunTable(const Settings& settings)
      : settings_(settings), real_(settings), values_(headings.size()) {
    layout_.fit(names());
    each_row([this](const Cells& row) { look_at(row); });
    for (std::size_t c = 0; c < headings.size(); ++c) {
      if (is_shown(c)) columns_.push_back(c);
    }
  }

  void print_text(bool markdown) const;
  void print_latex() const;

 private:
  /// The values of a column.
  struct Values {
    std::string first;  // that is not empty
    bool several = false;
  };

  template <class Visit>
  void each_row(Visit visit) const {
    for (const RepeatedRuns& runs : settings_) {
      Cells row;
      for (const Heading& heading : headings) row.push_back(heading.cell({runs, real_}));
      visit(row);
    }
  }

  void look_at(const Cells& row) {
    layout_.fit(row);
    for (std::size_t c = 0; c < row.size(); ++c) {
      Values& values = values_[c];
      if (values.first.empty()) values.first = row[c];
      if (!row[c].empty() && row[c] != values.first) values.several = true;
    }
  }

  bool is_shown(std::size_t column) const {
    const Kind kind = headings[column].kind;
    return kind == Kind::figure ||
           (kind == Kind::parameter ? values_[column].several : !values_[column].first.empty());
  }

  std::string in_common() const;
  void print_notes() const;

  const Settings& settings_;
  const RealRuns real_;
  std::vector<Values> values_;
  TextTable layout_;
  std::vector<std::size_t> columns_;  // that a table for people shows
};

/// "engine virtual, ranks 32, …": what is not shown since all rows have the same.
std::string RunTable::in_common() const {
  std::string text;
  for (std::size_t c = 0; c < headings.size(); ++c) {
    if (headings[c].kind != Kind::parameter || is_shown(c) || values_[c].first.empty()) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", headings[c].name, values_[c].first);
  }
  return text;
}

void RunTable::print_text(bool markdown) const {
  std::vector<std::size_t> left;
  for (std::size_t c = 0; c < headings.size(); ++c) {
    if (headings[c].left) left.push_back(c);
  }
  fmt::print(
      "Regroupings per process (avg, stdev: medians over repetitions and seeds; min, max: of all)\n"
      "beside the paper's at 8,192 ranks, and execution times.\n{}\n\n",
      in_common());
  const auto print = [&](const Cells& row) {
    fmt::print("{}", layout_.line(row, columns_, left, markdown));
  };
  print(names());
  if (markdown) fmt::print("{}", layout_.rule(columns_));
  each_row(print);
  print_notes();
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (std::string_view("_%&#$").find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

void RunTable::print_latex() const {
  fmt::print("\\begin{{tabular}}{{{}}}\n\\hline\n", std::string(columns_.size(), 'r'));
  const auto print = [&](const Cells& row) {
    std::string line;
    for (const std::size_t c : columns_) line += (line.empty() ? "" : " & ") + escaped(row[c]);
    fmt::print("{} \\\\\n", line);
  };
  print(names());
  fmt::print("\\hline\n");
  each_row(print);
  fmt::print("\\hline\n\\end{{tabular}}\n");
}

/// Whether the runs would be equal to another in every repetition and seed, so that there is only
/// one.
bool is_computed_once(const RepeatedRuns& runs) {
  return engine_of(runs.scenario).exact && runs.good == 1 && !draws(runs.scenario);
}

/// What a reader of the table has to know besides.
void RunTable::print_notes() const {
  const auto model = std::ranges::find(headings, "model", &Heading::name) - headings.begin();
  if (!values_[static_cast<std::size_t>(model)].first.empty()) {
    fmt::print(
        "\nmodel: how far virtual time is off the same problems on real processes; several values "
        "where\nthese ran under several conditions\n");
  }
  if (std::ranges::any_of(settings_, [](const auto& s) { return s.problems.size() > 1; })) {
    fmt::print(
        "\nproblems: seeds, or repetitions, drew different items. Times of different problems are "
        "not put\ntogether: of_ideal is the median of the ratios of each, of_ideal_range their "
        "smallest and largest\n");
  }
  if (std::ranges::any_of(settings_, is_computed_once)) {
    fmt::print(
        "\nok 1/1 in virtual time: nothing is drawn (neither items, nor their times, nor the "
        "balancer's\ndecisions), so runs are computed once whatever repetitions and seed ask "
        "for\n");
  }
}

}  // namespace

static void print_run_table(const std::string& directory, const std::string& format) {
  const Settings settings = repeated_runs(directory);
  if (settings.empty()) throw UserError(fmt::format("{}/runs.csv: there are no runs", directory));
  if (format == "csv") return print_table_as_csv(settings);
  if (format == "json") return print_table_as_json(settings);
  const RunTable table(settings);
  if (format == "latex") return table.print_latex();
  table.print_text(format == "markdown");
}

static void print_measurements(const MeasurementKind& kind, const std::string& directory,
                               const std::string& format) {
  if (format == "csv") return print_rows_as_csv(kind, directory);
  if (format == "json") return print_rows_as_json(kind, directory);
  if (format != "text") {
    throw UserError(fmt::format(
        "{}/{}: the summary of measurements is no table in {}; allowed: text, csv or json",
        directory, file_of(kind.name), format));
  }
  print_summary(kind, directory);
}

int print_table(const std::string& directory, const std::string& format, bool check) {
  if (check && !file_exists(directory + "/creation.csv")) {
    throw UserError(
        fmt::format("{}: there is no creation.csv, whose guidelines --check judges", directory));
  }
  bool measured = false;
  for (const MeasurementKind& kind : standard_catalog().measurements) {
    const std::string file = directory + "/" + file_of(kind.name);
    if (!file_exists(file)) continue;
    print_measurements(kind, directory, format);
    measured = true;
  }
  if (!measured || file_exists(directory + "/runs.csv")) {
    print_run_table(directory, format);
  }
  return check ? check_guidelines(directory) : 0;
}

}  // namespace regroup
