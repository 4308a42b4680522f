// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "kernel/files/csv_reader.hpp"
#include "kernel/files/user_error.hpp"
#include "kernel/numbers/parse.hpp"

namespace regroup {

[[noreturn]] inline void fail_in_row(const CsvRow& row, const std::string& what) {
  throw UserError(fmt::format("{}:{}: {}", row.path, row.line, what));
}

/// A cell as a number. Throws UserError, with the line, where it is none.
template <class Number>
Number number(const CsvRow& row, std::size_t column) {
  const std::string& text = row.fields[column];
  if (const auto value = parse<Number>(text)) return *value;
  fail_in_row(row, fmt::format("'{}' is no number for {}", text, row.columns[column]));
}

template <class Number>
Number number(const CsvRow& row, std::string_view column) {
  return number<Number>(row, row.column(column));
}

}  // namespace regroup
