// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/files/schema.hpp"

#include <fmt/format.h>

#include "kernel/files/csv.hpp"
#include "kernel/text/plain_text.hpp"

namespace regroup {

/// One row tells it of all: nothing adds rows of another schema.
void check_schema(const std::string& path) {
  CsvReader reader(path);
  const auto fail = [&](std::size_t line, const std::string& found) {
    throw UserError(
        fmt::format("{}:{}: these results are of {}, and this regroup reads schema {}: read them "
                    "with the version that wrote them, or make them anew",
                    path, line, found, schema));
  };
  if (!reader.row().has("schema")) fail(1, "a version without schemas");
  if (!reader.next()) return;
  const CsvRow row = reader.row();
  if (row["schema"] != std::to_string(schema)) fail(row.line, "schema " + one_line(row["schema"]));
}

}  // namespace regroup
