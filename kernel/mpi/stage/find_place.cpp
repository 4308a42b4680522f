// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/mpi/stage/find_place.hpp"

#include <array>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "kernel/files/plain_text.hpp"
#include "kernel/mpi/stage/host_clock.hpp"
#include "kernel/places/place_json.hpp"
#include "kernel/places/this_process.hpp"

namespace regroup {
namespace {

/// The texts of all ranks on rank 0; others get none.
std::vector<std::string> gather(const std::string& own, int rank, int ranks, MPI_Comm world) {
  const int length = static_cast<int>(own.size());
  std::vector<int> lengths(rank == 0 ? static_cast<std::size_t>(ranks) : 0);
  MPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, world);
  std::vector<int> places(lengths.size());
  std::exclusive_scan(lengths.begin(), lengths.end(), places.begin(), 0);
  std::string all(static_cast<std::size_t>(std::reduce(lengths.begin(), lengths.end())), ' ');
  MPI_Gatherv(own.data(), length, MPI_CHAR, all.data(), lengths.data(), places.data(), MPI_CHAR, 0,
              world);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    texts.push_back(
        all.substr(static_cast<std::size_t>(places[i]), static_cast<std::size_t>(lengths[i])));
  }
  return texts;
}

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
  return {own_clock().host, one_line(name.data()), own_cpus()};
}

Place find_place(const Spot& own, const std::function<HostFacts()>& facts, MPI_Comm world) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(world, &rank);
  MPI_Comm_size(world, &ranks);
  std::vector<Spot> spots;
  for (const std::string& text : gather(text_of(own), rank, ranks, world)) {
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
  const std::vector<std::string> all = gather(found, rank, ranks, world);
  for (Node& node : place.nodes) {
    node.facts =
        nlohmann::json::parse(all[static_cast<std::size_t>(node.ranks().lo())]).get<HostFacts>();
  }
  return place;
}

}  // namespace regroup
