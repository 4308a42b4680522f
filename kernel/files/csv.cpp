// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/files/csv.hpp"

#include <charconv>

#include "kernel/files/csv_reader.hpp"

namespace regroup {
namespace {

constexpr std::string_view formula_starts = "=+-@";

/// "-3.5", "+1.2 %": what a spreadsheet rightly takes for a number.
bool is_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return error == std::errc{} && (text.empty() || text == " %");
}

/// Whether apostrophes, or none, and then the start of a formula stand in front.
bool looks_like_formula(std::string_view text) {
  const std::size_t start = text.find_first_not_of('\'');
  return start != text.npos && formula_starts.find(text[start]) != formula_starts.npos;
}

void append_field(std::string& line, std::string_view field) {
  const bool apostrophe = looks_like_formula(field) && !is_number(field);
  const bool blank = field.starts_with(' ') || field.ends_with(' ') ||  // which readers leave out
                     field.starts_with('\t') || field.ends_with('\t');
  const bool quotes = blank || field.find_first_of(",\"\r\n") != field.npos;
  if (quotes) line += '"';
  if (apostrophe) line += '\'';
  for (const char c : field) {
    if (c == '"') line += '"';
    line += c;
  }
  if (quotes) line += '"';
}

}  // namespace

std::size_t CsvTable::column(std::string_view name) const {
  return CsvRow{path, columns, columns, 1}.column(name);
}

CsvTable read_csv(const std::string& path) {
  CsvReader reader(path);
  CsvTable table{path, reader.columns(), {}, {}};
  while (reader.next()) {
    table.rows.push_back(reader.row().fields);
    table.lines.push_back(reader.row().line);
  }
  reader.fail_if_torn();
  return table;
}

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (const std::string& field : fields) {
    if (&field != &fields.front()) line += ',';
    append_field(line, field);
  }
  return line + '\n';
}

std::string_view without_apostrophe(std::string_view field) {
  if (field.starts_with('\'') && looks_like_formula(field)) field.remove_prefix(1);
  return field;
}

}  // namespace regroup
