// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "regroup/communicator.hpp"
#include "regroup/groups.hpp"
#include "regroup/outcome.hpp"
#include "regroup/waiter.hpp"

namespace regroup {

/// Returns the texts of all ranks of `world` on rank 0, and nothing on other ranks. Collective.
std::vector<std::string> gather_texts(const std::string& own, MPI_Comm world);

/// Returns the node of each rank of `world`, on every rank. Ranks with equal `host` share a node;
/// nodes are numbered in the order of their lowest ranks. Collective.
std::vector<int> find_nodes(const std::string& host, MPI_Comm world);

/// Returns the location of this process. REGROUP_PRETENDED_NODE pretends several hosts, for tests.
RankLocation own_location();

/// Returns the place of the ranks of `world`, on rank 0. The first rank of each host calls `facts`.
/// Collective over `world`.
Place find_place(const RankLocation& own, const std::function<HostFacts()>& facts, MPI_Comm world);

/// Exchanges an empty message between all ranks of `world` that are at most 64 apart, because the
/// first message sets up a connection, which takes longer than a regrouping. Collective.
void make_first_contact(Site& world);

/// Returns how many more copies of `comm` can exist, at most `most`. Collective over `comm`.
int communicator_room(MPI_Comm comm, int most);

/// Whether the processes are simulated by SimGrid.
bool is_simulated();

/// The values of the option `waiting`.
inline constexpr std::array<std::string_view, 4> waiting_words{"auto", "wrapper", "polite",
                                                               "direct"};

/// The environment of the processes of a run.
struct Surroundings {
  std::string library;               ///< the MPI library and its version
  bool simulated = false;            ///< by SimGrid
  Place place;                       ///< known on rank 0; empty if simulated
  NodeMap nodes;                     ///< known on all ranks; unknown if simulated
  int cores = 0;                     ///< number of cores of all nodes; 0 if simulated
  Waiting how = Waiting::direct;     ///< how processes wait, by the option `waiting`
  std::string waiting_name() const;  ///< direct, polite or wrapper
};

/// Determines the surroundings, and makes sleeps precise. Collective over `world`. Throws
/// std::invalid_argument if `waiting` is none of waiting_words, and std::runtime_error if `waiting`
/// is wrapper but the wrapper is not in place.
Surroundings look_around(const std::string& waiting, MPI_Comm world);

}  // namespace regroup
