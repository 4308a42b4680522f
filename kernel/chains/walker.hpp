// SPDX-License-Identifier: BSD-3-Clause
//
// The socket that walkers plug into. A walker is one Markov chain. Every member of the group that
// has it holds an object of it, all in the same state: members share the work of an item, and each
// then takes the same step. Who joins the group gets the state from one that has it.
//
// What a chain comes to must not depend on who executes it. So a walker draws by its own number
// (numbers/random.hpp), and members combine integers only, whose sums have no order: real numbers
// are summed as multiples of a fixed step (fixed_point.hpp). Then every chain is the same, bit by
// bit, whatever the balancer, the strategy, the size of groups and the number of ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "kernel/chains/observed.hpp"
#include "kernel/chains/state.hpp"
#include "kernel/options.hpp"

namespace regroup {

/// The members of a group at work on an item. Every operation is called by all of them, in the same
/// order. By itself, a team of one.
class Team {
 public:
  Team() = default;
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  virtual ~Team() = default;

  int rank() const { return rank_; }
  int size() const { return size_; }

  /// Replaces each of `values` by its sum over all members. On overflow it wraps.
  void sum(std::span<std::int64_t> values) { combine_if_several(values, Operation::sum); }
  /// … by the smallest, or the largest.
  void min(std::span<std::int64_t> values) { combine_if_several(values, Operation::min); }
  void max(std::span<std::int64_t> values) { combine_if_several(values, Operation::max); }
  /// All get the `bytes` of member `root`.
  void broadcast(std::span<std::byte> bytes, int root) {
    if (size_ > 1 && !bytes.empty()) broadcast_to_others(bytes, root);
  }

  std::int64_t sum(std::int64_t value) {
    sum(std::span(&value, 1));
    return value;
  }

 protected:
  enum class Operation { sum, min, max };

  Team(int rank, int size) : rank_(rank), size_(size) {}

  // What teams of several do; `values` and `bytes` are not empty.
  virtual void combine(std::span<std::int64_t>, Operation) {}
  virtual void broadcast_to_others(std::span<std::byte>, int) {}

 private:
  void combine_if_several(std::span<std::int64_t> values, Operation operation) {
    if (size_ > 1 && !values.empty()) combine(values, operation);
  }

  int rank_ = 0;
  int size_ = 1;
};

/// One item of a chain.
struct Item {
  std::int64_t number;  ///< 0, 1, … since the chain's start
  double seconds;       ///< what the configuration says that it takes a group of this size
};

/// Which chain a walker is: all that it may draw by.
struct ChainName {
  int number = 0;            ///< 0, 1, … in the run
  std::uint64_t stream = 1;  ///< of random numbers
};

class Walker {
 public:
  virtual ~Walker() = default;

  /// Executes one item together with the other members, and leaves all of them in the same state.
  virtual void execute(const Item& item, Team& team) = 0;

  /// The whole state, and back: after unpack() the walker goes on as the one that packed would.
  /// Throws std::runtime_error where the state is not one of such a walker.
  virtual void pack(Packer& state) const = 0;
  virtual void unpack(Unpacker& state) = 0;

  /// Asked after each item: whether the chain ends here, although the workload has more items for
  /// it. All members must answer the same.
  virtual bool done() const { return false; }

  /// What it observed in the last item.
  virtual Observed observed() const { return {}; }

  /// What the last item came to, in a few bits: they go into the hash of the chain.
  virtual std::uint64_t digest() const { return 0; }

 protected:
  Walker() = default;
  Walker(const Walker&) = default;
  Walker& operator=(const Walker&) = default;
};

/// A row of the list of walkers.
struct WalkerEntry : Entry {
  /// The walker at the start of the chain.
  std::unique_ptr<Walker> (*make)(const Options& options, ChainName chain);
  /// Bytes that a state takes, about; 0: it has none, and nothing is handed over.
  std::int64_t (*state_bytes)(const Options& options);
  bool smpi = true;                ///< SimGrid's SMPI simulates what it does
  bool timed = true;               ///< its items take the time that the configuration says
  std::string_view observes = {};  ///< what it observes: "its energy"; empty: nothing
  bool open_end = false;  ///< it says itself when it is done; the workload's items are the most
};

}  // namespace regroup
