// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <functional>
#include <string>
#include <vector>

#include "regroup/communicator.hpp"
#include "regroup/groups.hpp"
#include "regroup/outcome.hpp"
#include "regroup/waiter.hpp"

namespace regroup {

/// The texts of all ranks of `world` on rank 0; others get none. Collective.
std::vector<std::string> gather_texts(const std::string& own, MPI_Comm world);

/// The nodes of all ranks of `world`, on every rank: ranks with an equal `host` share one, and they
/// are numbered by their lowest ranks. Collective.
std::vector<int> find_nodes(const std::string& host, MPI_Comm world);

/// Where this process is. Hosts are told apart as clocks are (host_clock.hpp); tests pretend
/// several by the variable REGROUP_PRETENDED_NODE.
RankLocation own_location();

/// Collective over `world`: where its ranks are, which only rank 0 gets to know. The first rank of
/// each host looks for the `facts` of it, which others would find to be the same.
Place find_place(const RankLocation& own, const std::function<HostFacts()>& facts, MPI_Comm world);

/// Sends an empty message between every two ranks of `world` that are at most 64 apart. MPI
/// libraries set up a connection with the first message over it, which takes longer than a
/// regrouping; a run of minutes does not notice that, but a benchmark of a fifth of a second does.
/// Collective over `world`.
void make_first_contact(Site& world);

/// Whether the processes are simulated, by SimGrid.
bool is_simulated();

/// Where the processes of a run find themselves.
struct Surroundings {
  std::string library;               ///< the MPI library and its version
  bool simulated = false;            ///< on SimGrid
  Place place;                       ///< known to rank 0; to nobody when simulated
  NodeMap nodes;                     ///< known to all; to nobody when simulated
  Waiting how = Waiting::direct;     ///< how processes wait, as `waiting` of the run asks for
  std::string waiting_name() const;  ///< direct, polite or wrapper
};

/// Collective over `world`. Throws std::runtime_error where `waiting` is wrapper and that is not in
/// place. Makes the sleeps of real processes end on time, too.
Surroundings look_around(const std::string& waiting, MPI_Comm world);

}  // namespace regroup
