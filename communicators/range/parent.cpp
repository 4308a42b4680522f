// SPDX-License-Identifier: BSD-3-Clause
#include "communicators/range/parent.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "communicators/range/comm.hpp"
#include "communicators/range/error.hpp"
#include "communicators/range/matching.hpp"
#include "communicators/range/operation.hpp"

namespace regroup::range {

OverlapCheck default_overlap_check() {
#ifdef NDEBUG
  return OverlapCheck::off;
#else
  return OverlapCheck::on;
#endif
}

namespace {

MPI_Comm require_intracommunicator(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) {
    throw std::invalid_argument("range communicators: there is no MPI communicator");
  }
  int between_groups = 0;
  throw_on_error(MPI_Comm_test_inter(comm, &between_groups));
  if (between_groups) {
    throw std::invalid_argument(
        "range communicators: an intercommunicator has two groups, and no ranges of ranks");
  }
  return comm;
}

}  // namespace

Parent::Parent(MPI_Comm comm, Waiter waiter, OverlapCheck check)
    : comm_(require_intracommunicator(comm)),
      waiter_(waiter),
      check_(check),
      matching_(std::make_unique<Matching>(comm)) {
  throw_on_error(MPI_Comm_rank(comm, &rank_));
  throw_on_error(MPI_Comm_size(comm, &size_));
  void* largest_tag = nullptr;
  int found = 0;
  // An attribute of the world, also for communicators that do not inherit it.
  throw_on_error(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &largest_tag, &found));
  const unsigned tags = found ? static_cast<unsigned>(*static_cast<int*>(largest_tag)) : 32767U;
  const unsigned whole = std::bit_floor(tags + 1);
  constexpr unsigned of_channel = tags_of_channel;
  max_message_tag_ = static_cast<int>(std::min(whole, of_channel)) - first_message_tag - 1;
  channels_ = Channels(std::max(whole / of_channel, 1U) - 1);
  under_way_.reserve(16);
  pending_.reserve(64);
  pending_requests_.reserve(64);
}

Parent::~Parent() = default;

Comm Parent::all() { return Comm(*this); }

void Parent::progress() {
  matching_->match();
  for (std::size_t i = 0; i < under_way_.size();) {
    Operation* operation = under_way_[i];
    if (operation->advance()) {
      under_way_.erase(under_way_.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
}

void Parent::wait_for_a_message() {
  pending_.clear();
  pending_requests_.clear();
  for (Operation* operation : under_way_) {
    const std::size_t first = pending_.size();
    if (!operation->add_pending(pending_)) return;
    for (std::size_t i = first; i < pending_.size(); ++i) pending_[i].operation = operation;
  }
  for (const PendingMessage& message : pending_) pending_requests_.push_back(*message.request);
  int which = MPI_UNDEFINED;
  MPI_Status status;
  const int code = MPI_Waitany(static_cast<int>(pending_requests_.size()), pending_requests_.data(),
                               &which, &status);
  // Without an index, the operation finds the error when it looks for itself.
  if (which == MPI_UNDEFINED) return;
  const PendingMessage& message = pending_[static_cast<std::size_t>(which)];
  *message.request = MPI_REQUEST_NULL;
  if (message.status != nullptr) *message.status = status;
  if (code != MPI_SUCCESS) message.operation->fail(mpi_error(code));
}

void Parent::enter(Operation& operation) {
  if (check_ == OverlapCheck::on) {
    for (const Operation* other : under_way_) {
      if (operation.may_be_mistaken_for(*other)) {
        throw std::logic_error(
            "range communicators: this operation and one under way have two or more processes and "
            "the tag in common, so that their messages cannot be told apart; give one of them "
            "another tag");
      }
    }
  }
  under_way_.push_back(&operation);
}

void Parent::leave(Operation& operation) { std::erase(under_way_, &operation); }

}  // namespace regroup::range
