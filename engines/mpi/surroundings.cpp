// SPDX-License-Identifier: BSD-3-Clause
#include "engines/mpi/surroundings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <numeric>
#include <sstream>
#include <stdexcept>

#include "engines/mpi/shared_clock.hpp"
#include "engines/mpi/tags.hpp"
#include "kernel/clocks/sleep.hpp"
#include "kernel/places/host.hpp"
#include "kernel/places/place.hpp"
#include "kernel/text/plain_text.hpp"

namespace regroup {

std::vector<std::string> gather_texts(const std::string& own, MPI_Comm world) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(world, &rank);
  MPI_Comm_size(world, &ranks);
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

std::vector<int> find_nodes(const std::string& host, MPI_Comm world) {
  int ranks = 0;
  MPI_Comm_size(world, &ranks);
  std::vector<int> nodes;
  std::map<std::string, int> numbers;
  for (const std::string& other : gather_texts(host, world)) {
    nodes.push_back(numbers.try_emplace(other, static_cast<int>(numbers.size())).first->second);
  }
  nodes.resize(static_cast<std::size_t>(ranks));
  MPI_Bcast(nodes.data(), ranks, MPI_INT, 0, world);
  return nodes;
}

RankLocation own_location() {
  std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
  int length = 0;
  MPI_Get_processor_name(name.data(), &length);
  const char* pretended = std::getenv("REGROUP_PRETENDED_NODE");  // for tests on one machine
  if (pretended != nullptr) {
    return {own_clock().host + ' ' + pretended, one_line(pretended), own_cpus()};
  }
  return {own_clock().host, one_line(name.data()), own_cpus()};
}

Place find_place(const RankLocation& own, const std::function<HostFacts()>& facts, MPI_Comm world) {
  const std::string own_text =
      nlohmann::json(own).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::vector<RankLocation> locations;
  for (const std::string& text : gather_texts(own_text, world)) {
    locations.push_back(nlohmann::json::parse(text));
  }
  Place place;
  place.nodes = nodes_of(locations);

  std::vector<int> looks(locations.size(), 0);
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

namespace {

/// Returns the version of the MPI library, in lines of plain text.
std::string whole_version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(text, &length);
  std::istringstream lines(text);
  std::string version;
  for (std::string line; std::getline(lines, line);) {
    std::ranges::replace(line, '\t', ' ');
    version += fmt::format("{}{}", version.empty() ? "" : "\n", one_line(line));
  }
  return version;
}

std::string library() {
  const std::string version = whole_version();
  const std::string first = version.substr(0, version.find('\n'));
  return first.substr(0, first.find(", package"));
}

/// Returns the nodes of all `ranks`, on every rank, by the `place` that rank 0 knows.
std::vector<int> told_nodes(const Place& place, int ranks, MPI_Comm world) {
  const NodeMap known = node_map_of(place);
  std::vector<int> nodes;
  for (int rank = 0; rank < ranks; ++rank) nodes.push_back(known.of(rank));
  MPI_Bcast(nodes.data(), ranks, MPI_INT, 0, world);
  return nodes;
}

Waiting waiting_for(const std::string& waiting, bool crowded) {
  if (waiting == "direct") return Waiting::direct;
  if (waiting != "auto") return Waiting::polite;
  return crowded ? Waiting::polite : Waiting::direct;
}

}  // namespace

int communicator_room(MPI_Comm comm, int most) {
  MPI_Errhandler before = MPI_ERRHANDLER_NULL;
  MPI_Comm_get_errhandler(comm, &before);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  std::vector<MPI_Comm> made;
  while (std::ssize(made) < most) {
    MPI_Comm copy = MPI_COMM_NULL;
    if (MPI_Comm_dup(comm, &copy) != MPI_SUCCESS || copy == MPI_COMM_NULL) break;
    made.push_back(copy);
  }
  for (MPI_Comm& one : made) MPI_Comm_free(&one);
  MPI_Comm_set_errhandler(comm, before);
  MPI_Errhandler_free(&before);
  return static_cast<int>(made.size());
}

void make_first_contact(Site& world) {
  constexpr int reach = 64;
  const int first = std::max(0, world.rank() - reach);
  const int last = std::min(world.size() - 1, world.rank() + reach);
  std::vector<MPI_Request> requests;
  for (int other = first; other <= last; ++other) {
    if (other == world.rank()) continue;
    MPI_Irecv(nullptr, 0, MPI_BYTE, other, tag_contact, world.comm(), &requests.emplace_back());
    MPI_Isend(nullptr, 0, MPI_BYTE, other, tag_contact, world.comm(), &requests.emplace_back());
  }
  for (MPI_Request& request : requests) world.waiter().wait(request);
}

bool is_simulated() { return library().find("SMPI") != std::string::npos; }

std::string Surroundings::waiting_name() const {
  if (how == Waiting::direct) return "direct";
  return Waiter::wrapper_is_in_place() ? "wrapper" : "polite";
}

Surroundings look_around(const std::string& waiting, MPI_Comm world) {
  if (std::ranges::find(waiting_words, waiting) == waiting_words.end()) {
    throw std::invalid_argument(fmt::format("unknown way of waiting '{}'; allowed: {}", waiting,
                                            fmt::join(waiting_words, ", ")));
  }
  Surroundings found;
  found.library = library();
  found.simulated = is_simulated();
  if (found.simulated) return found;
  int ranks = 0;
  MPI_Comm_size(world, &ranks);
  bool crowded = false;
  // Turns on naps of the wrapper, as ranks may share cores: an earlier run may have left them off.
  Waiter(Waiting::polite, ranks).blocking([&] {
    found.place = find_place(
        own_location(), [] { return host_facts(); }, world);
    found.nodes = NodeMap(told_nodes(found.place, ranks, world));
    std::array<int, 2> told{found.place.crowded() ? 1 : 0, found.place.cores()};
    MPI_Bcast(told.data(), 2, MPI_INT, 0, world);  // only rank 0 knows the place
    crowded = told[0] != 0;
    found.cores = told[1];
  });
  found.place.mpi = whole_version();
  found.place.variables = placing_variables(environ);
  found.place.job_id = job_id();
  found.how = waiting_for(waiting, crowded);
  if (waiting == "wrapper" && !Waiter::wrapper_is_in_place()) {
    throw std::runtime_error(
        "'waiting: wrapper' was asked for, but it is not in place: this MPI does not wait in UCX, "
        "or "
        "this is not the program wrapped/regroup-mpi");
  }
  sharpen_sleep();
  return found;
}

}  // namespace regroup
