// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engines/mpi/world.hpp"
#include "regroup/balancer.hpp"
#include "regroup/outcome.hpp"
#include "regroup/waiter.hpp"

namespace regroup {

/// A message between processes, as numbers. The first part has a limited size; the rest, if any, is
/// sent as a second message.
class Letter {
 public:
  static constexpr std::size_t first_part = 17;

  void put(std::int64_t number);
  void put(const RankSet& ranks);
  void put(const Group& group);
  void put(std::span<const std::byte> bytes);

  std::int64_t take();
  RankSet take_ranks();
  Group take_group();
  std::vector<std::byte> take_bytes();
  bool all_taken() const { return taken_ == size(); }

  /// Appends the numbers of `other`, from the index `from` on.
  void append(const Letter& other, std::size_t from);

  /// Number of numbers, including this number itself.
  std::size_t size() const { return static_cast<std::size_t>(first_[0]); }
  /// The first part; for a letter to be received, its buffer.
  std::span<std::int64_t> first() { return first_; }
  std::span<const std::int64_t> first() const {
    return {first_.data(), std::min(size(), first_part)};
  }
  const std::vector<std::int64_t>& rest() const { return rest_; }
  /// Returns the buffer of the rest, whose size the first part contains.
  std::span<std::int64_t> make_room();

 private:
  std::array<std::int64_t, first_part> first_{1};
  std::vector<std::int64_t> rest_;
  std::size_t taken_ = 1;
};

/// The kinds of letters.
enum class Notice : std::int32_t {
  none,    ///< the letter is a balancer's message
  report,  ///< a report of a chain: to rank 0
  failed,  ///< a chain has failed: to rank 0
  enough,  ///< whether chains have observed enough: from rank 0
  // between chains (engines/mpi/chain_mail.hpp):
  told,     ///< a message between chains: to the leader that holds the receiver
  begun,    ///< a rank has begun a chain: to the first leader of its line
  parking,  ///< the parked chains of a former leader: to its new leader
  ended,    ///< a chain has ended: to rank 0; all chains have ended: from rank 0
};
Letter letter_of(Notice notice);
Notice notice_in(const Letter& letter);

Letter to_letter(const ChainReport& report, bool ended);
/// Returns the reports in a letter, and for each whether it is the last one of its chain.
std::vector<std::pair<ChainReport, bool>> reports_of(Letter letter);

Letter to_letter(const Message& message);
Message message_of(Letter letter);

/// Sends letters without waiting for their receivers; keeps them until reap() or finish().
///
/// A rank receives nothing during a long item, and MPI libraries abort a program with too many
/// requests (MPICH 4.0: 2^17). Therefore reports, which may be many, are held back while many
/// letters are in transit; reports to one rank are then combined in one letter. They are sent
/// synchronously, so that letters that MPI has buffered for a busy receiver count, too.
class Outbox {
 public:
  static constexpr std::size_t under_way_most = 1024;

  Outbox() = default;
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;

  /// Sends the first part of `letter` with `tag`, and the rest, if any, with `tag` + 1.
  void send(const Letter& letter, int to, int tag, MPI_Comm comm);

  /// The same for a report, which may be held back.
  void send_report(const Letter& report, int to, int tag, MPI_Comm comm);

  /// Completes sends, oldest first, up to the first incomplete one, and sends one report held back
  /// for each of them.
  void reap();

  /// Whether reports are held back; only reap() and finish() send them.
  bool holds() const { return !held_.empty(); }

  void finish(const Waiter& waiter);

  /// Number of letters so far, including those held back.
  std::int64_t sent() const { return sent_ + static_cast<std::int64_t>(held_.size()); }

 private:
  struct Sent {
    Letter letter;
    MPI_Request first = MPI_REQUEST_NULL;
    MPI_Request rest = MPI_REQUEST_NULL;
  };
  struct Held {
    Letter letter;
    int to;
    int tag;
    MPI_Comm comm;
  };

  using Isend = int (*)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
  void begin(const Letter& letter, int to, int tag, MPI_Comm comm, Isend isend);

  std::list<Sent> under_way_;
  std::list<Sent> spare_;
  std::deque<Held> held_;
  std::int64_t sent_ = 0;
};

/// Begins to receive the first part of `letter` from `from`, which may be MPI_ANY_SOURCE.
void begin_to_receive(Letter& letter, int from, int tag, MPI_Comm comm, MPI_Request& request);

/// Receives the rest, if any, of a letter that `from` sent with `tag`.
void receive_rest(Letter& letter, int from, int tag, MPI_Comm comm, const Waiter& waiter);

/// Sends and receives messages between leaders. Every rank has a mailbox, since it may become a
/// leader, or receive messages after it was one.
class Mailbox {
 public:
  /// Sends by `outbox`; receives only letters from the corresponding outboxes of other ranks.
  /// Passes letters that are not messages of balancers to `notices`.
  Mailbox(const World& world, Outbox& outbox, std::function<void(Letter letter)> notices = nullptr);
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;
  ~Mailbox();

  void send(const Message& message, int to);

  /// Looks once, and returns whether there is a message. The only overhead per item.
  bool look();
  /// Whether there is a message, without a look.
  bool has_message() const { return !arrived_.empty(); }

  /// Removes and returns the oldest message, if there is one.
  std::optional<Message> take();

  /// Waits for a message, at most `at_most_s` seconds if given.
  void wait(std::optional<double> at_most_s);

  /// Receives letters until `done`, whose result notices change, returns true.
  template <class Done>
  void wait_for_notices(Done done) {
    while (!done()) wait_for_letter();
  }

  /// Completes `other`, and forwards messages that arrive meanwhile to `leader`.
  void pass_on_until(MPI_Request& other, int leader, const Waiter& waiter);

  /// Forwards all messages that were not taken to `leader`.
  void pass_on(int leader);

  /// Receives letters that no rank waited for, which the next run on the communicator would receive
  /// otherwise. Collective; called when no rank sends letters any more. Nothing is received later.
  void receive_late();

 private:
  /// A pending receive: the letter, and the request of its first part.
  struct Expected {
    Letter letter;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  void expect(Expected& expected);
  void expect_nothing();
  void wait_for_letter();
  /// Waits for one of `requests`, and meanwhile sends reports held back. Returns its index.
  int wait_any(std::span<MPI_Request> requests, MPI_Status& status, const Waiter& waiter);
  /// Doubles the number of pending receives, up to `expected_most`.
  void expect_more();
  /// Processes the letter of the oldest receive, whose first part has arrived.
  void accept(const MPI_Status& status);

  // Several receives, so that one look finds all messages that arrived during an item. Only one at
  // first, since a simulator searches all receives for every message of every rank.
  static constexpr std::size_t expected_most = 8;

  const World& world_;
  const Waiter& waiter_;
  Outbox& outbox_;
  std::function<void(Letter letter)> notices_;
  std::list<Expected> expected_;  // oldest first, in the order in which MPI matches them
  std::deque<Message> arrived_;
  std::int64_t received_ = 0;
};

}  // namespace regroup
