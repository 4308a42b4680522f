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

/// The communicators of MPI that walkers of one process asked for.
struct TeamCommunicators {
  CommunicatorCount count;
  std::int64_t created = 0;
  double creating_s = 0;
};

/// The members of `group`; operations are those of its communicator.
class GroupTeam : public Team {
 public:
  GroupTeam(const GroupComm& group, const Waiter& waiter, TeamCommunicators& communicators)
      : Team(group.rank(), group.size()),
        group_(group),
        waiter_(waiter),
        communicators_(communicators) {}

  /// What communicator(Team&) returns.
  virtual MPI_Comm communicator();
  /// Whether it was asked for it.
  bool has_communicator() const { return static_cast<bool>(own_comm_); }

 protected:
  void combine(std::span<std::int64_t> values, Operation operation) override;
  void broadcast_to_others(std::span<std::byte> bytes, int root) override;

 private:
  const GroupComm& group_;
  const Waiter& waiter_;
  TeamCommunicators& communicators_;
  CommHandle own_comm_;
  std::vector<std::int64_t> own_;  // what this member gives to a combination
};

class AgreeingTeam;

/// The walker of this process's group, if its chain has items left: from its start, or taken over
/// from one that has its state.
class Carrier {
 public:
  /// `run`, which outlives it, names its walkers. States of chains that move to other groups travel
  /// on `world`.
  Carrier(const WalkerSource& source, const RunInput& run, const World& world);
  Carrier(const Carrier&) = delete;
  Carrier& operator=(const Carrier&) = delete;

  /// Whether a walker with a state is here; if not, nothing is handed over.
  bool has_state() const { return source_.has_state && chain_; }

  /// The group begins with `chain` as it is at its start.
  void start(const Chain& chain);

  /// Before the group `own` becomes `groups`: its leader sends the state to the group that
  /// continues the chain, if no rank of `own` is in that.
  void send_away(const Group& own, const std::vector<Group>& groups);

  /// The state of the chain that the group parks; empty where walkers have none.
  State packed() const { return source_.has_state ? chain_->packed() : State(); }
  /// The state of a chain to `leader`, whose group continues it.
  void send(State state, int leader);
  /// By the leader: it has the state of `chain`, which was parked and which its group is about to
  /// take over.
  void unpark(const Chain& chain, const State& state);

  /// Collective over `team`, the members of `next`; `before` is this rank's previous group. Members
  /// without the state of next's chain receive it from one that has it. `fresh`: no item of the
  /// chain has been executed in this run. If the chain has items left, its walker then joins the
  /// team. Returns true if a state was handed over or the walker requested a communicator.
  bool take_over(const Group& before, const Group& next, AgreeingTeam& team, bool fresh);

  /// Before `team` ends or gets another walker: the walker leaves it, if it has joined it.
  void leave(AgreeingTeam& team);

  /// -1 if there is no walker.
  int number_of(const Chain& chain) const {
    return chain.walker == Chain::none ? -1 : names_.number(chain.walker);
  }

  /// Executes the next item, which has got `messages`. Whether the chain goes on.
  bool execute(double seconds, AgreeingTeam& team, std::span<const State> messages);

  bool errors_end_chain() const { return source_.errors_end_chain; }
  /// Where errors end chains: of the chain that the group took over last, whose walker is then
  /// gone. Equal on all members.
  const std::optional<ChainFailure>& failure() const { return failure_; }

  const Walker& walker() const { return chain_->walker(); }

  /// Whether states are saved.
  bool saves() const { return source_.files != nullptr; }
  /// After an item: whether the leader is to write the state.
  bool is_to_save(bool at_the_end) const {
    return source_.files != nullptr && (at_the_end || is_time(source_.save_every, false));
  }
  /// To be called after report(). A chain that ends between two reports is saved with what it
  /// observed since the first of them: whoever continues it makes the second one as if it had not
  /// ended.
  void save();

  /// By the leader, where there is a failure: whoever continues the run is to know it.
  void save_failure() const {
    if (source_.files != nullptr) source_.files->write(*failure_);
  }

  /// After an item: whether all members are to report.
  bool is_to_report(bool at_the_end) const { return is_time(source_.report_every, at_the_end); }
  /// What the chain observed since its last report. Where states are saved, the leader `keeps` it
  /// with them.
  ChainReport report(bool keeps);

  /// Calls `at_end` with the walker, whose chain has ended, and returns its result.
  ChainEnd end() const;

  /// The largest state that was handed over, in bytes.
  std::int64_t state_bytes() const { return state_bytes_; }

  /// Waits until all that was sent away has left.
  void finish();

 private:
  bool is_time(std::int64_t every, bool at_the_end) const {
    return every > 0 && (at_the_end || chain_->items() % every == 0);
  }

  struct Sent {
    State state;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  /// Calls `act` on all members, which belongs to `item` of the chain. Where errors end chains and
  /// one member throws, the chain has failed on all members. Whether it goes on.
  template <class Act>
  bool attempt(int number, std::int64_t item, AgreeingTeam& team, Act act);
  std::int64_t next_item(const Chain& chain) const;
  /// What take_over does but to join. Whether a state was handed over.
  bool take_chain_over(const Group& before, const Group& next, AgreeingTeam& team, bool fresh);
  /// Throws std::runtime_error where the state that was read is not the one that rank 0 has read.
  void check_continued(std::int64_t items, const Chain& chain) const;
  /// The state of that chain, which its last leader sends.
  State receive(int number);
  void reap();

  const WalkerSource& source_;
  const WalkerNames& names_;
  const std::uint64_t stream_;
  const std::vector<std::int64_t>& items_;  // of the chains 0, 1, …
  const Waiter& waiter_;
  const World& world_;

  std::optional<LiveChain> chain_;
  bool joined_ = false;  // its walker has a team
  std::optional<ChainFailure> failure_;
  State state_;  // on its way to others or here; kept, since fresh memory takes long
  std::list<Sent> sent_;
  std::vector<State> arrived_;       // of other chains than the one that was waited for
  std::optional<State> unreported_;  // before the last report, if that came between two others
  std::int64_t state_bytes_ = 0;
};

/// Brings reports of chains to rank 0 by letters, which nobody waits for. When the chains have
/// observed enough, rank 0 tells all ranks.
class Reporting {
 public:
  /// `items` of the chains 0, 1, … Its letters leave by `outbox`.
  Reporting(const WalkerSource& source, std::span<const std::int64_t> items, const World& world,
            Outbox& outbox);

  /// By the leader of the chain's group; `ended`: the chain's last.
  void tell(ChainReport report, bool ended);

  /// The same of a chain that has failed.
  void tell(const ChainFailure& failure);

  /// What came by letter.
  void take(Letter letter);

  /// How many of `items` a leader may order without looking for news.
  std::int64_t at_once(std::int64_t items) const {
    return source_.enough.asked() ? source_.report_every : items;
  }

  /// Whether the chains have observed enough, as far as this rank has heard.
  bool enough() const { return verdict_ == Verdict::enough; }

  /// When this rank has executed all: waits, on rank 0 for all reports.
  void finish(Mailbox& mailbox);

  /// On rank 0 of a run with reports.
  const std::optional<ConvergenceMonitor>& monitor() const { return monitor_; }

 private:
  enum class Verdict : std::uint8_t { open, enough, never };

  /// Lets the monitor know.
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
