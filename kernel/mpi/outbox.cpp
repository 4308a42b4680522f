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
}

void Outbox::reap() {
  while (!under_way_.empty()) {
    int done = 0;
    MPI_Test(&under_way_.front().request, &done, MPI_STATUS_IGNORE);
    if (done == 0) return;
    spare_.splice(spare_.begin(), under_way_, under_way_.begin());
  }
}

void Outbox::finish(const Waiter& waiter) {
  for (Letter& letter : under_way_) waiter.wait(letter.request);
  spare_.splice(spare_.begin(), under_way_);
}

}  // namespace regroup
