// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/places/place_json.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace regroup {
namespace {

RankSet read(const nlohmann::json& json) {
  const auto found = rank_set_of(json.get<std::string>());
  if (!found) throw std::invalid_argument("a place with numbers that are no ascending ranges");
  return *found;
}

}  // namespace

void to_json(nlohmann::json& json, const Binding& binding) {
  json = {{"ranks", text_of(binding.ranks)}, {"cpus", text_of(binding.cpus)}};
}
void from_json(const nlohmann::json& json, Binding& binding) {
  binding = {read(json.at("ranks")), read(json.at("cpus"))};
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Node, name, bindings, facts)

void to_json(nlohmann::json& json, const HostFacts& facts) {
  json = {{"processor", facts.processor},
          {"smt", facts.smt},
          {"governor", facts.governor},
          {"kernel", facts.kernel},
          {"clock_source", facts.clock_source},
          {"quota", facts.quota},
          {"load", facts.load}};
}
void from_json(const nlohmann::json& json, HostFacts& facts) {
  json.at("processor").get_to(facts.processor);
  json.at("smt").get_to(facts.smt);
  json.at("governor").get_to(facts.governor);
  json.at("kernel").get_to(facts.kernel);
  json.at("clock_source").get_to(facts.clock_source);
  json.at("quota").get_to(facts.quota);
  json.at("load").get_to(facts.load);
}

void to_json(nlohmann::json& json, const Place& place) {
  json = {{"nodes", place.nodes},
          {"mpi", place.mpi},
          {"variables", place.variables},
          {"job_id", place.job_id}};
}
void from_json(const nlohmann::json& json, Place& place) {
  json.at("nodes").get_to(place.nodes);
  json.at("mpi").get_to(place.mpi);
  json.at("variables").get_to(place.variables);
  json.at("job_id").get_to(place.job_id);
}

}  // namespace regroup
