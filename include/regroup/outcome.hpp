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

/// Properties of a host that affect times; texts are empty if unknown.
struct HostFacts {
  std::string processor;     ///< processor model
  std::string smt;           ///< simultaneous multithreading: "on" or "off"
  std::string governor;      ///< frequency governor of the first processor
  std::string kernel;        ///< release
  std::string clock_source;  ///< clock source of the kernel
  double quota = 0;          ///< processor quota of the control groups; 0: no quota
  double load = 0;           ///< load average over the last minute

  friend bool operator==(const HostFacts&, const HostFacts&) = default;
};

/// The properties of this host. `root`: a directory that replaces /.
HostFacts host_facts(const std::string& root = "");

/// The processor model in /proc/cpuinfo; empty if unknown.
std::string processor_model(const std::string& root = "");

/// The smallest quota of the control groups (version 1 or 2) of the process; 0 if there is none.
double processor_quota(const std::string& root = "");

/// The location of one rank.
struct RankLocation {
  std::string host;  ///< identifier of the host
  std::string name;  ///< name of the host, which may be ambiguous
  RankSet cpus;      ///< processors that the rank may run on
};

/// Ranks that are bound to the same processors.
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
  /// Number of processors that its ranks may use, limited by the quota of control groups. At least
  /// 1.
  int cores() const;
  /// Whether some rank has no processor of its own.
  bool crowded() const;
  friend bool operator==(const Node&, const Node&) = default;
};

/// The placement of the ranks of a run.
struct Place {
  std::vector<Node> nodes;  ///< in the order of their lowest ranks
  std::string mpi;          ///< version text of the MPI library
  /// Environment variables of rank 0 that MPI libraries and schedulers use.
  std::map<std::string, std::string> variables;
  std::string job_id;  ///< job of the scheduler; empty outside of jobs

  int cores() const;
  bool crowded() const;  ///< whether a node is crowded
  friend bool operator==(const Place&, const Place&) = default;
};

/// The nodes of ranks at `locations`, without facts, each with the name that its first rank gives.
std::vector<Node> nodes_of(std::span<const RankLocation> locations);

/// The columns of a row that describe a place.
struct Placement {
  int nodes = 0;  ///< 0 if simulated
  int ranks_per_node_min = 0;
  int ranks_per_node_max = 0;
  int cores = 0;                ///< of all nodes
  bool crowded = false;         ///< whether ranks of some node share processors
  std::string placement;        ///< hash of the place, sixteen digits
  int groups_across_nodes = 0;  ///< number of groups with ranks on several nodes
  std::string job_id;
  double load_average_before = 0;  ///< load average of the busiest node
};

/// All columns except `placement` and `groups_across_nodes`.
Placement placement_of(const Place& place);

/// The nodes of the place; unknown if it has none.
NodeMap node_map_of(const Place& place);

/// Reason why `place` cannot be the place of ranks 0 to `ranks` - 1; empty if it can.
std::string complaint_about(const Place& place, int ranks);

/// How a group begins and how it ends.
enum class Turn : std::uint8_t {
  start,    ///< of the run
  regroup,  ///< its ranks regroup
  next,     ///< the same ranks, with the same communicator, take a waiting walker
  stop,     ///< its ranks leave the run
  recover,  ///< after a loss of ranks, the other ranks form new groups
};
inline constexpr std::array<std::string_view, 5> turn_words{"start", "regroup", "next", "stop",
                                                            "recover"};
inline std::string_view word_of(Turn turn) { return turn_words[static_cast<std::size_t>(turn)]; }

/// One walker group from its creation to its end. Times are seconds since the common start.
struct GroupLife {
  RankSet ranks;
  int walker = 0;                 ///< name of the executed walker (WalkerNames); -1: none
  Turn began = Turn::start;       ///< not stop
  Turn ended = Turn::regroup;     ///< not start
  std::int64_t items_before = 0;  ///< items left of the walker when the group was created
  std::int64_t items_after = 0;   ///< items left of the walker when the group ended
  std::int64_t executed_min = 0;  ///< items executed by a member: minimum over the members
  std::int64_t executed_max = 0;  ///< items executed by a member: maximum over the members
  double formed_s = 0;            ///< time when the communicator was ready on the leader
  double busy_until_s =
      0;  ///< end of the last item, maximum over the members; formed_s if there is none
  double ended_s = 0;  ///< time when the leader began the next regrouping or walker, or stopped

