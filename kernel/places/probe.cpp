// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/places/probe.hpp"

#include <nlohmann/json.hpp>

namespace regroup {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Probe, ranks, hosts, least_on_a_host, most_on_a_host, processors,
                                   crowded_hosts, crowded, library, inside_us, between_us,
                                   clock_error_us, shared_mb, shared_least, communicators)

std::string to_json(const Probe& probe) {
  return nlohmann::json(probe).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Probe probe_from_json(const std::string& text) { return nlohmann::json::parse(text).get<Probe>(); }

}  // namespace regroup
