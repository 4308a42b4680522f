// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>
#include <list>
#include <optional>
#include <vector>

#include "communicators/group_comm.hpp"
#include "communicators/waiting/waiter.hpp"
#include "kernel/balancer.hpp"
#include "kernel/chains/live_chain.hpp"
#include "kernel/groups/walker_names.hpp"

namespace regroup {

/// Carries the walker of this process's group: from its start, by whoever has its state, or not at
/// all where the group has no chain with items left.
class Carrier {
 public:
  /// Walkers have these names, and draw by `stream`. States of chains that move to other groups
  /// whole travel on `world`.
  Carrier(const WalkerSource& source, WalkerNames names, std::uint64_t stream, const Waiter& waiter,
          MPI_Comm world);
  Carrier(const Carrier&) = delete;
  Carrier& operator=(const Carrier&) = delete;

  /// Whether walkers have a state: if not, nothing is handed over, and chains come to nothing.
  bool has_state() const { return source_.has_state; }

  /// The group begins with `chain` as it is at its start.
  void start(const Chain& chain);

  /// Before its group `own` becomes `groups`: a leader sends the state to the group that goes on
  /// with the chain where no rank of `own` is in it.
  void send_away(const Group& own, const std::vector<Group>& groups);

  /// Its group `before` has become, with others, `next`, whose members all call this. They get the
  /// state of its chain from one that has it. `fresh`: nobody in this run has executed any of it,
  /// so it begins, or goes on from a file. Answers whether a state was handed over.
  bool take_over(const Group& before, const Group& next, const GroupComm& comm, bool fresh);

  /// Executes the next item. Answers whether the chain goes on, if it has items left.
  bool execute(double seconds, Team& team) {
    chain_->execute(seconds, team);
    return !source_.open_end || !chain_->done();
  }

  /// After an item: whether it is time to write the state, as always where the chain has come to
  /// its end, and its leader does.
  bool is_to_save(bool at_the_end) const { return is_time(source_.save_every, at_the_end); }
  void save() const;

  /// After an item: whether it is time to tell what the chain observed, and all members do.
  bool is_to_report(bool at_the_end) const { return is_time(source_.report_every, at_the_end); }
  ChainReport report() { return chain_->report(); }

  /// Shows the walker, whose chain has ended, to who asked for it, and answers what it came to.
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

  int number_of(const Chain& chain) const { return names_.number(chain.walker); }
  /// The state of that chain, which its last leader sends.
  State receive(int number);
  void reap();

  const WalkerSource& source_;
  const WalkerNames names_;
  const std::uint64_t stream_;
  const Waiter& waiter_;
  const MPI_Comm world_;

  std::optional<LiveChain> chain_;
  State state_;  // on its way to others or here; kept, since fresh memory takes long
  std::list<Sent> sent_;
  std::vector<State> arrived_;  // of other chains than the one that was waited for
  std::int64_t state_bytes_ = 0;
};

}  // namespace regroup
