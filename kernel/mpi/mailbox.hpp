// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <deque>
#include <optional>

#include "communicators/waiting/waiter.hpp"
#include "kernel/balancer.hpp"
#include "kernel/mpi/outbox.hpp"

namespace regroup {

/// The messages between group leaders, point to point over the world communicator. Every rank has
/// one, since any may be taken for a leader, or become one.
class Mailbox {
 public:
  Mailbox(MPI_Comm world, const Waiter& waiter);
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
  /// The oldest is there.
  void accept(const MPI_Status& status);
  Expected& oldest() { return expected_[oldest_]; }

  MPI_Comm world_;
  const Waiter& waiter_;
  // Several, so that what came in the time of an item is there in one look.
  std::array<Expected, 8> expected_;
  std::size_t oldest_ = 0;  // of them: they come in the order in which they were expected
  std::deque<Message> arrived_;
};

}  // namespace regroup
