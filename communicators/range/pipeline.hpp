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

/// A broadcast in pieces of as many bytes, since members need not have the same datatype, whose
/// elements would end in different places. What does not lie in memory as its bytes are sent is
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

/// A reduction in pieces of as many elements, whose type all members have in common.
class LongReduceMachine {
 public:
  /// What ReduceMachine says.
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
