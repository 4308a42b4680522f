// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <bit>
#include <stdexcept>

#include "communicators/range/matching.hpp"
#include "communicators/range/numbered.hpp"
#include "communicators/range/operation.hpp"
#include "regroup/range.hpp"

namespace regroup::range {
// The finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
std::uint64_t mixed(std::uint64_t bits) {
  bits ^= bits >> 30;
  bits *= 0xbf58476d1ce4e5b9U;
  bits ^= bits >> 27;
  bits *= 0x94d049bb133111ebU;
  return bits ^ (bits >> 31);
}

std::uint64_t digest(std::uint64_t so_far, std::uint64_t number) {
  return mixed(so_far + 0x9e3779b97f4a7c15U + mixed(number));
}

std::uint64_t digest_of_pair(std::uint64_t so_far, int high, int low) {
  return digest(so_far, std::uint64_t{static_cast<std::uint32_t>(high)} << 32 |
                            static_cast<std::uint32_t>(low));
}

std::uint64_t digest(const Context& context) {
  const std::uint64_t numbering = digest_of_pair(context.c, context.a, context.b);
  return digest_of_pair(digest_of_pair(numbering, context.f, context.l), context.stride, 0);
}

std::uint64_t CreationLog::numbering(const Context& context) {
  return digest_of_pair(context.c, context.a, context.b);
}

CreationLog::Child CreationLog::child(const Context& parent, const Context& members, int tag) {
  Context context = members;
  // The key contains the parent's members: creations from different parents need no common order.
  const std::uint64_t key =
      digest_of_pair(digest_of_pair(digest(parent), context.f, context.l), context.stride, tag);
  const std::uint32_t count = ++count_[numbering(parent)][key];
  context.c = digest(key, count);
  return {context, key + count};
}

std::uint64_t CreationLog::next_collective(const Context& comm) {
  if (last_count_ == nullptr || comm != last_) {
    last_ = comm;
    last_key_ = digest(comm);
    last_count_ = &count_[numbering(comm)][last_key_];
  }
  return digest(last_key_, ++*last_count_);
}

OverlapCheck default_overlap_check() {
#ifdef NDEBUG
  return OverlapCheck::off;
#else
  return OverlapCheck::on;
#endif
}

namespace {

thread_local std::vector<Parent*> parents_of_this_thread;

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

Channels Channels::of_parent(std::uint32_t separate, std::uint32_t all) {
  constexpr std::uint32_t most = Parent::most_separate;
  require_within("the number of the Parent", static_cast<int>(separate), 0, most);
  const std::uint32_t share = (all + 1) / 4 / (most + 1);
  if (separate == 0) return {0, all - share * most};
  if (share == 0) {
    throw NoChannel("range communicators: this MPI library has too few tags for several Parents");
  }
  return {all + 1 - separate * share, share - 1};
}

Parent::Parent(MPI_Comm comm, Waiter waiter, OverlapCheck check, std::uint32_t separate)
    : comm_(require_intracommunicator(comm)),
      waiter_(waiter),
      check_(check),
      matching_(std::make_unique<Matching>(comm)),
      numbered_(std::make_unique<NumberedMessages>(*this)) {
  throw_on_error(MPI_Comm_rank(comm, &rank_));
  throw_on_error(MPI_Comm_size(comm, &size_));
  void* largest_tag = nullptr;
  int found = 0;
  // MPI_TAG_UB is an attribute of MPI_COMM_WORLD, which other communicators need not inherit.
  throw_on_error(
      MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, static_cast<void*>(&largest_tag), &found));
  const unsigned tags = found ? static_cast<unsigned>(*static_cast<int*>(largest_tag)) : 32767U;
  const unsigned whole = std::bit_floor(tags + 1);
  constexpr unsigned of_channel = tags_of_channel;
  max_message_tag_ = static_cast<int>(std::min(whole, of_channel)) - first_message_tag - 1;
  channels_ = Channels::of_parent(separate, std::max(whole / of_channel, 1U) - 1);
  under_way_.reserve(16);
  pending_.reserve(64);
  pending_requests_.reserve(64);
  parents_of_this_thread.push_back(this);
}

Parent::Parent(MPI_Comm comm) : Parent(require_intracommunicator(comm), Waiter::automatic(comm)) {}

Parent::~Parent() { std::erase(parents_of_this_thread, this); }

void progress() {
  for (Parent* parent : parents_of_this_thread) parent->progress();
}

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
  // Without an index, the operation finds the error when it tests its requests.
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

void Parent::abandon(const std::exception_ptr& error) {
  for (Operation* operation : under_way_) operation->fail(error);
  progress();
}

bool overlap_in_two(const Comm& one, const Comm& other) {
  const bool swap = other.size() < one.size();
  const Comm& small = swap ? other : one;
  const Comm& large = swap ? one : other;
  int common = 0;
  for (int rank = 0; rank < small.size() && common < 2; ++rank) {
    if (large.rank_of(small.parent_rank(rank)) >= 0) ++common;
  }
  return common == 2;
}

}  // namespace regroup::range
