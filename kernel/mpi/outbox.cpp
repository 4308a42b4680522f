// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/mpi/outbox.hpp"

namespace regroup {

Outbox::Letter& Outbox::next_letter() {
  if (spare_.empty()) spare_.emplace_back();
  return spare_.front();
}

void Outbox::post(Letter& letter, std::size_t size, int to, int tag, MPI_Comm comm) {
  MPI_Isend(letter.content.data(), static_cast<int>(size), MPI_BYTE, to, tag, comm,
            &letter.request);
  under_way_.splice(under_way_.end(), spare_, spare_.begin());
  reap();
}

void Outbox::reap() {
  for (auto letter = under_way_.begin(); letter != under_way_.end();) {
    const auto next = std::next(letter);
    int done = 0;
    MPI_Test(&letter->request, &done, MPI_STATUS_IGNORE);
    if (done != 0) spare_.splice(spare_.begin(), under_way_, letter);
    letter = next;
  }
}

void Outbox::finish(const Waiter& waiter) {
  for (Letter& letter : under_way_) waiter.wait(letter.request);
  spare_.splice(spare_.begin(), under_way_);
}

}  // namespace regroup
