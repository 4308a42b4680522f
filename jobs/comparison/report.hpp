// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <span>
#include <string>

#include "jobs/comparison/comparison.hpp"

namespace regroup {

/// For people; `markdown`: for a page or a summary of continuous integration.
std::string as_text(const Comparison& comparison, double limit, bool markdown);

/// For programs. `directories`: A and B.
std::string as_json(std::span<const Comparison> all, const std::array<std::string, 2>& directories,
                    double limit);

}  // namespace regroup
