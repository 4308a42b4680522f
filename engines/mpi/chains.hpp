// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <chrono>
#include <cstdint>
#include <list>
#include <optional>
#include <span>
#include <vector>

#include "engines/mpi/mailbox.hpp"
#include "kernel/chains/live_chain.hpp"
#include "kernel/run.hpp"
#include "regroup/balancer.hpp"
#include "regroup/communicator.hpp"
#include "regroup/waiter.hpp"
#include "regroup/walker.hpp"

namespace regroup {

/// The MPI communicators that walkers of one process requested.
struct TeamCommunicators {
  CommunicatorCount count;
  std::int64_t created = 0;
  double creating_s = 0;
};

/// The members of `group`, with the operations of its communicator.
class GroupTeam : public Team {
 public:
  GroupTeam(const GroupComm& group, const Waiter& waiter, TeamCommunicators& communicators)
      : Team(group.rank(), group.size()),
        group_(group),
        waiter_(waiter),
        communicators_(communicators) {}

  /// Returns the result of communicator(Team&).
  virtual MPI_Comm communicator();
  /// Whether communicator() has been called.
  bool has_communicator() const { return static_cast<bool>(own_comm_); }

 protected:
  void combine(std::span<std::int64_t> values, Operation operation) override;
  void broadcast_to_others(std::span<std::byte> bytes, int root) override;

 private:
  const GroupComm& group_;
  const Waiter& waiter_;
  TeamCommunicators& communicators_;
  CommHandle own_comm_;
  std::vector<std::int64_t> own_;  // contribution of this member to combine()
};

class AgreeingTeam;

/// This process's copy of the walker of its group, if the chain has items left. The copy is new or
/// restored from a state.
class Carrier {
 public:
  /// `run`, which outlives this object, names the walkers. States of chains that move to other
  /// groups are sent on `world`.
  Carrier(const WalkerSource& source, const RunInput& run, const World& world);
  Carrier(const Carrier&) = delete;
  Carrier& operator=(const Carrier&) = delete;

  /// Whether there is a walker with a state; if not, nothing is handed over.
  bool has_state() const { return source_.has_state && chain_; }

  /// Creates the walker of `chain` in its initial state.
  void start(const Chain& chain);

  /// Called by the leader before its group `own` becomes `groups`: sends the state to the group
  /// that continues the chain, if that group contains no rank of `own`.
  void send_away(const Group& own, const std::vector<Group>& groups);

  /// Returns the state of the chain, for parking; empty if walkers have no state.
  State packed() const { return source_.has_state ? chain_->packed() : State(); }
  /// Sends the state of a chain to `leader`, whose group continues it.
  void send(State state, int leader);
  /// Called by the leader: restores `chain`, which was parked and which its group is about to take
  /// over, from `state`.
  void unpark(const Chain& chain, const State& state);

  /// Collective over `team`, the members of `next`; `before` is this rank's previous group. Members
  /// without the state of next's chain receive it from one that has it. `fresh`: no item of the
  /// chain has been executed in this run. If the chain has items left, its walker then joins the
  /// team. Returns true if a state was handed over or the walker requested a communicator.
  bool take_over(const Group& before, const Group& next, AgreeingTeam& team, bool fresh);

  /// Makes the walker leave `team`, if it has joined. Called before the team or its walker changes.
  void leave(AgreeingTeam& team);

  /// Returns the number of `chain`; -1 if it has no walker.
  int number_of(const Chain& chain) const {
    return chain.walker == Chain::none ? -1 : names_.number(chain.walker);
  }

  /// Executes the next item with `messages`. Returns whether the chain goes on.
  bool execute(double seconds, AgreeingTeam& team, std::span<const State> messages);

  /// The failure of the chain that the group took over last, if errors end chains. Its walker no
  /// longer exists. Equal on all members.
  const std::optional<ChainFailure>& failure() const { return failure_; }

  const Walker& walker() const { return chain_->walker(); }

  /// Whether states are saved.
  bool saves() const { return source_.files != nullptr; }
  /// Whether the leader must save the state after this item.
  bool is_to_save(bool at_the_end) const {
    return source_.files != nullptr && (at_the_end || is_time(source_.save_every, false));
  }
  /// Saves the state. Called after report(). If the chain ends between two regular reports, saves
  /// the state before its final report: a later run that continues the chain then makes the next
  /// regular report as usual.
  void save();

