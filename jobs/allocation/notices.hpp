// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace regroup {

/// Whether `line` is what a scheduler says of its own business, and no reason of any ending:
/// "srun: warning: …", "srun: Job step creation temporarily disabled, retrying".
bool is_notice(std::string_view line);

/// The first line of `output` that says something and is no notice; else the first notice, where
/// `notices` do for a reason: of what never began they often are it.
std::string first_reason(const std::string& output, bool notices);

}  // namespace regroup
