// SPDX-License-Identifier: BSD-3-Clause
//
// Conversion of places to and from JSON. from_json throws if the JSON is not a place.
#pragma once

#include <nlohmann/json.hpp>

#include "regroup/outcome.hpp"

namespace regroup {

void to_json(nlohmann::json& json, const RankSet& ranks);
void from_json(const nlohmann::json& json, RankSet& ranks);

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RankLocation, host, name, cpus)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Binding, ranks, cpus)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(HostFacts, processor, smt, governor, kernel, clock_source, quota,
                                   load)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Node, name, bindings, facts)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Place, nodes, mpi, variables, job_id)

}  // namespace regroup
