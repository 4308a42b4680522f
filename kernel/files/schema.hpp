// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace regroup {

/// Version of the format of results, stored in provenance.yaml and all JSON. Incremented when a
/// column or key is renamed, removed or changes its meaning.
inline constexpr int schema = 4;

/// Throws UserError if provenance.yaml in `directory` has another schema.
void check_schema(const std::string& directory);

}  // namespace regroup
