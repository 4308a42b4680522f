// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/mpi/mailbox.hpp"

#include <array>
#include <utility>

#include "kernel/items/sleep.hpp"
#include "kernel/mpi/stage/tags.hpp"

namespace regroup {

Mailbox::Mailbox(MPI_Comm world, const Waiter& waiter) : world_(world), waiter_(waiter) {
  expect();
}

Mailbox::~Mailbox() {
  MPI_Cancel(&request_);
  MPI_Wait(&request_, MPI_STATUS_IGNORE);
}

void Mailbox::send(const Message& message, int to, Outbox& outbox) const {
  outbox.reap();
  outbox.send(to_letter(message), to, tag_leaders, world_);
}

bool Mailbox::look() {
  int there = 0;
  MPI_Status status;
  MPI_Test(&request_, &there, &status);
  if (there != 0) accept(status);
  return !arrived_.empty();
}

std::optional<Message> Mailbox::take() {
  if (!look()) return std::nullopt;
  Message oldest = std::move(arrived_.front());
  arrived_.pop_front();
  return oldest;
}

void Mailbox::wait(std::optional<double> at_most_s) {
  if (look()) return;
  if (!at_most_s) {
    MPI_Status status;
    waiter_.wait(request_, &status);
    accept(status);
    return;
  }
  // A few naps with a look after each: no busy core, and no loop that a virtual clock never ends.
  constexpr int naps = 8;
  const double nap_s = *at_most_s / naps;
  for (int nap = 0; nap_s > 0 && nap < naps && !look(); ++nap) sleep_for(nap_s);
}

void Mailbox::pass_on_until(MPI_Request& other, int leader, Outbox& outbox, const Waiter& waiter) {
  std::array both{other, request_};
  MPI_Status status;
  while (waiter.wait_any(both, status) != 0) {
    accept(status);
    pass_on(leader, outbox);
    both[1] = request_;
  }
  other = MPI_REQUEST_NULL;
}

void Mailbox::pass_on(int leader, Outbox& outbox) {
  for (const Message& message : std::exchange(arrived_, {})) send(message, leader, outbox);
}

void Mailbox::expect() {
  next_ = {};
  begin_to_receive(next_, MPI_ANY_SOURCE, tag_leaders, world_, request_);
}

void Mailbox::accept(const MPI_Status& status) {
  receive_rest(next_, status.MPI_SOURCE, tag_leaders, world_, waiter_);
  arrived_.push_back(message_of(std::move(next_)));
  expect();
}

}  // namespace regroup
