// SPDX-License-Identifier: BSD-3-Clause
//
// What must hold of the life of one group, and of two of which one follows the other: parts of the
// audit. All answer what is wrong, or nothing.
#pragma once

#include <optional>
#include <string>

#include "kernel/audit/audit.hpp"

namespace regroup {

/// Whether its times are numbers.
bool is_finite(const GroupLife& life);

/// What has nothing to do with a clock's law.
std::optional<std::string> own_violation(const GroupLife& life);

/// The times of one group, all on the clock of its leader or later.
std::optional<std::string> own_violation(const GroupLife& life, const TimeLaw& law);

/// The times of a group and one of the parts that it formed of.
std::optional<std::string> violation_between(const GroupLife& part, const GroupLife& life,
                                             const TimeLaw& law);

}  // namespace regroup
