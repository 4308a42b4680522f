// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace regroup {

/// The layout of results, in files and in JSON: a column, or a key, that loses its name or its
/// meaning makes another one; a new one does not. It stands in each row of a file with a row for
/// each task, in the column of this name, in provenance.yaml, in datapackage.json and in all JSON
/// that is printed. `plots/figures/reading.py` knows it, too.
inline constexpr int schema = 1;

/// Throws UserError unless the rows of `path`, a file with a row for each task, are of this schema.
void check_schema(const std::string& path);

}  // namespace regroup
