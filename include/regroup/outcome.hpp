// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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
};
inline constexpr std::array<std::string_view, 4> turn_words{"start", "regroup", "next", "stop"};
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
  bool stopped() const { return ended == Turn::stop; }
  friend bool operator==(const GroupLife&, const GroupLife&) = default;
};

/// What a chain has come to.
struct ChainEnd {
  int number = 0;          ///< of the chain: 0, 1, … in the run
  std::int64_t items = 0;  ///< that were executed
  std::uint64_t hash = 0;  ///< of its last state and of what every item came to
  friend bool operator==(const ChainEnd&, const ChainEnd&) = default;
};

/// What a walker observed in some of its items, one after the other.
struct ChainReport {
  int number = 0;             ///< of the chain
  std::int64_t items = 0;     ///< of the chain that were executed at its end
  std::int64_t samples = 0;   ///< at least one
  double mean = 0;            ///< of the samples
  double variance = 0;        ///< … about their mean
  std::int64_t proposed = 0;  ///< moves
  std::int64_t accepted = 0;  ///< of them
  std::uint64_t hash = 0;     ///< of what every item of the chain had come to by then
  friend bool operator==(const ChainReport&, const ChainReport&) = default;
};

/// The sixteen digits that name what all `chains` have come to, in whatever order they come.
std::string hash_of(std::vector<ChainEnd> chains);

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
  Place place;              ///< without nodes where simulated, and where a row told the rest
  Placement where;          ///< what the launcher, or a row, tells of that
  std::string waiting;      ///< how processes waited: direct, polite or wrapper
  std::string library;      ///< the MPI library and its version
  std::string chains_hash;  ///< of all chains, by their numbers; empty where they have no state
  std::int64_t hand_over_bytes = 0;  ///< the largest state that was handed over
  double hand_over_s = 0;            ///< that leaders spent with it, in all
  std::vector<ChainReport> reports;  ///< of all chains, each chain's in the order of its items
  /// Items of a chain, a multiple of those between reports, after which all had observed enough and
  /// the run ended; 0 otherwise. What chains did beyond is in the lives alone.
  std::int64_t enough_items = 0;
  std::int64_t resumed_items = 0;  ///< that an earlier run had executed, of all chains
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

/// What chains say of the distribution that all of them sample.
struct Convergence {
  /// The potential scale reduction, near 1 if the chains agree; 0 with fewer than two chains with
  /// two reports, or without variance. Source: Gelman and Rubin, Statistical Science 7, 1992, the
  /// first estimate, without the correction for degrees of freedom.
  double r_hat = 0;
  /// How many independent samples the samples are worth, by the variance of the means of reports; 0
  /// if no chain has two. Source: Flegal, Haran and Jones, Statistical Science 23, 2008 (batch
  /// means).
  double effective_samples = 0;
  double mean = 0;  ///< of all samples that count; 0 without any
};

/// Of `reports`, in the order of Outcome::reports. The first half of each chain's, rounded down, is
/// left out as burn-in.
Convergence convergence_of(std::span<const ChainReport> reports);

/// "R-hat 1.023, 412 effective samples", as far as these have a meaning.
std::string text_of(const Convergence& found);

/// When chains have observed enough for a run to end. What is 0 is not asked for.
struct StoppingRule {
  double r_hat = 0;              ///< at most
  double effective_samples = 0;  ///< at least

  bool asked() const { return r_hat > 0 || effective_samples > 0; }
  bool is_met_by(const Convergence& found) const {
    return (r_hat == 0 || (found.r_hat > 0 && found.r_hat <= r_hat)) &&
           found.effective_samples >= effective_samples;
  }
};

/// The round that is judged after `round` (0: none). The first twenty are not, since the variance
/// of few means is small by chance; then at most twenty while their number doubles, since each
/// looks at all reports.
std::int64_t next_checked(std::int64_t round);

/// Items of the first judged round in which `reports` (in the order of Outcome::reports) are
/// enough; 0 if there is none.
std::int64_t items_until_met(std::span<const ChainReport> reports, std::int64_t every,
                             const StoppingRule& enough);

/// Takes the reports of all chains and says when they suffice.
///
/// In round r all chains have executed r · every items, or ended. A round is judged once all its
/// reports are there, and by no later ones: the result does not depend on when reports come.
class ConvergenceMonitor {
 public:
  /// `items` to execute of the chains 0, 1, …, which have executed `before` (empty: none). Each
  /// reports after every `every` items and at its end.
  ConvergenceMonitor(std::int64_t every, const StoppingRule& enough,
                     std::span<const std::int64_t> items,
                     std::span<const std::int64_t> before = {});

  /// In any order. Without samples it tells only how far its chain is. `ended`: the chain's last.
  void add(const ChainReport& report, bool ended);

  /// Whether all chains have ended and all their reports are there.
  bool complete() const { return going_on_ == 0; }

  /// Items of the last round that is complete; 0 before the first.
  std::int64_t items() const { return (round_ - 1) * every_; }

  Convergence found() const;

  /// Items of the first round in which the chains had observed enough; 0 where there is none yet.
  std::int64_t enough_items() const { return enough_items_; }

  /// Those that count: up to enough_items(), if there is such a round.
  std::vector<ChainReport> reports() const;

  /// The chains at enough_items(), which must not be 0.
  std::vector<ChainEnd> ends() const;

 private:
  struct OfChain {
    std::map<std::int64_t, ChainReport> reports;  // by items
    std::int64_t told = 0;                        // the last round up to which all are there
    std::int64_t ended_at = -1;                   // items
    bool complete = false;
  };

  void end_round();
  std::size_t chains_behind() const;
  bool is_ready() const { return behind_ == 0 && items() < most_items_; }
  std::vector<ChainReport> reports_up_to(std::int64_t items) const;

  std::int64_t every_;
  StoppingRule enough_;
  std::vector<OfChain> chains_;
  std::int64_t round_ = 1;       // the next to be complete
  std::int64_t judged_;          // the next to be judged
  std::size_t behind_ = 0;       // chains that have not come to its end
  std::size_t going_on_ = 0;     // chains that are not complete
  std::int64_t most_items_ = 0;  // that a chain has executed
  std::int64_t enough_items_ = 0;
};

}  // namespace regroup
