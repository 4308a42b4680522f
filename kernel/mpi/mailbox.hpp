// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>
#include <deque>
#include <functional>
#include <list>
#include <optional>

#include "communicators/waiting/waiter.hpp"
#include "kernel/balancer.hpp"
#include "kernel/mpi/outbox.hpp"

namespace regroup {

/// The messages between group leaders, point to point over the world communicator. Every rank has
/// one, since any may be taken for a leader, or become one.
class Mailbox {
 public:
  /// Letters that are no balancer's message go to `notices` as soon as they are seen.
  Mailbox(MPI_Comm world, const Waiter& waiter,
          std::function<void(Letter letter)> notices = nullptr);
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;
  ~Mailbox();

  void send(const Message& message, int to, Outbox& outbox) const;

  /// Looks once; true where a message is there to take. This is all that an item pays.
  bool look();

  /// The oldest message, if one is there.
  std::optional<Message> take();

  /// Returns when a message is there to take or, where given, `at_most_s` seconds are over.
  void wait(std::optional<double> at_most_s);

  /// Returns when `done`, which notices have made so, answers true.
  template <class Done>
  void wait_for_notices(Done done) {
    while (!done()) wait_for_letter();
  }

  /// Completes `other`, and passes what comes meanwhile on to `leader`.
  void pass_on_until(MPI_Request& other, int leader, Outbox& outbox, const Waiter& waiter);

  /// Passes on to `leader` what was not taken.
  void pass_on(int leader, Outbox& outbox);

 private:
  /// A letter that may come, and the receive of its first part.
  struct Expected {
    Letter letter;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  void expect(Expected& expected);
  void wait_for_letter();
  /// As many again, up to `expected_most`.
  void expect_more();
  /// The oldest is there.
  void accept(const MPI_Status& status);

  // A message may set out only when its receive is there: several where several came in the time
  // of an item, so that one look finds all. One elsewhere: a simulator searches them all, for every
  // message of every rank.
  static constexpr std::size_t expected_most = 8;

  MPI_Comm world_;
  const Waiter& waiter_;
  std::function<void(Letter letter)> notices_;
  std::list<Expected> expected_;  // oldest first: they come in this order
  std::deque<Message> arrived_;
};

}  // namespace regroup