  /// Called by the leader after a failure: saves it for a run that continues this one.
  void save_failure() const {
    if (source_.files != nullptr) source_.files->write(*failure_);
  }

  /// Whether all members must report after this item.
  bool is_to_report(bool at_the_end) const { return is_time(source_.report_every, at_the_end); }
  /// Returns the observations of the chain since its last report. The leader sets `keeps`, to store
  /// them with the states if states are saved.
  ChainReport report(bool keeps);

  /// Calls `at_end` with the walker, whose chain has ended, and returns its result.
  ChainEnd end() const;

  /// Size of the largest state that was handed over, in bytes.
  std::int64_t state_bytes() const { return state_bytes_; }

  /// Completes all sends of states.
  void finish();

 private:
  bool is_time(std::int64_t every, bool at_the_end) const {
    return every > 0 && (at_the_end || chain_->items() % every == 0);
  }

  struct Sent {
    State state;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  /// Calls `act`, which belongs to `item` of the chain, on all members. If errors end chains and
  /// one member throws, the chain fails on all members. Returns whether the chain goes on.
  template <class Act>
  bool attempt(int number, std::int64_t item, AgreeingTeam& team, Act act);
  std::int64_t next_item(const Chain& chain) const;
  /// The part of take_over before the walker joins. Returns whether a state was handed over.
  bool take_chain_over(const Group& before, const Group& next, AgreeingTeam& team, bool fresh);
  /// Throws std::runtime_error if this rank has read another state of the chain than rank 0.
  void check_continued(std::int64_t items, const Chain& chain) const;
  /// Receives the state of the chain `number`, which its last leader sends.
  State receive(int number);
  void reap();

  const WalkerSource& source_;
  const WalkerNames& names_;
  const std::uint64_t stream_;
  const std::vector<std::int64_t>& items_;  // of the chains 0, 1, …
  const Waiter& waiter_;
  const World& world_;

  std::optional<LiveChain> chain_;
  bool joined_ = false;  // the walker has joined a team
  std::optional<ChainFailure> failure_;
  State state_;  // buffer of hand-overs; kept, since new memory is slow
  std::list<Sent> sent_;
  std::vector<State> arrived_;       // states that arrived while another one was awaited
  std::optional<State> unreported_;  // state before the last report, if that was not a regular one
  std::int64_t state_bytes_ = 0;
};

/// Sends reports of chains to rank 0 by letters, without waiting. When the chains have observed
/// enough, rank 0 notifies all ranks.
class Reporting {
 public:
  /// `items`: of the chains 0, 1, … Sends letters by `outbox`.
  Reporting(const WalkerSource& source, std::span<const std::int64_t> items, const World& world,
            Outbox& outbox);

  /// Called by the leader of the chain's group. `ended`: whether it is the chain's last report.
  void tell(ChainReport report, bool ended);

  /// The same for a chain that has failed.
  void tell(const ChainFailure& failure);

  /// Processes a letter that has arrived.
  void take(Letter letter);

  /// Returns how many of `items` items a leader may order without looking for letters.
  std::int64_t at_once(std::int64_t items) const {
    return source_.enough.asked() ? source_.report_every : items;
  }

  /// Whether the chains have observed enough, as far as this rank knows.
  bool enough() const { return verdict_ == Verdict::enough; }

  /// Called when this rank has no items left. Waits for all reports on rank 0, else for a verdict.
  void finish(Mailbox& mailbox);

  /// Exists on rank 0 of a run with reports.
  const std::optional<ConvergenceMonitor>& monitor() const { return monitor_; }

 private:
  enum class Verdict : std::uint8_t { open, enough, never };

  /// Adds a report or a failure to the monitor.
  template <class... What>
  void add(What&&... what);
  void announce(Verdict verdict);
  void show();

  const WalkerSource& source_;
  const World& world_;
  Outbox& outbox_;
  int rank_ = 0;
  Verdict verdict_ = Verdict::open;
  std::optional<ConvergenceMonitor> monitor_;
  std::int64_t shown_items_ = 0;
  std::chrono::steady_clock::time_point shown_at_;
};

}  // namespace regroup
