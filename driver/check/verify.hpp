// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "regroup/catalog.hpp"

namespace regroup {

/// Recomputes the rows of `directory` from events, samples and reports, checks that the events are
/// possible, and simulates runs in virtual time again. Prints violations; returns the exit code, 1
/// if there are any. Throws UserError if Regroup did not write a file.
int verify(const std::string& directory, const Catalog& catalog);

}  // namespace regroup
