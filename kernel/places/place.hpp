// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "kernel/groups/node_map.hpp"
#include "kernel/groups/rank_set.hpp"
#include "kernel/places/host_facts.hpp"

namespace regroup {

/// Where one rank is.
struct Spot {
  std::string host;  ///< equal for the ranks of one host, and for no others
  std::string name;  ///< of the host, which others may have, too
  RankSet cpus;      ///< processors that the rank may run on
};

/// Ranks that may run on the same processors.
struct Binding {
  RankSet ranks;
  RankSet cpus;
  friend bool operator==(const Binding&, const Binding&) = default;
};

/// A host with the ranks on it.
struct Node {
  std::string name;
  std::vector<Binding> bindings;  ///< in the order of their lowest ranks
  HostFacts facts;

  RankSet ranks() const;
  /// Processors that its ranks may use: those that they may run on, as far as the host's control
  /// groups give time on them. At least one.
  int cores() const;
  /// Whether some rank has no processor for itself.
  bool crowded() const;
  friend bool operator==(const Node&, const Node&) = default;
};

/// Where the ranks of a run are.
struct Place {
  std::vector<Node> nodes;  ///< in the order of their lowest ranks
  std::string mpi;          ///< the version of the MPI library, in all its lines
  /// Those of rank 0 that MPI libraries and schedulers read and write, by their first letters.
  std::map<std::string, std::string> variables;
  std::string job_id;  ///< of the scheduler; empty outside of jobs

  int cores() const;
  bool crowded() const;  ///< a node is
  friend bool operator==(const Place&, const Place&) = default;
};

/// The nodes of ranks that are at `spots`, without facts. One node for each host; the first rank's
/// name for it counts.
std::vector<Node> nodes_of(std::span<const Spot> spots);

/// What a row tells of a place.
struct Whereabouts {
  int nodes = 0;  ///< 0 where there is no place: of what is simulated
  int ranks_per_node_min = 0;
  int ranks_per_node_max = 0;
  int cores = 0;                ///< of all nodes
  bool crowded = false;         ///< ranks of a node share processors
  std::string placement;        ///< sixteen digits that name the place
  int groups_across_nodes = 0;  ///< lives of groups that had ranks on several nodes
  std::string job_id;
  double load_average_before = 0;  ///< of the node that had most to do
};

/// All of that but for `placement` and `groups_across_nodes`.
Whereabouts whereabouts_of(const Place& place);

/// Its nodes; not known where it has none.
NodeMap node_map_of(const Place& place);

/// What keeps `place` from being that of ranks 0 to `ranks` - 1; empty where nothing does.
std::string complaint_about(const Place& place, int ranks);

}  // namespace regroup
