// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/mpi/mailbox.hpp"

#include "kernel/items/sleep.hpp"
#include "kernel/mpi/stage/tags.hpp"

namespace regroup {

void Mailbox::send(const Outgoing& outgoing, Outbox& outbox) const {
  outbox.reap();
  outbox.send(outgoing.message, outgoing.to, tag_leaders, world_);
}

bool Mailbox::look() {
  // A probe that finds nothing may be what makes MPI take in a message that was there already:
  // MPICH progresses after it has looked. A second probe sees it; without it a request would wait
  // for one more item.
  int there = 0;
  for (int probe = 0; probe < 2 && there == 0; ++probe) {
    MPI_Iprobe(MPI_ANY_SOURCE, tag_leaders, world_, &there, MPI_STATUS_IGNORE);
  }
  if (there != 0) arrived_.push_back(receive());
  return !arrived_.empty();
}

std::optional<Message> Mailbox::take() {
  if (!look()) return std::nullopt;
  const Message oldest = arrived_.front();
  arrived_.pop_front();
  return oldest;
}

void Mailbox::wait(std::optional<double> at_most_s) {
  if (look()) return;
  if (!at_most_s) {
    arrived_.push_back(receive());
    return;
  }
  // A few naps with a look after each: no busy core, and no loop that a virtual clock never ends.
  constexpr int naps = 8;
  for (int nap = 0; nap < naps && !look(); ++nap) sleep_for(*at_most_s / naps);
}

Message Mailbox::receive() {
  Message message;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Irecv(&message, sizeof message, MPI_BYTE, MPI_ANY_SOURCE, tag_leaders, world_, &request);
  waiter_.wait(request);
  return message;
}

}  // namespace regroup
