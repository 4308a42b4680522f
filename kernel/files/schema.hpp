// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace regroup {

/// The layout of results, in files and in JSON: a column, or a key, that loses its name or its
/// meaning makes another one; a new one does not. It is written into provenance.yaml and into all
/// JSON that is printed.
inline constexpr int schema = 2;

/// Throws UserError where provenance.yaml in `directory` says that its results are of another
/// schema.
void check_schema(const std::string& directory);

}  // namespace regroup
