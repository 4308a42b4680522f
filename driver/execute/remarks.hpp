// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "driver/store/record.hpp"

namespace regroup {

/// Returns remarks on a run that ended well, one line each: that item times differ from the
/// configuration, and that items in larger groups were slower.
std::vector<std::string> remarks_on(const Record& record);

}  // namespace regroup
