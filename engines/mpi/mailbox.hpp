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

/// A message between processes, as numbers. The first few travel at once; the rest, if any,
/// follows.
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

  /// How many numbers there are, the count of them included.
  std::size_t size() const { return static_cast<std::size_t>(first_[0]); }
  /// Those that travel at once; for a letter to receive, room for them.
  std::span<std::int64_t> first() { return first_; }
  std::span<const std::int64_t> first() const {
    return {first_.data(), std::min(size(), first_part)};
  }
  const std::vector<std::int64_t>& rest() const { return rest_; }
  /// Room for what follows, by the first part.
  std::span<std::int64_t> make_room();

 private:
  std::array<std::int64_t, first_part> first_{1};
  std::vector<std::int64_t> rest_;
  std::size_t taken_ = 1;
};

/// What letters say beside the messages of balancers.
enum class Notice : std::int32_t {
  none,    ///< the letter is a balancer's message
  report,  ///< a report of a chain: to rank 0
  failed,  ///< a chain has failed: to rank 0
  enough,  ///< whether chains have observed enough: from rank 0
  // between chains (engines/mpi/chain_mail.hpp):
  told,     ///< what a chain tells another: to the leader who has that
  begun,    ///< a rank has begun a chain: to the first leader of its line
  parking,  ///< what was parked at a rank: to its leader
  ended,    ///< a chain has ended: to rank 0; and all have: from rank 0
};
Letter letter_of(Notice notice);
Notice notice_in(const Letter& letter);

Letter to_letter(const ChainReport& report, bool ended);
/// The reports in a letter, which may contain several; and whether the chain ended with each.
std::vector<std::pair<ChainReport, bool>> reports_of(Letter letter);

Letter to_letter(const Message& message);
Message message_of(Letter letter);

/// Sends letters without waiting for their receivers; keeps them until reap() or finish().
///
/// A rank receives nothing during a long item, and MPI libraries abort a program with too many
/// requests (MPICH 4.0: 2^17). Therefore reports, which may be many, are held back while many
/// letters are in transit; reports to one rank are then combined in one letter. They are sent
/// synchronously, so that what MPI has put aside for a busy receiver counts, too.
class Outbox {
 public:
  static constexpr std::size_t under_way_most = 1024;

  Outbox() = default;
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;

  /// Under `tag`; what does not fit into its first part follows under the next.
  void send(const Letter& letter, int to, int tag, MPI_Comm comm);

  /// The same for a report, which may be held back.
  void send_report(const Letter& report, int to, int tag, MPI_Comm comm);

  /// Completes what has arrived, oldest first, up to the first that has not, and sends as many of
  /// the reports held back as there is room for.
  void reap();

  /// Whether reports are held back; only reap() and finish() send them.
  bool holds() const { return !held_.empty(); }

  void finish(const Waiter& waiter);

  /// Letters since the beginning, including those held back.
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

/// Begins to receive the first part of `letter`, from `from` or anybody.
void begin_to_receive(Letter& letter, int from, int tag, MPI_Comm comm, MPI_Request& request);

/// Receives what follows the first part, if anything; `from` sent it, under `tag`.
void receive_rest(Letter& letter, int from, int tag, MPI_Comm comm, const Waiter& waiter);

/// The messages between group leaders. Every rank has one, since any may become a leader, or be
/// taken for one.
class Mailbox {
 public:
  /// Its messages leave by `outbox`, the only one whose letters it receives. Other letters than
  /// balancers' messages go to `notices`.
  Mailbox(const World& world, Outbox& outbox, std::function<void(Letter letter)> notices = nullptr);
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;
  ~Mailbox();

  void send(const Message& message, int to);

  /// Looks once; true if there is a message. All that an item pays.
  bool look();
  /// Whether a message is there, without a look.
  bool has_message() const { return !arrived_.empty(); }

  /// The oldest message, if one is there.
  std::optional<Message> take();

  /// Waits for a message, at most `at_most_s` seconds if given.
  void wait(std::optional<double> at_most_s);

  /// Returns when `done`, which notices have made so, answers true.
  template <class Done>
  void wait_for_notices(Done done) {
    while (!done()) wait_for_letter();
  }

  /// Completes `other`, and passes what comes meanwhile on to `leader`.
  void pass_on_until(MPI_Request& other, int leader, const Waiter& waiter);

  /// Passes on to `leader` what was not taken.
  void pass_on(int leader);

  /// Collective, when nobody sends letters any more: receives those that nobody waited for, which
  /// the next run on the communicator would take for its own. None is received after it.
  void receive_late();

 private:
  /// A letter that may come, and the receive of its first part.
  struct Expected {
    Letter letter;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  void expect(Expected& expected);
  void expect_nothing();
  void wait_for_letter();
  /// Waits for one of `requests`, and meanwhile sends reports held back. Returns its index.
  int wait_any(std::span<MPI_Request> requests, MPI_Status& status, const Waiter& waiter);
  /// As many again, up to `expected_most`.
  void expect_more();
  /// The oldest is there.
  void accept(const MPI_Status& status);

  // Several receives, for messages that come during an item: one look then finds all. At first one:
  // a simulator searches all receives for every message of every rank.
  static constexpr std::size_t expected_most = 8;

  const World& world_;
  const Waiter& waiter_;
  Outbox& outbox_;
  std::function<void(Letter letter)> notices_;
  std::list<Expected> expected_;  // oldest first: they come in this order
  std::deque<Message> arrived_;
  std::int64_t received_ = 0;
};

}  // namespace regroup
