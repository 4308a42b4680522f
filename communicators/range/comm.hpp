// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "communicators/range/context.hpp"
#include "communicators/range/parent.hpp"

namespace regroup::range {

/// A numbering of processes that is no range of the Parent's ranks: number i is rank `ranks[i]`.
class RankList : public std::enable_shared_from_this<RankList> {
 public:
  explicit RankList(std::span<const int> ranks);

  int rank(int number) const { return ranks_[static_cast<std::size_t>(number)]; }
  /// The number of `rank`, or -1. Logarithmic.
  int number(int rank) const;

 private:
  std::vector<int> ranks_;
  std::vector<std::pair<int, int>> sorted_;  // rank, number
};

/// The ranks first, first + stride, … last of a Parent (or of a RankList), as a communicator: after
/// RBC (Axtmann, Wiebigke, Sanders, IPDPS 2018, arXiv 1710.08027). A small value; making, copying
/// and dropping one is local and constant time, whatever its size, and calls nothing of MPI. Nobody
/// else need make it, or know. Borrows its Parent.
///
/// A process that is no member may make one, too, to translate ranks; it cannot communicate.
///
/// Operations are free functions that take the communicator last, in MPI's order of arguments: see
/// p2p.hpp and collectives.hpp. What may go on at the same time: see Parent.
class Comm {
 public:
  /// Of nobody; good for being assigned to.
  Comm() = default;

  /// The ranks first, first + stride, … up to `last` of this communicator, as a communicator of
  /// their own; `last` itself is a member only if the steps meet it. Throws std::invalid_argument
  /// unless 0 <= first <= last < size() and stride >= 1.
  Comm range(int first, int last, int stride = 1) const;

  /// The caller's rank, or -1 if it is no member.
  int rank() const { return rank_; }
  int size() const { return size_; }
  explicit operator bool() const { return parent_ != nullptr; }

  /// The rank in the Parent's MPI communicator of the member with this rank (not checked).
  int parent_rank(int rank) const {
    const int number = context_.f + rank * context_.stride;
    return list_ == nullptr ? number : list_->rank(number);
  }

  /// The member's rank of a rank of the Parent's MPI communicator, or -1 if it is no member.
  int rank_of(int parent_rank) const {
    return position(list_ == nullptr ? parent_rank : list_->number(parent_rank));
  }

  Parent& parent() const { return *parent_; }
  const Context& context() const { return context_; }

  /// What tells its messages apart beside the tag; 0 but for what icreate_group made. A range has
  /// its parent's.
  std::uint32_t channel() const { return channel_; }

 private:
  friend class Parent;
  friend class GroupCreation;

  explicit Comm(Parent& parent)
      : parent_(&parent),
        context_{0, 0, 0, parent.size() - 1, 1, 0},
        size_(parent.size()),
        rank_(parent.rank()) {}

  int position(int number) const {
    const int steps = number - context_.f;
    if (steps < 0 || number > context_.l) return -1;
    if (context_.stride == 1) return steps;
    return steps % context_.stride == 0 ? steps / context_.stride : -1;
  }

  Parent* parent_ = nullptr;
  const RankList* list_ = nullptr;
  Context context_;
  int size_ = 0;
  int rank_ = -1;
  std::uint32_t channel_ = 0;
};

/// Whether two communicators of one Parent have at least two processes in common.
bool overlap_in_two(const Comm& one, const Comm& other);

}  // namespace regroup::range
