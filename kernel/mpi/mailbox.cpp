// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/mpi/mailbox.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "kernel/items/sleep.hpp"
#include "kernel/mpi/stage/tags.hpp"

namespace regroup {

Mailbox::Mailbox(MPI_Comm world, const Waiter& waiter, std::function<void(Letter letter)> notices)
    : world_(world), waiter_(waiter), notices_(std::move(notices)) {
  expect(expected_.emplace_back());
}

Mailbox::~Mailbox() {
  for (Expected& expected : expected_) {
    MPI_Cancel(&expected.request);
    MPI_Wait(&expected.request, MPI_STATUS_IGNORE);
  }
}

void Mailbox::send(const Message& message, int to, Outbox& outbox) const {
  outbox.reap();
  outbox.send(to_letter(message), to, tag_leaders, world_);
}

bool Mailbox::look() {
  for (std::size_t looks = 0; looks < expected_.size(); ++looks) {
    int there = 0;
    MPI_Status status;
    MPI_Test(&expected_.front().request, &there, &status);
    if (there == 0) return !arrived_.empty();
    accept(status);
  }
  expect_more();
  return !arrived_.empty();
}

std::optional<Message> Mailbox::take() {
  if (arrived_.empty() && !look()) return std::nullopt;
  Message oldest = std::move(arrived_.front());
  arrived_.pop_front();
  return oldest;
}

void Mailbox::wait(std::optional<double> at_most_s) {
  if (look()) return;
  if (!at_most_s) {
    while (arrived_.empty()) wait_for_letter();
    return;
  }
  // A few naps with a look after each: no busy core, and no loop that a virtual clock never ends.
  constexpr int naps = 8;
  const double nap_s = *at_most_s / naps;
  for (int nap = 0; nap_s > 0 && nap < naps && !look(); ++nap) sleep_for(nap_s);
}

void Mailbox::pass_on_until(MPI_Request& other, int leader, Outbox& outbox, const Waiter& waiter) {
  std::array both{other, expected_.front().request};
  MPI_Status status;
  while (waiter.wait_any(both, status) != 0) {
    accept(status);
    pass_on(leader, outbox);
    both[1] = expected_.front().request;
  }
  other = MPI_REQUEST_NULL;
}

void Mailbox::pass_on(int leader, Outbox& outbox) {
  for (const Message& message : std::exchange(arrived_, {})) send(message, leader, outbox);
}

void Mailbox::wait_for_letter() {
  MPI_Status status;
  waiter_.wait(expected_.front().request, &status);
  accept(status);
}

void Mailbox::expect(Expected& expected) {
  expected.letter = {};
  begin_to_receive(expected.letter, MPI_ANY_SOURCE, tag_leaders, world_, expected.request);
}

void Mailbox::expect_more() {
  const std::size_t wanted = std::min(2 * expected_.size(), expected_most);
  while (expected_.size() < wanted) expect(expected_.emplace_back());
}

void Mailbox::accept(const MPI_Status& status) {
  Expected& first = expected_.front();
  receive_rest(first.letter, status.MPI_SOURCE, tag_leaders, world_, waiter_);
  Letter letter = std::move(first.letter);
  expect(first);
  expected_.splice(expected_.end(), expected_, expected_.begin());
  if (notice_in(letter) != Notice::none) return notices_(std::move(letter));
  arrived_.push_back(message_of(std::move(letter)));
}

}  // namespace regroup
