// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "engines/mpi/mailbox.hpp"
#include "kernel/chains/chain_progress.hpp"
#include "kernel/chains/live_chain.hpp"
#include "kernel/parking.hpp"
#include "kernel/run.hpp"

namespace regroup {

/// The messages between chains, and the parked chains of a leader.
///
/// Messages to a chain are stored by the leader that holds it. They are sent to the first leader of
/// its line and follow the chain from there: a rank that held the chain forwards them to the next.
class ChainMail {
 public:
  /// Sends letters by `outbox`. `run` outlives this object.
  ChainMail(const RunInput& run, const WalkerSource& source, const World& world, Outbox& outbox);
  ChainMail(const ChainMail&) = delete;
  ChainMail& operator=(const ChainMail&) = delete;

  /// Whether the chains of the run exchange messages. If not, nothing else may be called.
  bool exists() const { return !pattern_.empty(); }
  const ChainProgress& progress() const { return progress_; }

  // ---- called by leaders

  /// Holds the chain from now on, to execute or to park it. `begins`: no rank held it before.
  void hold(const Chain& chain, bool begins);
  /// Makes the leader `to` hold the chain from now on.
  void release(const Chain& chain, int to);

  bool is_ready(const Chain& chain) const;
  /// Whether items of the chain were executed before this run.
  bool continues(const Chain& chain) const;
  /// Removes and returns the messages that the next item of `chain` needs, which have arrived.
  std::vector<State> take_messages(const Chain& chain);
  /// Sends the messages of the chain at the end of the item that it executed last.
  void tell(const Chain& chain, const Walker& walker);

  /// Called if the walker ends the chain, even with items left. Throws std::runtime_error if other
  /// chains need messages that it will not send.
  void check_end(const Chain& chain) const;

  Parking& parking() { return parking_; }
  const Parking& parking() const { return parking_; }
  /// The state of a parked chain; empty if walkers have no state.
  State& parked_state(const Chain& chain) { return states_[chain.walker]; }
  State take_parked_state(const Chain& chain);

  /// Moves all parked chains to the leader `to`, which waits for them.
  void move_parking(int to);
  /// Waits until `leaders` leaders have moved their parked chains to this one.
  void wait_for_moved(std::int64_t leaders, Mailbox& mailbox);

  /// Reports to rank 0 that a chain has ended.
  void end_chain();

  // ---- called by all ranks

  /// Processes a letter that has arrived.
  void take(Letter letter);

  /// Waits until all chains have ended, and forwards messages meanwhile.
  void finish(Mailbox& mailbox);

 private:
  using Key = std::pair<int, std::int64_t>;  // a chain and one of its items

  struct Content {
    State bytes;
    int sender;  // rank that led the group of the sending chain
  };

  void deliver(const ChainMessage& message, Content content);
  void send(const ChainMessage& message, const Content& content, int to);
  /// Sends all messages to the chain `number` that are stored here to the rank `to`.
  void send_all(int number, int to);
  void note_end();
  std::size_t index(int number) const { return static_cast<std::size_t>(number); }

  const MessagePattern& pattern_;
  const ChainProgress progress_;
  const Queue& queue_;
  const StateFiles* files_;
  bool saves_;
  const std::vector<std::int64_t> executed_before_;
  const World& world_;
  Outbox& outbox_;
  int rank_ = 0;
  int ranks_ = 0;

  static constexpr int here = -1;
  std::vector<int> home_;   // by chain: the first leader of its line
  std::vector<int> where_;  // by chain: `here`, or the rank to which its messages are sent
  std::vector<bool> held_;  // by chain: whether this rank holds it, held it, or is its home
  std::map<Key, std::map<int, Content>> inbox_;  // by receiver, its item and sender
  Parking parking_;
  std::map<int, State> states_;
  std::int64_t moved_ = 0;
  std::int64_t ended_ = 0;  // number of ended chains, on rank 0
  bool all_ended_ = false;
};

}  // namespace regroup
