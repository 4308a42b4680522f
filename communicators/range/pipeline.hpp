// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <climits>
#include <optional>
#include <vector>

#include "communicators/range/operation.hpp"
#include "communicators/range/reduce.hpp"
#include "regroup/range.hpp"

namespace regroup::range {

/// Splits a long collective into pieces, each a collective of its own: while a rank forwards one
/// piece, it receives the next. Pieces advance in order, since their messages have the same tag.
template <class Machine>
class Pipeline {
 public:
  /// Ranks forward pieces in a binary tree: with more children, each would wait for the others.
  static constexpr int tree = Tree::halving;

  explicit Pipeline(int pieces) : pieces_(pieces) {}

  /// `begin(std::optional<Machine>&, int piece)` creates the machine of a piece. Returns true once
  /// all pieces are complete.
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

/// Whether collectives on `comm` send a message of `bytes` bytes in pieces; equal on all members,
/// as `bytes` is. With few members, a tree without pieces is as fast.
inline bool is_pipelined(long long bytes, const Comm& comm) {
  constexpr long long shortest = 262'144;
  constexpr int fewest_members = 5;
  return bytes >= shortest && bytes <= INT_MAX && comm.size() >= fewest_members &&
         comm.parent().pipelines();
}

/// A broadcast in pieces with equal numbers of bytes. Pieces of elements would have different sizes
/// on members with different datatypes. Data whose bytes in memory are not those of the message are
/// packed.
class LongBcastMachine {
 public:
  LongBcastMachine(const Comm& comm, const Label& label, void* data, int count, MPI_Datatype type,
                   int root);
  LongBcastMachine(const LongBcastMachine&) = delete;
  LongBcastMachine& operator=(const LongBcastMachine&) = delete;
  ~LongBcastMachine();

  bool advance();
  void add_pending(std::vector<PendingMessage>& pending) { pipeline_.add_pending(pending); }

 private:
  bool pass_on();

  Comm comm_;
  Label label_;
  int root_;
  void* data_;
  int count_;
  MPI_Datatype type_;
  int bytes_;
  std::byte* packed_ = nullptr;
  bool through_ = false;
  Pipeline<BcastMachine> pipeline_;
};

/// A reduction in pieces with equal numbers of elements, whose type is the same on all members.
class LongReduceMachine {
 public:
  /// Parameters as for ReduceMachine.
  LongReduceMachine(const Comm& comm, const Label& label, const void* data, void* result,
                    void* spare, int count, MPI_Datatype type, MPI_Op op, int root);

  bool advance();
  void add_pending(std::vector<PendingMessage>& pending) { pipeline_.add_pending(pending); }

 private:
  Comm comm_;
  Label label_;
  int root_;
  const void* data_;
  void* result_;
  void* spare_;
  int count_;
  MPI_Datatype type_;
  MPI_Op op_;
  int piece_;
  Pipeline<ReduceMachine> pipeline_;
};

}  // namespace regroup::range
