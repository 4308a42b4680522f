// SPDX-License-Identifier: BSD-3-Clause
//
// Rows that a program of one's own adds to the lists.
#pragma once

#include "regroup/catalog.hpp"

namespace regroup {

/// Throws std::invalid_argument, with what is allowed, where a list of `extended` does not begin
/// with that of `before`, or a row that was added cannot be used.
void check_added(const Catalog& extended, const Catalog& before);

/// Makes the words of measurements that are names of strategies those of all of `catalog`.
void name_in_measurements(Catalog& catalog);

}  // namespace regroup
