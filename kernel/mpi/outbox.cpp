// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/mpi/outbox.hpp"

#include <utility>

namespace regroup {

void Outbox::send(const Letter& letter, int to, int tag, MPI_Comm comm) {
  if (spare_.empty()) spare_.emplace_back();
  Sent& sent = spare_.front();
  sent.letter = letter;
  const auto first = std::as_const(sent.letter).first();
  MPI_Isend(first.data(), static_cast<int>(first.size()), MPI_INT64_T, to, tag, comm, &sent.first);
  const auto& rest = sent.letter.rest();
  if (!rest.empty()) {
    MPI_Isend(rest.data(), static_cast<int>(rest.size()), MPI_INT64_T, to, tag + 1, comm,
              &sent.rest);
  }
  under_way_.splice(under_way_.end(), spare_, spare_.begin());
}

void Outbox::reap() {
  while (!under_way_.empty()) {
    for (MPI_Request* request : {&under_way_.front().first, &under_way_.front().rest}) {
      int done = 0;
      MPI_Test(request, &done, MPI_STATUS_IGNORE);
      if (done == 0) return;
    }
    spare_.splice(spare_.begin(), under_way_, under_way_.begin());
  }
}

void Outbox::finish(const Waiter& waiter) {
  for (Sent& sent : under_way_) {
    waiter.wait(sent.first);
    if (sent.rest != MPI_REQUEST_NULL) waiter.wait(sent.rest);
  }
  spare_.splice(spare_.begin(), under_way_);
}

void begin_to_receive(Letter& letter, int from, int tag, MPI_Comm comm, MPI_Request& request) {
  MPI_Irecv(letter.first().data(), static_cast<int>(Letter::first_part), MPI_INT64_T, from, tag,
            comm, &request);
}

void receive_rest(Letter& letter, int from, int tag, MPI_Comm comm, const Waiter& waiter) {
  const auto rest = letter.make_room();
  if (rest.empty()) return;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Irecv(rest.data(), static_cast<int>(rest.size()), MPI_INT64_T, from, tag + 1, comm, &request);
  waiter.wait(request);
}

}  // namespace regroup
