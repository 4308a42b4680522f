// SPDX-License-Identifier: BSD-3-Clause
#include "communicators/range/matching.hpp"

#include <algorithm>
#include <atomic>
#include <memory>

#include "communicators/range/operation.hpp"

namespace regroup::range {
namespace {

/// Whether a message was sent by the user on the parent communicator itself.
bool is_users_own(int mpi_tag) { return mpi_tag <= Parent::max_tag; }

// Messages that a Parent has removed from MPI's queue may be for the next Parent of the same
// communicator, if other processes are ahead. They are left in an attribute of the communicator.
using Left = std::vector<Arrival>;
std::atomic<bool> some_left{false};

int forget(MPI_Comm, int, void* left, void*) {
  delete static_cast<Left*>(left);
  return MPI_SUCCESS;
}

int key_of_left() {
  static const int key = [] {
    int made = MPI_KEYVAL_INVALID;
    throw_on_error(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &made, nullptr));
    return made;
  }();
  return key;
}

}  // namespace

Wanted::Wanted(const Comm& comm, int from, int tag)
    : comm_(comm),
      source_(from == MPI_ANY_SOURCE ? MPI_ANY_SOURCE : comm.parent_rank(from)),
      first_tag_(wire_tag(comm, Kind::point_to_point, tag == MPI_ANY_TAG ? 0 : tag)),
      last_tag_(tag == MPI_ANY_TAG ? first_tag_ + comm.parent().max_message_tag() : first_tag_) {}

bool Wanted::competes_with(const Wanted& other) const {
  if (last_tag_ < other.first_tag_ || other.last_tag_ < first_tag_) return false;
  if (source_ != MPI_ANY_SOURCE) return other.takes(source_, other.first_tag_);
  return other.source_ == MPI_ANY_SOURCE || takes(other.source_, first_tag_);
}

Matching::Matching(MPI_Comm comm) : comm_(comm) {
  waiting_.reserve(16);
  if (!some_left) return;
  void* left = nullptr;
  int found = 0;
  throw_on_error(MPI_Comm_get_attr(comm, key_of_left(), &left, &found));
  if (!found) return;
  kept_ = *static_cast<Left*>(left);
  throw_on_error(MPI_Comm_delete_attr(comm, key_of_left()));
}

Matching::~Matching() {
  if (kept_.empty()) return;
  auto left = std::make_unique<Left>(std::move(kept_));
  if (MPI_Comm_set_attr(comm_, key_of_left(), left.get()) != MPI_SUCCESS) return;
  left.release();
  some_left = true;
}

void Matching::post(void* data, int count, MPI_Datatype type, int source, int tag,
                    MPI_Request* request) {
  throw_on_error(MPI_Irecv(data, count, type, source, tag, comm_, request));
}

void Matching::receive(void* data, int count, MPI_Datatype type, Arrival arrival,
                       MPI_Request* request) {
  if (arrival.message == MPI_MESSAGE_NULL) {
    // The first message with this source and tag is the one that was found.
    post(data, count, type, arrival.source(), arrival.tag(), request);
  } else {
    throw_on_error(MPI_Imrecv(data, count, type, &arrival.message, request));
  }
}

bool Matching::must_wait(const WaitingReceive& receive, std::size_t before) const {
  const Wanted& wanted = receive.wanted();
  const auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(before);
  return !wanted.is_one_of_mpi() || std::any_of(waiting_.begin(), end, [&](const auto* earlier) {
    return earlier->wanted().competes_with(wanted);
  });
}

void Matching::add(WaitingReceive& receive) {
  // No waiting receive takes a kept message: it would have received it already.
  const auto kept = std::ranges::find_if(kept_, [&](const Arrival& arrival) {
    return receive.wanted().takes(arrival.source(), arrival.tag());
  });
  if (kept != kept_.end()) {
    const Arrival arrival = *kept;
    kept_.erase(kept);
    receive.take(arrival);
  } else if (must_wait(receive, waiting_.size())) {
    waiting_.push_back(&receive);
  } else {
    receive.post();
  }
}

