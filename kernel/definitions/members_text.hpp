// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "kernel/definitions/definition.hpp"
#include "kernel/definitions/definitions.hpp"

namespace regroup {

/// Ranks: "3", or "4-7". Throws UserError with the line.
DefinedMembers ranks_from(std::string_view text, int line, const Definitions& definitions);

/// A processor "pd-01", the third process on it "pd-01:2", or a regular expression "p[d4]-0[4-9]",
/// which is what has one of the characters [ ] ( ) { } * + ? | ^ $ and the backslash. Throws
/// UserError with the line for a bad expression.
DefinedMembers processors_from(std::string_view text, int line, const Definitions& definitions);

/// Ranks where there are but digits and a dash, else processors.
DefinedMembers members_from(std::string_view text, int line, const Definitions& definitions);

}  // namespace regroup
