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
/// Messages of a chain are kept by the leader who has it. They go to the first leader of its line,
/// and follow the chain from there: a rank that had the chain passes them on to the next.
class ChainMail {
 public:
  /// Its letters leave by `outbox`. `run` outlives it.
  ChainMail(const RunInput& run, const WalkerSource& source, const World& world, Outbox& outbox);
  ChainMail(const ChainMail&) = delete;
  ChainMail& operator=(const ChainMail&) = delete;

  /// Whether the chains of the run exchange messages. If not, nothing else may be called.
  bool exists() const { return !pattern_.empty(); }
  const ChainProgress& progress() const { return progress_; }

  // ---- by a leader

  /// It has the chain from now on, whether it executes or parks it. `begins`: nobody had it before.
  void hold(const Chain& chain, bool begins);
  /// The leader `to` has it from now on.
  void release(const Chain& chain, int to);

  bool is_ready(const Chain& chain) const;
  /// Whether items of the chain were executed before this run.
  bool continues(const Chain& chain) const;
  /// The messages that the next item of `chain` needs, which are there.
  std::vector<State> take_messages(const Chain& chain);
  /// What the chain tells others at the end of its last item.
  void tell(const Chain& chain, const Walker& walker);

  /// The chain ends here, whatever items it has left. Throws std::runtime_error where others need
  /// what it does not tell.
  void check_end(const Chain& chain) const;

  Parking& parking() { return parking_; }
  const Parking& parking() const { return parking_; }
  /// The states of parked chains, by walker; empty where walkers have none.
  State& parked_state(const Chain& chain) { return states_[chain.walker]; }
  State take_parked_state(const Chain& chain);

  /// Gives all that is parked here to the leader `to`, who waits for it.
  void move_parking(int to);
  /// Waits until so many leaders have given theirs to this one.
  void wait_for_moved(std::int64_t leaders, Mailbox& mailbox);

  /// A chain has ended.
  void end_chain();

  // ---- on all ranks

  /// What came by letter.
  void take(Letter letter);

  /// Waits, and passes on what comes, until all chains have ended.
  void finish(Mailbox& mailbox);

 private:
  using Key = std::pair<int, std::int64_t>;  // a chain, and an item of it

  struct Content {
    State bytes;
    int sender;  // the rank that led the group of the chain that told it
  };

  void deliver(const ChainMessage& message, Content content);
  void send(const ChainMessage& message, const Content& content, int to);
  /// To `to`, all messages of the chain that are here.
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
  std::vector<int> where_;  // by chain: here, or the rank that messages go to
  std::vector<bool> held_;  // by chain: this rank has, or had it, or is its home
  std::map<Key, std::map<int, Content>> inbox_;  // by receiver, its item and sender
  Parking parking_;
  std::map<int, State> states_;
  std::int64_t moved_ = 0;
  std::int64_t ended_ = 0;  // chains, on rank 0
  bool all_ended_ = false;
};

}  // namespace regroup