  bool regrouped() const { return began == Turn::regroup; }
  /// The mean time of its items; it must have executed at least one.
  double item_s() const { return (busy_until_s - formed_s) / static_cast<double>(executed_max); }
  bool stopped() const { return ended == Turn::stop; }
  friend bool operator==(const GroupLife&, const GroupLife&) = default;
};

/// Hash of the results of all `chains`, sixteen digits; their order does not matter.
std::string hash_of(std::vector<ChainEnd> chains);

/// A rank that was lost during a run.
struct LostRank {
  int rank = 0;
  double at_s = 0;         ///< time of the first report, since the common start
  double recovered_s = 0;  ///< time from the report until the other ranks had formed new groups
  std::string reason;      ///< "killed by signal 9"
  friend bool operator==(const LostRank&, const LostRank&) = default;
};

/// A sample of a time.
struct Sample {
  std::int64_t number = 1;  ///< from 1 on
  double began_s = 0;       ///< since the common start
  double value_s = 0;
  friend bool operator==(const Sample&, const Sample&) = default;
};
using Samples = std::map<std::string, std::vector<Sample>>;  ///< by the name of the time

/// The result of one run or one measurement.
struct Outcome {
  /// Of a run: all groups, each after the groups that it was formed from and after the previous
  /// group of its walker.
  std::vector<GroupLife> lives;
  std::map<std::string, double> figures;  ///< of a measurement, by name
  Samples samples;                        ///< of a measurement, as far as they are stored (kept_of)
  int communicators_alive_max =
      0;  ///< existing at the same time in a process, maximum over the processes
  int communicators_left = 0;  ///< existing at the end, maximum over the processes
  Place place;                 ///< without nodes if simulated, or if read from a row
  Placement where;             ///< summary of `place`, or read from a row
  std::string waiting;         ///< how processes waited: direct, polite or wrapper
  std::string library;         ///< the MPI library and its version
  /// Hash of the final states of all chains that ended well; empty if they have no state or are not
  /// reproducible.
  std::string chains_hash;
  /// MPI communicators that walkers requested (team_communicator.hpp): number and creation time,
  /// each the maximum over the processes.
  std::int64_t walker_communicators = 0;
  double walker_communicators_s = 0;
  std::int64_t hand_over_bytes = 0;  ///< size of the largest state that was handed over
  double hand_over_s = 0;            ///< total time that leaders spent handing over states
  std::vector<ChainReport> reports;  ///< sorted by chain, then by items
  /// Items of each chain after which the stopping rule ended the run, a multiple of the items
  /// between reports; 0 otherwise. Further items appear only in `lives`.
  std::int64_t enough_items = 0;
  std::vector<ChainFailure> failures;  ///< failed chains, sorted by number
  std::int64_t resumed_items = 0;      ///< items of all chains that an earlier run had executed
  std::vector<LostRank> lost;          ///< in the order of their losses
  double cpu_s = 0;  ///< processor time of all ranks since the common start; 0 if simulated
  double clock_error_us = 0;  ///< largest error of times from hosts other than that of rank 0
  double setup_s = 0;         ///< from the processes' start to the common start, in seconds
  std::uint64_t events = 0;   ///< events of the virtual engine; 0 for other engines

  /// From the common start to the end of the last item anywhere, in seconds.
  double makespan_s() const;
};

/// Number of groups that had ranks on several of `nodes`.
int groups_across(const NodeMap& nodes, std::span<const GroupLife> lives);

std::string to_json(const Outcome& outcome);
/// Throws if `text` is not an outcome. Does not check its consistency: see engines/audit.
Outcome outcome_from_json(const std::string& text);

}  // namespace regroup
