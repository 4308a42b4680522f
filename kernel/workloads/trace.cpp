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

constexpr std::size_t most_groups = 1 << 20;
constexpr std::int64_t most_items = 1'000'000'000'000'000;

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

std::optional<std::int64_t> items_in(std::string_view text) {
  const auto items = parse<std::int64_t>(text);
  return items && *items >= 0 && *items <= most_items ? items : std::nullopt;
}

class Trace {
 public:
  explicit Trace(std::string file) : file_(std::move(file)) {
    if (const std::string complaint = input_complaint(file_); !complaint.empty()) {
      throw std::invalid_argument(fmt::format("{}: {}", file_, complaint));
    }
    std::ifstream stream(file_);
    for (std::string line; std::getline(stream, line);) {
      ++line_;
      const auto fields = fields_of(line);
      if (!fields) wrong("no CSV: a quote is missing, or one too many");
      if (!fields->empty()) read(*fields);
      if (items_.size() > most_groups) wrong("more rows than there can be groups");
    }
  }

  const Items& items() const { return items_; }

 private:
  void read(const Fields& fields) {
    const bool first = !column_;
    if (first) {
      const auto found = std::ranges::find(fields, "items");
      column_ = found == fields.end() ? 0 : static_cast<std::size_t>(found - fields.begin());
      if (found != fields.end()) return;
      if (fields.size() > 1 || !items_in(fields[0])) wrong("neither a number nor a column 'items'");
    }
    if (*column_ >= fields.size()) wrong("the row has no column 'items'");
    const auto items = items_in(fields[*column_]);
    if (!items) {
      wrong(fmt::format("'{}' is no number of items; allowed: integer from 0 to {}",
                        fields[*column_], most_items));
    }
    items_.push_back(*items);
  }

  [[noreturn]] void wrong(std::string_view what) const {
    throw std::invalid_argument(fmt::format("{}:{}: {}", file_, line_, what));
  }

  std::string file_;
  int line_ = 0;
  std::optional<std::size_t> column_;  // that holds the items; known after the first row
  Items items_;
};

}  // namespace

Items trace(const Options& options, Groups groups, std::uint64_t) {
  const std::string& file = options.text("file");
  Items items = Trace(file).items();
  if (items.size() != groups.size()) {
    throw std::invalid_argument(
        fmt::format("{}: {} rows of items for {} groups", file, items.size(), groups.size()));
  }
  return items;
}

}  // namespace regroup
