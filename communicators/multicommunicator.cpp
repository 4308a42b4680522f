// SPDX-License-Identifier: BSD-3-Clause
#include "communicators/multicommunicator.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <stdexcept>
#include <utility>

#include "communicators/constructors.hpp"

namespace regroup {
namespace {

std::vector<int> ranks_of(std::span<const Members> groups) {
  std::vector<int> ranks;
  for (const Members& group : groups) std::ranges::copy(group.ranks(), std::back_inserter(ranks));
  return ranks;
}

/// Checks `groups` and returns their ranks, group by group.
std::vector<int> checked(const std::vector<Members>& groups) {
  if (std::ranges::any_of(groups, &Members::empty)) {
    throw std::invalid_argument("a group of a multicommunicator is empty");
  }
  std::vector<int> ranks = ranks_of(groups);
  std::ranges::sort(ranks);
  if (std::ranges::adjacent_find(ranks) != ranks.end()) {
    throw std::invalid_argument("groups of a multicommunicator overlap");
  }
  return ranks_of(groups);
}

}  // namespace

Multicommunicator::Multicommunicator(Site& parent, const std::vector<Members>& groups, int tag)
    : parent_(parent), tag_(tag) {
  const std::vector<int> ranks = checked(groups);
  const auto place = std::ranges::find(ranks, parent.rank()) - ranks.begin();
  if (place == std::ssize(ranks)) {
    throw std::invalid_argument("the caller is in no group of the multicommunicator");
  }
  const auto middle = std::ssize(ranks_of(std::span(groups).first((groups.size() + 1) / 2)));
  high_ = place >= middle;
  if (groups.size() > 1) other_leader_ = ranks[static_cast<std::size_t>(high_ ? 0 : middle)];
  const auto begin = ranks.begin();
  const GroupHandle group =
      group_of(parent.comm(), Members::list(high_ ? std::vector(begin + middle, ranks.end())
                                                  : std::vector(begin, begin + middle)));
  MPI_Comm side = MPI_COMM_NULL;
  MPI_Comm_create_group(parent.comm(), group.get(), tag, &side);
  side_ = CommHandle(side, parent.communicators());
}

CommHandle Multicommunicator::flatten() const {
  if (other_leader_ < 0 || !side_) return {};
  MPI_Comm between = MPI_COMM_NULL;
  MPI_Intercomm_create(side_.get(), 0, parent_.comm(), other_leader_, tag_, &between);
  return {between, parent_.communicators()};
}

CommHandle Multicommunicator::merge() && {
  if (other_leader_ < 0) return std::move(side_);
  const CommHandle flat = flatten();
  if (!flat) return {};
  MPI_Comm merged = MPI_COMM_NULL;
  MPI_Intercomm_merge(flat.get(), high_ ? 1 : 0, &merged);
  return {merged, parent_.communicators()};
}

}  // namespace regroup

namespace regroup::constructor {

// multicommunicator: the three steps that the paper proposes instead of the rounds of Algorithm 1.
// They create a multicommunicator with one group per member, flatten it into an intercommunicator,
// and merge the result. Group-collective.
// Source: Dinan et al., EuroMPI 2011, section 5.2.

GroupComm multicommunicator(Site& parent, const Members& members, int tag) {
  if (!joins(parent, members)) return {};
  std::vector<Members> alone;
  for (const int rank : members.ranks()) alone.push_back(Members::range(rank, 1));
  return GroupComm(Multicommunicator(parent, alone, tag).merge());
}

}  // namespace regroup::constructor
