// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/mpi/stage/find_nodes.hpp"

#include <map>
#include <numeric>

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

}  // namespace regroup
