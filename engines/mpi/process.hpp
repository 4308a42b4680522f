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

/// Forecasts for this process by what it measured: the run's item times, times how much longer
/// items took here, and averages of orders and regroupings, all in steps of a tenth, so that noise
/// changes no decisions.
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
    /// In steps of a tenth; 0 where nothing was added.
    double coarse() const;
  };

  double expected_s_ = 0;
  double measured_s_ = 0;
  double slower_ = 1;  // than expected, in steps of a tenth
  Mean order_;
  Mean regrouping_;
  Forecast forecast_;
};

/// One rank of a run on real processes. The leader of a group asks its balancer and gives orders;
/// the members carry out what they are told. Only those that regroup take part in forming the new
/// communicator, unless the strategy is parent-collective.
class Process {
 public:
  /// What outlives it, and is kept up to date.
  struct Surveyed {
    Position& position;
    LossWatch* watch = nullptr;  ///< of a run that goes on if ranks are lost
    double slower = 1;           ///< items take so many times as long as they would
  };

  /// Collective over `world`. `make`: of the run's strategy; nullptr if it has none. `began`:
  /// start, or recover where ranks were lost before, at the present moment of `clock`. `run`
  /// outlives the process.
  Process(const RunInput& run, MakeCommunicator make, const WalkerSource& walkers,
          const World& world, Surveyed surveyed, const SharedClock& clock,
          Turn began = Turn::start);

  /// Takes part in the whole run, from the common start on.
  void run();

  /// When ranks were lost: ends the life of the group. Its state is saved if nobody was about to
  /// change it.
  void leave_behind();

  /// The groups of this rank, in order, with the items that it executed itself and when; by the
  /// ranks of the site.
  const std::vector<GroupLife>& lives() const { return lives_; }

  /// Chains that ended while this rank led their group.
  const std::vector<ChainEnd>& chains() const { return chains_; }
  /// Chains that failed likewise.
  const std::vector<ChainFailure>& failures() const { return failures_; }
  const Reporting& reporting() const { return reporting_; }
  const Carrier& carrier() const { return carrier_; }
  /// What this rank, leading, spent on handing over states.
  double hand_over_s() const { return hand_over_s_; }
  /// Those that this rank's walkers asked for.
  const TeamCommunicators& team_communicators() const { return team_communicators_; }

 private:
  bool leading() const { return rank_ == own_.leader(); }
  GroupLife& life() { return lives_.back(); }

  void lead();
  /// What the group turns to before its balancer is asked. Whether there was something.
  bool turn();
  void wait_for_chain(bool listening);
  /// Whether the messages for the next item are there.
  bool goes_on() const;
  /// Collective over the team: the messages that the next item needs.
  std::vector<State> take_messages();
  /// Items to execute between two looks for lost ranks.
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
  /// The leader's chain, and what is parked there, before `before` becomes `groups`.
  void park(const Group& before, const std::vector<Group>& groups, const Group& next);
  void begin(Group group, Turn turn);
  void end_life(const Order& order);
  /// Whether the group is to begin anew, since ranks were lost; then its leader has ordered it.
  bool lost_ranks();
  void set_peers(const RankSet& ranks);
  /// What the guard of this rank is to know of it.
  void write_down();
  /// Takes over the walker of the group that has formed, as Carrier::take_over does.
  bool take_over(const Group& before, bool fresh);
  void note_end_of_chain();
  /// The chain, which has failed on all members, has no items left.
  void end_failed_chain();
  void form(const RankSet& ranks);
  /// The walker leaves its team, and the communicator of the group is freed.
  void end_group();

  const RunInput& run_;
  const World& world_;
  const Waiter& waiter_;
  int rank_ = 0;
  Position& position_;
  LossWatch* watch_;
  double slower_;
  std::function<void()> at_rest_;  // when ranks were lost
  bool in_step_ = true;            // all members are between two items
  MakeCommunicator make_;
  /// Complete: the balancer and the audit see to it that a walker is taken up once.
  StillWaiting waiting_{run_.queue};
  Forecast model_;                      // by what the run says: equal for all
  Pacemaker pacemaker_;                 // … and by what was measured here
  std::unique_ptr<Balancer> balancer_;  // of a leader
  std::uint64_t decisions_ = 0;
  std::vector<Group> groups_;  // all of them, as the last exchange left them; of a leader, if any
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
  ItemTimes measured_;     // of a leader
  bool is_fresh_ = false;  // nothing was executed since the group formed
  bool stopped_ = false;
  std::vector<GroupLife> lives_;
  std::vector<ChainEnd> chains_;
  std::vector<ChainFailure> failures_;
  double hand_over_s_ = 0;
};

}  // namespace regroup