void Matching::remove(WaitingReceive& receive) { std::erase(waiting_, &receive); }

void Matching::match_waiting() {
  for (std::size_t i = 0; i < waiting_.size();) {
    WaitingReceive& receive = *waiting_[i];
    Arrival arrival;
    if (!must_wait(receive, i)) {
      waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(i));
      receive.post();
    } else if (!find_in_queue(receive.wanted(), arrival)) {
      ++i;
    } else if (first_taker(arrival) == &receive) {
      remove(receive);
      receive.take(arrival);
    } else {
      // The message arrived after an earlier receive, which takes it, was tried: start again.
      i = 0;
    }
  }
}

WaitingReceive* Matching::first_taker(const Arrival& arrival) const {
  const auto first = std::ranges::find_if(waiting_, [&](const WaitingReceive* receive) {
    return receive->wanted().takes(arrival.source(), arrival.tag());
  });
  return first == waiting_.end() ? nullptr : *first;
}

bool Matching::find(const Wanted& wanted, MPI_Status& status) {
  match();
  for (const Arrival& kept : kept_) {
    if (!wanted.takes(kept.source(), kept.tag())) continue;
    status = kept.status;
    return true;
  }
  Arrival arrival;
  while (find_in_queue(wanted, arrival)) {
    if (first_taker(arrival) == nullptr) {
      status = arrival.status;
      return true;
    }
    match();
  }
  return false;
}

bool Matching::take_kept(int source, int tag, Arrival& kept) {
  const auto found = std::ranges::find_if(kept_, [&](const Arrival& arrival) {
    return arrival.source() == source && arrival.tag() == tag;
  });
  if (found == kept_.end()) return false;
  kept = *found;
  kept_.erase(found);
  return true;
}

// Removes the first message of the sender of `found` from MPI's queue: messages of one sender are
// removed in the order in which they were sent, except for those behind a message of the user.
void Matching::keep(const Arrival& found) {
  Arrival first = found;
  if (!look(found.source(), MPI_ANY_TAG, first) || is_users_own(first.tag())) first = found;
  int taken = 0;
  throw_on_error(
      MPI_Improbe(first.source(), first.tag(), comm_, &taken, &first.message, &first.status));
  if (!taken) return;
  if (WaitingReceive* receive = first_taker(first)) {
    remove(*receive);
    receive->take(first);
  } else {
    kept_.push_back(first);
  }
}

bool Matching::look(int source, int tag, Arrival& arrival) const {
  int found = 0;
  throw_on_error(MPI_Iprobe(source, tag, comm_, &found, &arrival.status));
  return found != 0;
}

bool Matching::find_in_queue(const Wanted& wanted, Arrival& arrival) {
  if (wanted.source() != MPI_ANY_SOURCE) return find_of(wanted, wanted.source(), arrival);
  while (look(MPI_ANY_SOURCE, wanted.tag(), arrival)) {
    if (wanted.takes(arrival.source(), arrival.tag())) return true;
    if (is_users_own(arrival.tag())) {
      // The user's message stays first in the queue and hides later messages.
      const Comm& comm = wanted.comm();
      for (int rank = 0; rank < comm.size(); ++rank) {
        if (find_of(wanted, comm.parent_rank(rank), arrival)) return true;
      }
      return false;
    }
    keep(arrival);
  }
  return false;
}

bool Matching::find_of(const Wanted& wanted, int source, Arrival& arrival) {
  while (look(source, wanted.tag(), arrival)) {
    if (wanted.takes(source, arrival.tag())) return true;
    if (is_users_own(arrival.tag())) {
      for (int tag = wanted.first_tag(); tag <= wanted.last_tag(); ++tag) {
        if (look(source, tag, arrival)) return true;
      }
      return false;
    }
    keep(arrival);
  }
  return false;
}

}  // namespace regroup::range
