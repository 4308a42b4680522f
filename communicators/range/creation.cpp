// SPDX-License-Identifier: BSD-3-Clause
#include "communicators/range/creation.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "communicators/range/bcast.hpp"
#include "communicators/range/operation.hpp"

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

std::vector<int> parent_ranks(const Comm& parent, std::span<const int> group) {
  std::vector<int> ranks;
  ranks.reserve(group.size());
  for (const int rank : group) {
    require_rank("a member of the group", rank, parent);
    ranks.push_back(parent.parent_rank(rank));
  }
  std::vector<int> sorted = ranks;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) != sorted.end()) {
    throw std::invalid_argument("range communicator: a rank is twice in the group");
  }
  return ranks;
}

}  // namespace

struct GroupCreation::State {
  std::optional<RankList> list;
  Comm comm;
  std::int32_t fresh = 0;
  Request request;  // last, so that it is waited for first
};

void GroupCreation::Delete::operator()(State* state) const { delete state; }

GroupCreation GroupCreation::of_range(const Comm& parent, int first, int last, int stride,
                                      int tag) {
  GroupCreation creation;
  creation.state_.reset(new State{{}, parent.range(first, last, stride), 0, {}});
  Comm& comm = creation.state_->comm;
  require_member(comm);
  Parent& root = parent.parent();
  const int end = first + (comm.size() - 1) * stride;
  comm.context_ = root.creations().child_context(parent.context(), first, end, stride, tag);
  comm.channel_ = channel_of(comm.context_, root.channels());
  return creation;
}

GroupCreation GroupCreation::of_list(const Comm& parent, std::span<const int> group, int tag) {
  GroupCreation creation;
  creation.state_.reset(new State{RankList(parent_ranks(parent, group)), parent, 0, {}});
  State& state = *creation.state_;
  Parent& root = parent.parent();
  const int size = static_cast<int>(group.size());
  const int first = parent.parent_rank(group[0]);

  // Until its context is known, the new communicator speaks on its parent's channel.
  Comm& comm = state.comm;
  comm.list_ = &*state.list;
  comm.size_ = size;
  comm.rank_ = state.list->number(root.rank());
  comm.context_ = {first, 0, 0, size - 1, 1, 0};
  require_member(comm);
  if (comm.rank() == 0) state.fresh = root.creations().fresh_context(first, size).b;
  state.request = start<BcastMachine>(comm, Kind::creation, tag, static_cast<void*>(&state.fresh),
                                      1, MPI_INT32_T, 0);
  return creation;
}

GroupCreation icreate_group(const Comm& parent, int first, int last, int stride, int tag) {
  require_collective(parent, tag);
  return GroupCreation::of_range(parent, first, last, stride, tag);
}

GroupCreation icreate_group(const Comm& parent, std::span<const int> group, int tag) {
  require_collective(parent, tag);
  if (group.empty()) throw std::invalid_argument("range communicator: the group is empty");
  if (const auto range = as_range(group)) {
    return GroupCreation::of_range(parent, range->first, range->last, range->stride, tag);
  }
  return GroupCreation::of_list(parent, group, tag);
}

bool GroupCreation::test() {
  if (!state_->request.test()) return false;
  Comm& comm = state_->comm;
  if (state_->fresh != 0 && comm.context_.b == 0) {
    comm.context_.b = state_->fresh;
    comm.channel_ = channel_of(comm.context_, comm.parent().channels());
  }
  return true;
}

void GroupCreation::wait() {
  state_->request.wait();
  test();
}

const Comm& GroupCreation::comm() const {
  if (state_->request) {
    throw std::logic_error("range communicator: used before its creation was complete");
  }
  return state_->comm;
}

}  // namespace regroup::range
