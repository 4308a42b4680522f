// SPDX-License-Identifier: BSD-3-Clause
//
// The parts of a walker: `Walker`, `Team`, `WalkerEntry`; and `random_bits`, `FixedPoint`,
// `exact::log`, `exact::exp` and `metropolis_accepts`, which keep a chain the same whoever executes
// it. Needs no MPI.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "regroup/fixed_point.hpp"
#include "regroup/numbers.hpp"
#include "regroup/options.hpp"

namespace regroup {

// A walker's state as bytes: what travels to those who join its group, and what is written down.

using State = std::vector<std::byte>;

/// Appends values to a state, as bytes: all members run the same program on the same kind of
/// machine.
class Packer {
 public:
  explicit Packer(State& state) : state_(&state) {}

  template <class T>
  requires std::is_trivially_copyable_v<T>
  void put(const T& value) { put(std::span(&value, 1)); }

  template <class T>
  requires std::is_trivially_copyable_v<T>
  void put(std::span<const T> values) {
    if (values.empty()) return;
    const std::size_t before = state_->size();
    state_->resize(before + values.size_bytes());
    std::memcpy(state_->data() + before, values.data(), values.size_bytes());
  }

  /// `values` with their number, for Unpacker::take_all.
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void put_all(std::span<const T> values) {
    put(values.size());
    put(values);
  }

 private:
  State* state_;
};

/// Takes values from a state in the order in which they were put.
class Unpacker {
 public:
  explicit Unpacker(std::span<const std::byte> state) : rest_(state) {}

  template <class T>
  requires std::is_trivially_copyable_v<T> T take() {
    T value;
    take(std::span(&value, 1));
    return value;
  }

  /// Fills `values`. Throws std::runtime_error where fewer are left.
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void take(std::span<T> values) {
    const std::span<std::byte> bytes = std::as_writable_bytes(values);
    check(bytes.size() <= rest_.size());
    std::ranges::copy(rest_.first(bytes.size()), bytes.begin());
    rest_ = rest_.subspan(bytes.size());
  }

  /// What put_all has put. Throws std::runtime_error where fewer are left.
  template <class T>
  requires std::is_trivially_copyable_v<T> std::vector<T> take_all() {
    const auto number = take<std::size_t>();
    check(number <= rest_.size() / sizeof(T));
    std::vector<T> values(number);
    take(std::span(values));
    return values;
  }

  std::size_t bytes_left() const { return rest_.size(); }

 private:
  static void check(bool enough) {
    if (!enough) throw std::runtime_error("a walker unpacks more than it packed");
  }

  std::span<const std::byte> rest_;
};

// A walker is one Markov chain. Every member of its group holds an object of it, all in the same
// state: members share the work of an item and take the same step. Who joins gets the state.
//
// Chains are the same, bit by bit, whatever the balancer, strategy and ranks: a walker draws by its
// own number, and members combine integers only (FixedPoint for real numbers). Walkers for which
// this does not hold say so (WalkerEntry::reproducible).

/// The members of a group at work on an item; by itself, a team of one. All members call every
/// operation, in the same order.
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

  /// The same of exact sums of real numbers. Throws std::range_error, on all members, where one is
  /// beyond the range of FixedPoint.
  void sum(std::span<FixedPoint> values);
  FixedPoint sum(FixedPoint value) {
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
  std::vector<std::int64_t> parts_;  // of numbers to be summed
};

/// One item of a chain.
struct Item {
  std::int64_t number;  ///< 0, 1, … since the chain's start
  double seconds;       ///< what the configuration says that it takes a group of this size
  /// What other chains told it, in the order of Walker::needs.
  std::span<const State> messages = {};
};

/// What chain `chain` tells at the end of its item `item`.
struct Need {
  int chain = 0;
  std::int64_t item = 0;
};

/// All that a walker may draw by, and what it may know of the run.
struct ChainName {
  int number = 0;            ///< 0, 1, … in the run
  std::uint64_t stream = 1;  ///< of random numbers
  /// Items of all chains of the run, if known; they outlive the walker.
  std::span<const std::int64_t> items = {};
};

class Walker {
 public:
  virtual ~Walker() = default;

