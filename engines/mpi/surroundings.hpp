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

/// The texts of all ranks of `world` on rank 0; others get none. Collective.
std::vector<std::string> gather_texts(const std::string& own, MPI_Comm world);

/// The nodes of all ranks of `world`, on every rank, numbered by their lowest ranks: those with an
/// equal `host` share one. Collective.
std::vector<int> find_nodes(const std::string& host, MPI_Comm world);

/// Where this process is. REGROUP_PRETENDED_NODE pretends several hosts, for tests.
RankLocation own_location();

/// Collective over `world`: where its ranks are, on rank 0. The first rank of each host calls
/// `facts`.
Place find_place(const RankLocation& own, const std::function<HostFacts()>& facts, MPI_Comm world);

/// Exchanges an empty message between ranks of `world` that are at most 64 apart: the first message
/// sets up a connection, which takes longer than a regrouping. Collective.
void make_first_contact(Site& world);

/// How many more copies of `comm` can be alive, at most `most`. Collective over `comm`.
int communicator_room(MPI_Comm comm, int most);

/// Whether the processes are simulated, by SimGrid.
bool is_simulated();

/// How processes may be asked to wait.
inline constexpr std::array<std::string_view, 4> waiting_words{"auto", "wrapper", "polite",
                                                               "direct"};

/// Where the processes of a run find themselves.
struct Surroundings {
  std::string library;               ///< the MPI library and its version
  bool simulated = false;            ///< on SimGrid
  Place place;                       ///< known to rank 0; to nobody when simulated
  NodeMap nodes;                     ///< known to all; to nobody when simulated
  int cores = 0;                     ///< of all nodes; 0 when simulated
  Waiting how = Waiting::direct;     ///< how processes wait, as `waiting` of the run asks for
  std::string waiting_name() const;  ///< direct, polite or wrapper
};

/// Collective over `world`; sharpens sleeps, too. Throws std::invalid_argument if `waiting` is none
/// of waiting_words, and std::runtime_error if `waiting` is wrapper
/// and that is not in place.
Surroundings look_around(const std::string& waiting, MPI_Comm world);

}  // namespace regroup
