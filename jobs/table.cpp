// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "jobs/commands.hpp"
#include "jobs/experiment.hpp"
#include "jobs/summaries.hpp"
#include "jobs/table_columns.hpp"
#include "jobs/text_table.hpp"
#include "kernel/csv.hpp"
#include "kernel/read_file.hpp"
#include "kernel/user_error.hpp"

namespace regroup {
namespace {

const std::span<const Heading> headings = table_columns();

/// The columns that a table for people shows.
std::vector<std::size_t> shown(const std::vector<Cells>& rows) {
  std::vector<std::size_t> columns;
  for (std::size_t c = 0; c < headings.size(); ++c) {
    std::set<std::string> values;
    for (const Cells& row : rows) values.insert(row[c]);
    values.erase("");
    const Kind kind = headings[c].kind;
    if (kind == Kind::figure || values.size() > (kind == Kind::parameter ? 1 : 0))
      columns.push_back(c);
  }
  return columns;
}

/// "engine virtual, ranks 32, …": what is not shown since all rows have the same.
std::string in_common(const std::vector<Cells>& rows, const std::vector<std::size_t>& columns) {
  std::string text;
  for (std::size_t c = 0; c < headings.size(); ++c) {
    if (headings[c].kind != Kind::parameter || std::ranges::count(columns, c) > 0) continue;
    const auto row = std::ranges::find_if(rows, [c](const Cells& r) { return !r[c].empty(); });
    if (row == rows.end()) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", headings[c].name, (*row)[c]);
  }
  return text;
}

Cells picked(const Cells& row, const std::vector<std::size_t>& columns) {
  Cells cells;
  for (const std::size_t c : columns) cells.push_back(row[c]);
  return cells;
}

Cells names() {
  Cells cells;
  for (const Heading& heading : headings) cells.emplace_back(heading.name);
  return cells;
}

void print_text(const std::vector<Cells>& rows, const std::vector<std::size_t>& columns,
                bool markdown) {
  std::vector<Cells> table{picked(names(), columns)};
  for (const Cells& row : rows) table.push_back(picked(row, columns));
  std::vector<std::size_t> left;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (headings[columns[c]].left) left.push_back(c);
  }
  fmt::print("{}", text_table(table, left, markdown));
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (std::string_view("_%&#$").find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

void print_latex(const std::vector<Cells>& rows, const std::vector<std::size_t>& columns) {
  fmt::print("\\begin{{tabular}}{{{}}}\n\\hline\n", std::string(columns.size(), 'r'));
  const auto print_row = [&](const Cells& row) {
    std::string line;
    for (const std::size_t c : columns) line += (line.empty() ? "" : " & ") + escaped(row[c]);
    fmt::print("{} \\\\\n", line);
  };
  print_row(names());
  fmt::print("\\hline\n");
  for (const Cells& row : rows) print_row(row);
  fmt::print("\\hline\n\\end{{tabular}}\n");
}

/// Whether the runs would be equal to another in every repetition and seed, so that there is only
/// one.
bool is_computed_once(const RepeatedRuns& runs) {
  return runs.scenario.engine == "virtual" && runs.good == 1 && !draws(runs.scenario);
}

/// What a reader of the table has to know besides.
void print_notes(const std::vector<RepeatedRuns>& settings, const std::vector<Cells>& rows) {
  const auto model = std::ranges::find(headings, "model", &Heading::name) - headings.begin();
  const auto is_compared = [&](const Cells& row) {
    return !row[static_cast<std::size_t>(model)].empty();
  };
  if (std::ranges::any_of(rows, is_compared)) {
    fmt::print(
        "\nmodel: how far virtual time is off the same problems on real processes; several values "
        "where\nthese ran under several conditions\n");
  }
  if (std::ranges::any_of(settings, [](const auto& s) { return s.problems.size() > 1; })) {
    fmt::print(
        "\nproblems: seeds, or repetitions, drew different items. Times of different problems are "
        "not put\ntogether: of_ideal is the median of the ratios of each, of_ideal_range their "
        "smallest and largest\n");
  }
  if (std::ranges::any_of(settings, is_computed_once)) {
    fmt::print(
        "\nok 1/1 in virtual time: nothing is drawn (neither items, nor their times, nor the "
        "balancer's\ndecisions), so runs are computed once whatever repetitions and seed ask "
        "for\n");
  }
}

}  // namespace

static void print_run_table(const std::string& directory, const std::string& format) {
  const std::vector<RepeatedRuns> settings = repeated_runs(directory);
  if (settings.empty()) throw UserError(fmt::format("{}/runs.csv: there are no runs", directory));
  std::vector<Cells> rows;
  for (const RepeatedRuns& runs : settings) {
    Cells& row = rows.emplace_back();
    for (const Heading& heading : headings) row.push_back(heading.cell({runs, settings}));
  }
  if (format == "csv") {
    fmt::print("{}", csv_line(names()));
    for (const Cells& row : rows) fmt::print("{}", csv_line(row));
    return;
  }
  const std::vector<std::size_t> columns = shown(rows);
  if (format == "latex") {
    print_latex(rows, columns);
    return;
  }
  fmt::print(
      "Regroupings per process (avg, stdev: medians over repetitions and seeds; min, max: of all)\n"
      "beside the paper's at 8,192 ranks, and execution times.\n{}\n\n",
      in_common(rows, columns));
  print_text(rows, columns, format == "markdown");
  print_notes(settings, rows);
}

int print_table(const std::string& directory, const std::string& format, bool check) {
  if (check && !is_there(directory + "/creation.csv")) {
    throw UserError(
        fmt::format("{}: there is no creation.csv, whose guidelines --check judges", directory));
  }
  bool measured = false;
  for (const MeasurementKind& kind : measurement_kinds()) {
    if (!is_there(file_of(kind, directory))) continue;
    if (format != "text") {
      throw UserError(fmt::format("{}: the summary of measurements is text; the file itself is CSV",
                                  file_of(kind, directory)));
    }
    print_summary(kind, directory);
    measured = true;
  }
  if (!measured || is_there(directory + "/runs.csv")) {
    print_run_table(directory, format);
  }
  return check ? check_guidelines(directory) : 0;
}

}  // namespace regroup
