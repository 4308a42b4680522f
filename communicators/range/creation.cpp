// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "communicators/range/agreement.hpp"
#include "communicators/range/operation.hpp"
#include "regroup/range.hpp"

namespace regroup::range {
namespace {

struct Range {
  int first;
  int last;
  int stride;
};

std::optional<Range> as_range(std::span<const int> group) {
  if (group.size() == 1) return Range{group[0], group[0], 1};
  const int stride = group[1] - group[0];
  if (stride < 1) return {};
  for (std::size_t i = 2; i < group.size(); ++i) {
    if (group[i] - group[i - 1] != stride) return {};
  }
  return Range{group.front(), group.back(), stride};
}

[[noreturn]] void throw_no_channel(const char* why) {
  throw NoChannel(std::string("range communicator: ") + why);
}

std::uint64_t key_of(const Comm& parent, const Comm& comm, int tag) {
  std::uint64_t key = digest(digest(parent.context()), static_cast<std::uint64_t>(tag));
  for (int rank = 0; rank < comm.size(); ++rank) {
    key = digest(key, static_cast<std::uint64_t>(comm.parent_rank(rank)));
  }
  return key;
}

}  // namespace

struct GroupCreation::State {
  explicit State(const Comm& of) : comm(of) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    request = {};
    Parent& root = comm.parent();
    if (agreement.channel != 0) root.channels().give_back(agreement.channel);
    if (comm.context_.b != 0 || comm.context_.c != 0) {
      root.creations().forget(comm.context_);
      root.mpi_copies().forget(comm.context_);
    }
  }

  /// Stores the result of the agreement. Returns whether the communicator is complete.
  bool settle() {
    if (!agreed) return true;
    if (!agreement.complete) return false;
    if (agreement.channel == 0) throw_nothing_is_free();
    comm.channel_ = agreement.channel;
    if (comm.context_.c == 0) comm.context_.b = agreement.fresh;
    return true;
  }

  Comm comm;
  Agreement agreement;
  bool agreed = false;
  Request request;
};

void GroupCreation::Delete::operator()(State* state) const { delete state; }

GroupCreation::GroupCreation(const Comm& comm) : state_(new State(comm)) {}

void GroupCreation::agree(const Comm& parent, int tag) {
  State& state = *state_;
  if (parent.parent().channels().number() == 0) {
    throw_no_channel("this MPI library has too few tags for a communicator apart from others");
  }
  // Until its context is known, the new communicator uses its parent's channel.
  state.agreed = true;
  state.agreement.key = key_of(parent, state.comm, tag);
  // The context of a range is known already. It depends on the count of creations with this tag.
  const std::uint64_t name = digest(state.agreement.key, state.comm.context_.c);
  state.request = start_machine<AgreementMachine>(state.comm, numbered_label(state.comm, name),
                                                  &state.agreement);
}

GroupCreation GroupCreation::of_range(const Comm& parent, int first, int last, int stride, int tag,
                                      Isolation isolation) {
  const Comm range = parent.range(first, last, stride);
  require_member(range);
  GroupCreation creation(range);
  State& state = *creation.state_;
  Parent& root = parent.parent();
  const auto child = root.creations().child(parent.context(), range.context(), tag);
  state.comm.context_ = child.context;
  if (isolation == Isolation::agreed) {
    creation.agree(parent, tag);
  } else if (isolation == Isolation::by_tags) {
    state.comm.channel_ = root.channels().by_tags().at(child.place);
  } else {
    const std::uint32_t channel = root.channels().checked().at(child.place);
    if (channel == 0)
      throw_no_channel("this MPI library has too few tags for ranges to be checked");
    if (!root.channels().take(channel)) {
      throw_no_channel(
          "another one that lives here has its channel, so that their messages could not be told "
          "apart; create it with another tag, or with Isolation::agreed");
    }
    state.comm.channel_ = state.agreement.channel = channel;
  }
  return creation;
}

GroupCreation GroupCreation::of_list(const Comm& parent, std::span<const int> group, int tag) {
  Comm comm = parent.subset(group);
  require_member(comm);
  const int first = comm.parent_rank(0);
  comm.context_.a = first;
  comm.context_.b = 0;
  comm.context_.c = 0;
  GroupCreation creation(comm);
  if (comm.rank() == 0) {
    creation.state_->agreement.fresh =
        parent.parent().creations().fresh_context(first, comm.context_).b;
  }
  creation.agree(parent, tag);
  return creation;
}

GroupCreation icreate_group(const Comm& parent, int first, int last, int stride, int tag,
                            Isolation isolation) {
  require_collective(parent, tag);
  return GroupCreation::of_range(parent, first, last, stride, tag, isolation);
}

GroupCreation icreate_group(const Comm& parent, std::span<const int> group, int tag,
                            Isolation isolation) {
  require_collective(parent, tag);
  if (group.empty()) throw std::invalid_argument("range communicator: the group is empty");
  if (const auto range = as_range(group)) {
    return GroupCreation::of_range(parent, range->first, range->last, range->stride, tag,
                                   isolation);
  }
  return GroupCreation::of_list(parent, group, tag);
}

GroupCreation idup(const Comm& comm, int tag) {
  require_collective(comm, tag);
  return icreate_group(comm, 0, comm.size() - 1, 1, tag);
}

GroupCreation dup(const Comm& comm, int tag) {
  GroupCreation creation = idup(comm, tag);
  creation.wait();
  return creation;
}

std::optional<GroupCreation> split(const Comm& comm, int colour, int key, int tag) {
  require_collective(comm, tag);
  const std::array mine{colour, key};
  std::vector<std::array<int, 2>> all(static_cast<std::size_t>(comm.size()));
  allgather(mine.data(), 2, MPI_INT, all.data(), 2, MPI_INT, comm, tag);
  if (colour == MPI_UNDEFINED) return {};
  std::vector<int> members;
  for (int rank = 0; rank < comm.size(); ++rank) {
    if (all[static_cast<std::size_t>(rank)][0] == colour) members.push_back(rank);
  }
  std::ranges::stable_sort(members, {},
                           [&](int rank) { return all[static_cast<std::size_t>(rank)][1]; });
  GroupCreation creation = icreate_group(comm, members, tag);
  creation.wait();
  return creation;
}

bool GroupCreation::test() { return state_->request.test() && state_->settle(); }

void GroupCreation::wait() {
  state_->request.wait();
  state_->settle();
}

Request GroupCreation::take_request() { return std::move(state_->request); }

const Comm& GroupCreation::comm() const {
  if (state_->settle()) return state_->comm;
  throw std::logic_error("range communicator: used before its creation was complete");
}

}  // namespace regroup::range
