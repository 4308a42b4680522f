// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "regroup/catalog.hpp"

namespace regroup {

/// Recomputes the rows of `directory` from events, samples and reports, checks that the events are
/// possible, and simulates runs in virtual time again. Prints what is wrong; returns the exit code,
/// 1 where something is wrong. Throws UserError where a file is none of Regroup's.
int verify(const std::string& directory, const Catalog& catalog);

}  // namespace regroup
