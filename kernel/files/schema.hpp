// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace regroup {

/// The layout of results, in files and JSON; incremented when a column or key is renamed, removed
/// or changes its meaning. In provenance.yaml and all JSON.
inline constexpr int schema = 4;

/// Throws UserError if provenance.yaml in `directory` has another schema.
void check_schema(const std::string& directory);

}  // namespace regroup
