// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/mpi/stage/find_place.hpp"

#include <array>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "kernel/files/plain_text.hpp"
#include "kernel/mpi/stage/find_nodes.hpp"
#include "kernel/mpi/stage/host_clock.hpp"
#include "kernel/places/place_json.hpp"
#include "kernel/places/this_process.hpp"

namespace regroup {
namespace {

std::string text_of(const Spot& spot) {
  return nlohmann::json{spot.host, spot.name, regroup::text_of(spot.cpus)}.dump(
      -1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Spot spot_of(const std::string& text) {
  const auto json = nlohmann::json::parse(text);
  return {json.at(0), json.at(1), rank_set_of(json.at(2).get<std::string>()).value()};
}

}  // namespace

Spot own_spot() {
  std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
  int length = 0;
  MPI_Get_processor_name(name.data(), &length);
  const char* pretended =
      std::getenv("REGROUP_PRETENDED_NODE");  // of tests, which have one machine
  if (pretended != nullptr) {
    return {own_clock().host + ' ' + pretended, one_line(pretended), own_cpus()};
  }
  return {own_clock().host, one_line(name.data()), own_cpus()};
}

Place find_place(const Spot& own, const std::function<HostFacts()>& facts, MPI_Comm world) {
  std::vector<Spot> spots;
  for (const std::string& text : gather_texts(text_of(own), world)) {
    spots.push_back(spot_of(text));
  }
  Place place;
  place.nodes = nodes_of(spots);

  std::vector<int> looks(spots.size(), 0);
  for (const Node& node : place.nodes) {
    looks[static_cast<std::size_t>(node.ranks().lo())] = 1;
  }
  int look = 0;
  MPI_Scatter(looks.data(), 1, MPI_INT, &look, 1, MPI_INT, 0, world);
  const std::string found = look == 0 ? "" : nlohmann::json(facts()).dump();
  const std::vector<std::string> all = gather_texts(found, world);
  for (Node& node : place.nodes) {
    node.facts =
        nlohmann::json::parse(all[static_cast<std::size_t>(node.ranks().lo())]).get<HostFacts>();
  }
  return place;
}

}  // namespace regroup
