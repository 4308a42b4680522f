// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/workloads/trace.hpp"

#include <csv.h>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <stdexcept>

#include "kernel/files/files.hpp"
#include "kernel/numbers/parse.hpp"

namespace regroup {
namespace {

constexpr std::size_t most_walkers = 1 << 20;

using Fields = std::vector<std::string>;

/// The fields of one line of CSV; nothing where it is none. Line by line, so that a mistake can be
/// named with its line.
std::optional<Fields> fields_of(const std::string& line) {
  Fields fields;
  csv_parser parser;
  csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI);
  const auto field = [](void* text, std::size_t length, void* to) {
    static_cast<Fields*>(to)->emplace_back(static_cast<const char*>(text), length);
  };
  const bool whole =
      csv_parse(&parser, line.data(), line.size(), field, nullptr, &fields) == line.size() &&
      csv_fini(&parser, field, nullptr, &fields) == 0;
  csv_free(&parser);
  return whole ? std::optional(std::move(fields)) : std::nullopt;
}

class Trace {
 public:
  Trace(std::string file, const TraceColumn& wanted) : file_(std::move(file)), wanted_(wanted) {
    if (const std::string complaint = input_complaint(file_); !complaint.empty()) {
      throw std::invalid_argument(fmt::format("{}: {}", file_, complaint));
    }
    std::ifstream stream(file_);
    for (std::string line; std::getline(stream, line);) {
      ++line_;
      const auto fields = fields_of(line);
      if (!fields) wrong("no CSV: a quote is missing, or one too many");
      if (!fields->empty()) read(*fields);
      if (numbers_.size() > most_walkers) wrong("more rows than there can be walkers");
    }
  }

  std::vector<std::int64_t> numbers() && { return std::move(numbers_); }

 private:
  void read(const Fields& fields) {
    const bool first = !column_;
    if (first) {
      const auto found = std::ranges::find(fields, wanted_.name);
      column_ = found == fields.end() ? 0 : static_cast<std::size_t>(found - fields.begin());
      if (found != fields.end()) return;
      if (!wanted_.may_be_alone) wrong(fmt::format("there is no column '{}'", wanted_.name));
      if (fields.size() > 1 || !number_in(fields[0])) {
        wrong(fmt::format("neither a number nor a column '{}'", wanted_.name));
      }
    }
    if (*column_ >= fields.size()) {
      wrong(fmt::format("the row has no column '{}'", wanted_.name));
    }
    const auto number = number_in(fields[*column_]);
    if (!number) {
      wrong(fmt::format("'{}' is no number of {}; allowed: integer from {} to {}", fields[*column_],
                        wanted_.what, wanted_.least, wanted_.most));
    }
    numbers_.push_back(*number);
  }

  std::optional<std::int64_t> number_in(std::string_view text) const {
    const auto number = parse<std::int64_t>(text);
    return number && *number >= wanted_.least && *number <= wanted_.most ? number : std::nullopt;
  }

  [[noreturn]] void wrong(std::string_view what) const {
    throw std::invalid_argument(fmt::format("{}:{}: {}", file_, line_, what));
  }

  std::string file_;
  int line_ = 0;
  const TraceColumn& wanted_;
  std::optional<std::size_t> column_;  // that holds the numbers; known after the first row
  std::vector<std::int64_t> numbers_;
};

}  // namespace

std::vector<std::int64_t> column_of_trace(const std::string& file, const TraceColumn& column,
                                          std::size_t walkers) {
  std::vector<std::int64_t> numbers = Trace(file, column).numbers();
  if (numbers.size() == walkers) return numbers;
  throw std::invalid_argument(
      fmt::format("{}: {} rows of {} for {} walkers", file, numbers.size(), column.name, walkers));
}

Items trace(const Options& options, Groups groups, std::uint64_t) {
  return column_of_trace(options.text("trace_file"), trace_items, groups.size());
}

}  // namespace regroup
