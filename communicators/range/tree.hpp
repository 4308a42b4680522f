// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace regroup::range {

/// A k-nomial tree over the ranks 0 … size - 1, turned so that `root` is its root. With 0 as root,
/// every subtree is a contiguous range of ranks, and the children of a rank follow it in ascending
/// order: what is combined along the tree is combined in the order of ranks.
///
/// Relative to the root, write ranks with digits to the base k: the parent of a rank has its lowest
/// digit other than 0 set to 0. k = 2 is the binomial tree; with size <= k the root has everybody
/// as a child.
///
/// k = `halving` is a binary tree, in which every rank has two children at most: the next rank, and
/// the one in the middle of those that are left of its subtree.
class Tree {
 public:
  static constexpr int halving = 1;

  Tree(int rank, int size, int root, int k);

  bool is_root() const { return turned_ == 0; }
  int parent() const { return turn_back(parent_); }
  int children() const { return children_; }
  int child(int i) const { return turn_back(turned_child(i)); }

  /// With 0 as root: one more than the last rank of the subtree below the i-th child, or below this
  /// rank itself.
  int child_end(int i) const;
  int end() const { return end_; }

 private:
  void descend();
  int turned_child(int i) const;
  int turn_back(int turned) const {
    const int rank = turned + root_;
    return rank < size_ ? rank : rank - size_;
  }

  int size_;
  int root_;
  int k_;
  int turned_;
  int parent_ = 0;
  int children_ = 0;
  int middle_ = 0;  // of a subtree that is halved: its second child
  int end_ = 0;
};

/// Which way the messages of a collective go along a tree.
enum class Way { down, up };

/// The k that collectives use for messages of `bytes` bytes: a wide, flat tree where the cost of a
/// message is its latency (and, with more ranks than cores, waking up the receiver), a narrow one
/// where it is the copying. The same on all members because the bytes are.
int tree_width(Way way, long long bytes);

}  // namespace regroup::range
