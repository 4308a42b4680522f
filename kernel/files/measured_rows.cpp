// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/files/measured_rows.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "kernel/files/files.hpp"
#include "kernel/files/schema.hpp"
#include "kernel/text/plain_text.hpp"

namespace regroup {
namespace {

CsvTable table_in(const std::string& file) {
  if (const std::string complaint = input_complaint(file); !complaint.empty()) {
    throw UserError(fmt::format("{}: {}", file, complaint));
  }
  check_schema(std::filesystem::path(file).parent_path());
  return read_csv(file);
}

}  // namespace

MeasuredRows::MeasuredRows(const std::string& file) : table_(table_in(file)) {
  for (std::size_t row = 0; row < table_.rows.size(); ++row) {
    if (text(row, "status") == "ok") kept_.push_back(row);
  }
}

void MeasuredRows::keep(const std::function<bool(std::size_t row)>& wanted) {
  std::erase_if(kept_, [&](std::size_t row) { return !wanted(row); });
}

void MeasuredRows::keep(std::string_view column, std::string_view value) {
  keep([&](std::size_t row) { return text(row, column) == value; });
  if (!kept_.empty()) return;
  throw UserError(fmt::format("{}: no row with {} {} ended well", path(), column, value));
}

double MeasuredRows::number(std::size_t row, const OptionSpec& spec) const {
  const std::string& number = text(row, spec.name);
  if (const std::string wrong = complaint(spec, number); !wrong.empty()) {
    throw UserError(fmt::format("{}:{}: {}", path(), table_.lines[row], wrong));
  }
  return Options{{"", number}}.real("");
}

int MeasuredRows::size(std::size_t row, std::string_view column) const {
  return static_cast<int>(number(row, integer_option(column, "", 1, 1 << 20, "")));
}

}  // namespace regroup
