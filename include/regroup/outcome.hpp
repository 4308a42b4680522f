// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "regroup/convergence.hpp"
#include "regroup/groups.hpp"

namespace regroup {

/// What times on a host depend on; texts are empty if unknown.
struct HostFacts {
  std::string processor;     ///< the model
  std::string smt;           ///< several threads on a core: "on" or "off"
  std::string governor;      ///< what sets the clock rate of the first processor
  std::string kernel;        ///< release
  std::string clock_source;  ///< of the kernel's clocks
  double quota = 0;          ///< processors' worth of time that control groups give; 0: all
  double load = 0;           ///< processes that ran or waited to, over the last minute

  friend bool operator==(const HostFacts&, const HostFacts&) = default;
};

/// Those of this host. `root`: a folder that stands for /.
HostFacts host_facts(const std::string& root = "");

/// Of /proc/cpuinfo; empty if unknown.
std::string processor_model(const std::string& root = "");

/// The least quota of the process's control groups, version 1 or 2; 0 if none.
double processor_quota(const std::string& root = "");

/// Where one rank is.
struct RankLocation {
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
  /// Processors that its ranks may use, limited by the control groups' quota. At least one.
  int cores() const;
  /// Whether some rank has no processor for itself.
  bool crowded() const;
  friend bool operator==(const Node&, const Node&) = default;
};

/// Where the ranks of a run are.
struct Place {
  std::vector<Node> nodes;  ///< in the order of their lowest ranks
  std::string mpi;          ///< the version of the MPI library, in all its lines
  /// Environment variables of rank 0 that MPI libraries and schedulers read and write.
  std::map<std::string, std::string> variables;
  std::string job_id;  ///< of the scheduler; empty outside of jobs

  int cores() const;
  bool crowded() const;  ///< a node is
  friend bool operator==(const Place&, const Place&) = default;
};

/// The nodes of ranks at `locations`, without facts, each with the name that its first rank gives.
std::vector<Node> nodes_of(std::span<const RankLocation> locations);

/// What a row tells of a place.
struct Placement {
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
Placement placement_of(const Place& place);

/// Its nodes; not known where it has none.
NodeMap node_map_of(const Place& place);

/// Why `place` cannot be that of ranks 0 to `ranks` - 1; empty if it can.
std::string complaint_about(const Place& place, int ranks);

/// How a group comes to be, and how it ends.
enum class Turn : std::uint8_t {
  start,    ///< of the run
  regroup,  ///< its ranks regroup
  next,     ///< the same ranks, with the communicator that they have, take up a walker that waited
  stop,     ///< its ranks leave the run
  recover,  ///< ranks of the run were lost, and the others form groups anew
};
inline constexpr std::array<std::string_view, 5> turn_words{"start", "regroup", "next", "stop",
                                                            "recover"};
inline std::string_view word_of(Turn turn) { return turn_words[static_cast<std::size_t>(turn)]; }

/// One walker group from its forming to its end. Times are seconds since the common start.
struct GroupLife {
  RankSet ranks;
  int walker = 0;                 ///< the walker it executed (queue.hpp has their names); -1: none
  Turn began = Turn::start;       ///< not stop
  Turn ended = Turn::regroup;     ///< not start
  std::int64_t items_before = 0;  ///< items left of the walker when the group formed
  std::int64_t items_after = 0;   ///< … and when it ended
  std::int64_t executed_min = 0;  ///< items that a member executed: fewest over the members
  std::int64_t executed_max = 0;  ///< … and most
  double formed_s = 0;            ///< the leader's communicator was ready
  double busy_until_s = 0;        ///< end of the last item, over all members; formed_s if none
  double ended_s = 0;             ///< the leader turned to what comes next, or stopped

  bool regrouped() const { return began == Turn::regroup; }
  /// The mean time of its items, of which it executed one at least.
  double item_s() const { return (busy_until_s - formed_s) / static_cast<double>(executed_max); }
  bool stopped() const { return ended == Turn::stop; }
  friend bool operator==(const GroupLife&, const GroupLife&) = default;
};

/// The sixteen digits that name what all `chains` have come to, in whatever order they come.
std::string hash_of(std::vector<ChainEnd> chains);

/// A rank that was lost during a run.
struct LostRank {
  int rank = 0;
  double at_s = 0;         ///< when the others heard of it, since the common start
  double recovered_s = 0;  ///< from then until the others had formed groups anew
  std::string reason;      ///< "killed by signal 9"
  friend bool operator==(const LostRank&, const LostRank&) = default;
};

/// A time that was taken again and again.
struct Sample {
  std::int64_t number = 1;  ///< from 1 on
  double began_s = 0;       ///< since the common start
  double value_s = 0;
  friend bool operator==(const Sample&, const Sample&) = default;
};
using Samples = std::map<std::string, std::vector<Sample>>;  ///< by what was timed

/// What came out of one run, or of one measurement.
struct Outcome {
  /// Of a run: all groups, each after those that it formed of and after the one that had its
  /// walker.
  std::vector<GroupLife> lives;
  std::map<std::string, double> figures;  ///< of a measurement: those that have a meaning, by name
  Samples samples;                  ///< … behind them, as far as they are kept (sampled.hpp)
  int communicators_alive_max = 0;  ///< alive at once in one process, most over the processes
  int communicators_left = 0;       ///< alive at the end, most over the processes
  Place place;          ///< without nodes where simulated, and where a row told the rest
  Placement where;      ///< what the launcher, or a row, tells of that
  std::string waiting;  ///< how processes waited: direct, polite or wrapper
  std::string library;  ///< the MPI library and its version
  /// Of all chains that ended well, by their numbers; empty where they have no state or are not
  /// reproducible.
  std::string chains_hash;
  /// MPI communicators that walkers asked for (team_communicator.hpp): the most that one process
  /// took part in creating, and the longest time that one spent on it.
  std::int64_t walker_communicators = 0;
  double walker_communicators_s = 0;
  std::int64_t hand_over_bytes = 0;  ///< the largest state that was handed over
  double hand_over_s = 0;            ///< that leaders spent with it, in all
  std::vector<ChainReport> reports;  ///< of all chains, each chain's in the order of its items
  /// Items of a chain, a multiple of those between reports, after which all had observed enough and
  /// the run ended; 0 otherwise. What chains did beyond is in the lives alone.
  std::int64_t enough_items = 0;
  std::vector<ChainFailure> failures;  ///< of the chains that failed, by their numbers
  std::int64_t resumed_items = 0;      ///< that an earlier run had executed, of all chains
  std::vector<LostRank> lost;          ///< in the order in which they were lost
  double cpu_s = 0;  ///< processor time of all ranks from the common start on; 0 where simulated
  double clock_error_us = 0;  ///< times of other hosts than rank 0's are wrong by no more
  double setup_s = 0;         ///< from the processes' start to the common start, in seconds
  std::uint64_t events = 0;   ///< that the virtual engine took from its queue; else 0

  /// From the common start to the end of the last item anywhere, in seconds.
  double makespan_s() const;
};

/// How many of the groups had ranks on several of `nodes`.
int groups_across(const NodeMap& nodes, std::span<const GroupLife> lives);

std::string to_json(const Outcome& outcome);
/// Throws if `text` is no outcome. What it says may still be impossible: see audit.hpp.
Outcome outcome_from_json(const std::string& text);

}  // namespace regroup
