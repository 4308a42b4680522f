// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <deque>
#include <optional>

#include "communicators/waiting/waiter.hpp"
#include "kernel/balancer.hpp"
#include "kernel/mpi/outbox.hpp"

namespace regroup {

/// The messages between group leaders, point to point over the world communicator.
class Mailbox {
 public:
  Mailbox(MPI_Comm world, const Waiter& waiter) : world_(world), waiter_(waiter) {}

  void send(const Outgoing& outgoing, Outbox& outbox) const;

  /// Looks once; true where a message is there to take. This is all that an item pays.
  bool look();

  /// The oldest message, if one is there.
  std::optional<Message> take();

  /// Returns when a message is there to take or, where given, `at_most_s` seconds are over.
  void wait(std::optional<double> at_most_s);

 private:
  Message receive();

  MPI_Comm world_;
  const Waiter& waiter_;
  std::deque<Message> arrived_;
};

}  // namespace regroup
