// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "engines/mpi/agreeing_team.hpp"
#include "engines/mpi/chain_mail.hpp"
#include "engines/mpi/chains.hpp"
#include "engines/mpi/load_exchange.hpp"
#include "engines/mpi/loss_watch.hpp"
#include "engines/mpi/mailbox.hpp"
#include "engines/mpi/orders.hpp"
#include "engines/mpi/position.hpp"
#include "engines/mpi/shared_clock.hpp"
#include "engines/mpi/world.hpp"
#include "kernel/rules.hpp"
#include "kernel/run.hpp"
#include "regroup/balancer.hpp"
#include "regroup/communicator.hpp"
#include "regroup/outcome.hpp"
#include "regroup/waiter.hpp"
#include "regroup/workload.hpp"

namespace regroup {

/// Forecasts from measurements of this process: the run's item times multiplied by the slowdown of
/// items here, and mean times of orders and regroupings. All are rounded to powers of 1.1, so that
/// noise changes no decisions.
class Pacemaker {
 public:
  explicit Pacemaker(const ItemTime& item_time);
  Pacemaker(const Pacemaker&) = delete;
  Pacemaker& operator=(const Pacemaker&) = delete;

  const Forecast& forecast() const { return forecast_; }

  // All in seconds.
  void items_took(double expected_s, double measured_s);
  void order_took(double measured_s);
  void regrouping_took(double measured_s);

 private:
  struct Mean {
    double sum = 0;
    std::int64_t number = 0;
    void add(double value);
    /// Returns the mean, rounded to a power of 1.1; 0 if nothing was added.
    double coarse() const;
  };

  double expected_s_ = 0;
  double measured_s_ = 0;
  double slower_ = 1;  // measured_s_ / expected_s_, rounded to a power of 1.1
  Mean order_;
  Mean regrouping_;
  Forecast forecast_;
};

/// One rank of a run on real processes. The leader of a group calls its balancer and gives orders,
/// which the members execute. Only ranks that regroup take part in creating the new communicator,
/// unless the strategy is parent-collective.
class Process {
 public:
  /// Objects for monitoring and faults, which outlive the process.
  struct Surveyed {
    Position& position;
    LossWatch* watch = nullptr;  ///< if given, the run goes on after a loss of ranks
    double slower = 1;           ///< factor by which items take longer
  };

  /// Collective over `world`. `make`: the strategy of the run; nullptr if it has none. `began`:
  /// start, or recover after a loss of ranks; then its groups begin at the current time of `clock`.
  /// `run` outlives the process.
  Process(const RunInput& run, MakeCommunicator make, const WalkerSource& walkers,
          const World& world, Surveyed surveyed, const SharedClock& clock,
          Turn began = Turn::start);

  /// Takes part in the whole run, from the common start on.
  void run();

  /// After a loss of ranks: ends the life of the group. The leader saves the state of the chain,
  /// unless an item or a regrouping was in progress.
  void leave_behind();

  /// The lives of this rank's groups, in order, with the items and times of this rank. Contain the
  /// ranks of the site.
  const std::vector<GroupLife>& lives() const { return lives_; }

  /// Chains that ended while this rank led their group.
  const std::vector<ChainEnd>& chains() const { return chains_; }
  /// Chains that failed while this rank led their group.
  const std::vector<ChainFailure>& failures() const { return failures_; }
  const Reporting& reporting() const { return reporting_; }
  const Carrier& carrier() const { return carrier_; }
  /// Time that this rank, as a leader, spent handing over states, in seconds.
  double hand_over_s() const { return hand_over_s_; }
  /// Communicators that walkers of this rank requested.
  const TeamCommunicators& team_communicators() const { return team_communicators_; }

 private:
  bool leading() const { return rank_ == own_.leader(); }
  GroupLife& life() { return lives_.back(); }

  void lead();
  /// Takes the next walker if one is due before a call of the balancer. Returns whether it was.
  bool turn();
  void wait_for_chain(bool listening);
  /// Whether the messages for the next item have arrived.
  bool goes_on() const;
  /// Returns the messages that the next item needs. Collective over the team.
  std::vector<State> take_messages();
  /// Returns the number of items to execute between two checks for lost ranks.
  std::int64_t between_losses() const;
  void carry_out(const Work& work);
  void carry_out(const Wait& wait);
  void carry_out(const Exchange& exchange);
  void carry_out(const Regroup& regroup);
  void carry_out(const Stop& stop);

  void follow();
  void order(const Order& order);
  void obey(const Order& order);
  void execute(std::int64_t items);
  void report();
  void join(const std::vector<Group>& groups, bool are_all);
  /// Called by the leader before `before` becomes `groups`: parks, continues and releases chains.
  void park(const Group& before, const std::vector<Group>& groups, const Group& next);
  void begin(Group group, Turn turn);
  void end_life(const Order& order);
  /// If ranks were lost, orders the group to recover and does not return; otherwise returns false.
  bool lost_ranks();
  void set_peers(const RankSet& ranks);
  /// Updates the record of this rank for its guard.
  void write_down();
  /// Takes over the walker of the new group, like Carrier::take_over.
  bool take_over(const Group& before, bool fresh);
  void note_end_of_chain();
  /// Ends the chain after it has failed on all members.
  void end_failed_chain();
  void form(const RankSet& ranks);
  /// Makes the walker leave its team, and frees the communicator of the group.
  void end_group();

  const RunInput& run_;
  const World& world_;
  const Waiter& waiter_;
  int rank_ = 0;
  Position& position_;
  LossWatch* watch_;
  double slower_;
  std::function<void()> at_rest_;  // called after a loss of ranks while the group waits
  bool in_step_ = true;            // neither in an item nor in a regrouping
  MakeCommunicator make_;
  /// Always the whole queue: balancer and audit ensure that no walker is taken twice.
  StillWaiting waiting_{run_.queue};
  Forecast model_;                      // forecasts by the configuration, equal on all ranks
  Pacemaker pacemaker_;                 // forecasts by measurements of this rank
  std::unique_ptr<Balancer> balancer_;  // only on leaders
  std::uint64_t decisions_ = 0;
  std::vector<Group> groups_;  // all groups after the last exchange; only on leaders
  Outbox orders_;              // to members
  Outbox letters_;             // to other leaders
  Reporting reporting_;
  ChainMail mail_;
  Mailbox mailbox_;
  Carrier carrier_;
  GroupComm group_;
  TeamCommunicators team_communicators_;
  std::optional<AgreeingTeam> team_;  // the members of group_
  const SharedClock& clock_;
  Group own_;
  double item_s_ = 0;      // mean duration of the items of the last order
  ItemTimes measured_;     // only on leaders
  bool is_fresh_ = false;  // no item was executed since the regrouping
  bool stopped_ = false;
  std::vector<GroupLife> lives_;
  std::vector<ChainEnd> chains_;
  std::vector<ChainFailure> failures_;
  double hand_over_s_ = 0;
};

}  // namespace regroup