  /// Executes one item together with the other members, and leaves all of them in the same state.
  ///
  /// An exception ends the run; the engine adds the chain and the item to its message. With
  /// chain_errors: end_chain, an exception of any member here, in joined(), done(), observe(),
  /// digest(), unpack() or the constructor ends the chain alone: on the other members, the
  /// operation of the team that they are in, or call next, throws; pass that on. Then the walker is
  /// destroyed without a call of leaving(). Nothing interrupts a member in a library on the
  /// communicator of a team: there, all members must throw. Exceptions elsewhere end the run.
  virtual void execute(const Item& item, Team& team) = 0;

  /// The whole state, and back. unpack() throws std::runtime_error for a state of another walker.
  /// Called between items, on some members only, before joined() and after leaving(), too.
  virtual void pack(Packer& state) const = 0;
  virtual void unpack(Unpacker& state) = 0;

  /// For walkers that use a parallel library (team_communicator.hpp): called on all members of
  /// `team` when their walker has its state, before its next item. Where the engine measures, the
  /// time counts as handing over the state.
  virtual void joined(Team&) {}
  /// Called on all members before the walker gets another team or is destroyed: it frees what it
  /// made on the communicator of `team`, which is freed afterwards. Not after an error: then the
  /// destructor does, while there still is a communicator.
  virtual void leaving(Team&) {}

  /// For chains that exchange messages (WalkerEntry::exchanges): what must be there before item
  /// `item` starts. Depends on the options, the chain's name and `item` alone. A chain whose
  /// messages are not there waits, and its group may execute another one.
  virtual std::vector<Need> needs(std::int64_t /*item*/) const { return {}; }
  /// What it tells chain `to` after an item that `to` needs a message of. Called on one member.
  virtual void tell(int /*to*/, Packer& /*message*/) const {}

  /// Whether the chain ends after this item, whatever items are left. The same on all members.
  virtual bool done() const { return false; }

  /// Writes the draw with which the last item ended: a number for each quantity of its kind, in
  /// their order. The same on all members.
  virtual void observe(std::span<double>) const {}

  /// Whether the last item was part of the warm-up, in which draws do not count.
  virtual bool warming_up() const { return false; }

  /// A few bits of the last item's result, for the hash of the chain.
  virtual std::uint64_t digest() const { return 0; }

 protected:
  Walker() = default;
  Walker(const Walker&) = default;
  Walker& operator=(const Walker&) = default;
};

/// A row of the list of walkers.
struct WalkerEntry : Entry {
  /// The walker at the start of the chain.
  std::function<std::unique_ptr<Walker>(const Options& options, ChainName chain)> make;
  /// Bytes that a state takes, about; 0: it has none, and nothing is handed over.
  std::function<std::int64_t(const Options& options)> state_bytes;
  bool smpi = true;   ///< SimGrid's SMPI simulates what it does
  bool timed = true;  ///< its items take the time that the configuration says
  /// What it observes, by name. Names that end with "__" are about the sampler itself.
  std::span<const std::string_view> quantities = {};
  bool open_end = false;  ///< it says itself when it is done; the workload's items are the most
  std::string_view warm_up_option = {};  ///< the option with the items of its warm-up; empty: none
  /// A chain is the same, bit by bit, whoever executes it. If not, no run has a chains_hash.
  bool reproducible = true;
  std::string_view python = {};  ///< the file that defines it; empty: it is C++
  /// Whether chains with these options exchange messages (`needs`, `tell`); nullptr: never.
  bool (*exchanges)(const Options& options) = nullptr;

  std::vector<std::string> quantity_names() const { return {quantities.begin(), quantities.end()}; }
};

/// Whether a step to a state e^`log_ratio` times as probable is taken, with random `bits`; -inf
/// never. Throws std::range_error for NaN and +inf. Source: Metropolis et al., J. Chem. Phys. 21,
/// 1953.
bool metropolis_accepts(double log_ratio, std::uint64_t bits);

}  // namespace regroup
