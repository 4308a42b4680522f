// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "regroup/outcome.hpp"

namespace regroup {

// How places travel, from rank to rank and to who launched them. Reading throws where a text is
// none of these.
void to_json(nlohmann::json& json, const HostFacts& facts);
void from_json(const nlohmann::json& json, HostFacts& facts);
void to_json(nlohmann::json& json, const Place& place);
void from_json(const nlohmann::json& json, Place& place);

}  // namespace regroup
