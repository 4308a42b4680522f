// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "driver/store/record.hpp"

namespace regroup {

/// What a user may want to know of a run that ended well, beyond its result, each in a line: that
/// items took another time than the configuration says, and that items in larger groups were
/// slower.
std::vector<std::string> remarks_on(const Record& record);

}  // namespace regroup
