// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace regroup {

/// `value` in one line of YAML: JSON, but for the ends of lines that only YAML knows.
std::string in_yaml(const nlohmann::json& value);

}  // namespace regroup
