// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <climits>
#include <optional>
#include <vector>

#include "communicators/range/comm.hpp"
#include "communicators/range/tree.hpp"

namespace regroup::range {

/// The pieces of a long collective, each of which is a collective of its own: while a rank passes
/// one on, the next one comes in. They go on in order, since their messages have the same tag.
template <class Machine>
class Pipeline {
 public:
  /// Ranks pass pieces on along a binary tree: with more children, each of them would wait for all.
  static constexpr int tree = Tree::halving;

  explicit Pipeline(int pieces) : pieces_(pieces) {}

  /// `begin(std::optional<Machine>&, int piece)` makes the machine of a piece. True once all are
  /// through.
  template <class Begin>
  bool advance(Begin begin) {
    for (;;) {
      for (; begun_ < std::min(pieces_, through_ + most_at_once); ++begun_) {
        begin(machine(begun_), begun_);
      }
      for (int piece = through_; piece < begun_; ++piece) {
        machine(piece)->advance();
        if (!machine(piece)->has_sent()) break;
      }
      const int before = through_;
      for (; through_ < begun_ && machine(through_)->advance(); ++through_) {
        machine(through_).reset();
      }
      if (through_ == pieces_) return true;
      if (through_ == before) return false;
    }
  }

  void add_pending(std::vector<PendingMessage>& pending) {
    for (int piece = through_; piece < begun_; ++piece) machine(piece)->add_pending(pending);
  }

 private:
  static constexpr int most_at_once = 4;

  std::optional<Machine>& machine(int piece) {
    return machines_[static_cast<std::size_t>(piece % most_at_once)];
  }

  std::array<std::optional<Machine>, most_at_once> machines_;
  int pieces_;
  int begun_ = 0;
  int through_ = 0;
};

constexpr int pipelined_piece = 32768;  // bytes

/// Whether a message of so many bytes goes to the members of `comm` in pieces. The same on all of
/// them because the bytes are. With few members a tree is as fast.
inline bool is_pipelined(long long bytes, const Comm& comm) {
  constexpr long long shortest = 262'144;
  constexpr int fewest_members = 5;
  return bytes >= shortest && bytes <= INT_MAX && comm.size() >= fewest_members &&
         comm.parent().pipelines();
}

}  // namespace regroup::range
