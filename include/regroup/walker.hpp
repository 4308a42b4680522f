// SPDX-License-Identifier: BSD-3-Clause
//
// The parts of a walker: `Walker`, `Team` and `WalkerEntry`. With `random_bits`, `FixedPoint`,
// `exact::log`, `exact::exp` and `metropolis_accepts`, a chain does not depend on the group that
// executes it. Needs no MPI.
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

// The state of a walker as bytes. It is sent to ranks that join the group, and saved in files.

using State = std::vector<std::byte>;

/// Appends values to a state, as bytes. All members must run the same program on the same kind of
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

  /// Appends the number of `values` and the values, for Unpacker::take_all.
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void put_all(std::span<const T> values) {
    put(values.size());
    put(values);
  }

 private:
  State* state_;
};

/// Extracts values from a state, in the order in which they were appended.
class Unpacker {
 public:
  explicit Unpacker(std::span<const std::byte> state) : rest_(state) {}

  template <class T>
  requires std::is_trivially_copyable_v<T> T take() {
    T value;
    take(std::span(&value, 1));
    return value;
  }

  /// Fills `values`. Throws std::runtime_error if fewer values remain.
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void take(std::span<T> values) {
    const std::span<std::byte> bytes = std::as_writable_bytes(values);
    check(bytes.size() <= rest_.size());
    std::ranges::copy(rest_.first(bytes.size()), bytes.begin());
    rest_ = rest_.subspan(bytes.size());
  }

  /// Extracts the values of put_all. Throws std::runtime_error if fewer values remain.
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

// A walker is one Markov chain. Every member of its group has a walker object in the same state.
// Members share the work of an item and take the same step. Ranks that join the group receive the
// state.
//
// Chains are the same, bit by bit, for every balancer, strategy and number of ranks: random numbers
// depend on the number of the chain, and members combine integers only (FixedPoint for real
// numbers). Otherwise, WalkerEntry::reproducible must be false.

/// The members of a group that execute an item. The default is a team of one member. All members
/// must call the same operations, in the same order.
class Team {
 public:
  Team() = default;
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  virtual ~Team() = default;

  int rank() const { return rank_; }
  int size() const { return size_; }

  /// Replaces each of `values` by its sum over all members. Overflow wraps around.
  void sum(std::span<std::int64_t> values) { combine_if_several(values, Operation::sum); }
  /// Replaces each of `values` by its minimum or maximum over all members.
  void min(std::span<std::int64_t> values) { combine_if_several(values, Operation::min); }
  void max(std::span<std::int64_t> values) { combine_if_several(values, Operation::max); }
  /// Copies the `bytes` of member `root` to all members.
  void broadcast(std::span<std::byte> bytes, int root) {
    if (size_ > 1 && !bytes.empty()) broadcast_to_others(bytes, root);
  }

  std::int64_t sum(std::int64_t value) {
    sum(std::span(&value, 1));
    return value;
  }

  /// Exact sums of real numbers over all members. Throws std::range_error on all members if a sum
  /// exceeds the range of FixedPoint.
  void sum(std::span<FixedPoint> values);
  FixedPoint sum(FixedPoint value) {
    sum(std::span(&value, 1));
    return value;
  }

 protected:
  enum class Operation { sum, min, max };

  Team(int rank, int size) : rank_(rank), size_(size) {}

  // Implementations for teams of several members; `values` and `bytes` are not empty.
  virtual void combine(std::span<std::int64_t>, Operation) {}
  virtual void broadcast_to_others(std::span<std::byte>, int) {}

 private:
  void combine_if_several(std::span<std::int64_t> values, Operation operation) {
    if (size_ > 1 && !values.empty()) combine(values, operation);
  }

  int rank_ = 0;
  int size_ = 1;
  std::vector<std::int64_t> parts_;  // FixedPoint::parts of numbers to be summed
};

/// One item of a chain.
struct Item {
  std::int64_t number;  ///< 0, 1, … since the chain's start
  double seconds;  ///< time of the item in a group of this size, according to the configuration
  /// Messages of other chains, in the order of Walker::needs.
  std::span<const State> messages = {};
};

/// Identifies the message of chain `chain` after its item `item`.
struct Need {
  int chain = 0;
  std::int64_t item = 0;
};

/// Identifies a chain in the run; random numbers of a walker may depend only on this.
struct ChainName {
  int number = 0;            ///< 0, 1, … in the run
  std::uint64_t stream = 1;  ///< of random numbers
  /// Items of all chains of the run, if known; outlive the walker.
  std::span<const std::int64_t> items = {};
};

class Walker {
 public:
  virtual ~Walker() = default;

  /// Executes one item together with the other members. All members must end in the same state.
  ///
  /// An exception ends the run; the engine adds chain and item to its message. With chain_errors:
  /// end_chain, it ends only the chain, if a member throws it here, in joined(), done(), observe(),
  /// digest(), unpack() or the constructor. On the other members, the current or next operation of
  /// the team then throws; do not catch that exception. The walker is destroyed without a call of
  /// leaving(). A library that uses the communicator of a team is not interrupted, so all members
  /// must throw there. Exceptions in other functions end the run.
  virtual void execute(const Item& item, Team& team) = 0;

  /// Stores the whole state, and restores it. unpack() throws std::runtime_error for a state of
  /// another walker. Called between items, possibly only on some members, also before joined() and
  /// after leaving().
  virtual void pack(Packer& state) const = 0;
  virtual void unpack(Unpacker& state) = 0;

  /// For walkers that use a parallel library (team_communicator.hpp). Called on all members of
  /// `team` when the walker has received its state, before the next item. The time counts as
  /// hand-over time of the state.
  virtual void joined(Team&) {}
  /// Called on all members before the walker gets another team or is destroyed. The walker frees
  /// its objects that use the communicator of `team`, which is freed afterwards. Not called after
  /// an error; the destructor must then free them, while the communicator still exists.
  virtual void leaving(Team&) {}

  /// For chains that exchange messages (WalkerEntry::exchanges): the messages that item `item`
  /// needs before it starts. May depend only on the options, the name of the chain and `item`.
  /// Until its messages arrive, the chain waits, and its group may execute another chain.
  virtual std::vector<Need> needs(std::int64_t /*item*/) const { return {}; }
  /// The message for chain `to`, after an item from which `to` needs one. Called on one member.
  virtual void tell(int /*to*/, Packer& /*message*/) const {}

  /// Whether the chain ends after this item, even if items are left. Equal on all members.
  virtual bool done() const { return false; }

  /// Writes the draw at the end of the last item: a number for each quantity, in the order of their
  /// names. Equal on all members.
  virtual void observe(std::span<double>) const {}

  /// Whether the last item belongs to the warm-up, whose draws are discarded.
  virtual bool warming_up() const { return false; }

  /// Bits that depend on the result of the last item, for the hash of the chain.
  virtual std::uint64_t digest() const { return 0; }

 protected:
  Walker() = default;
  Walker(const Walker&) = default;
  Walker& operator=(const Walker&) = default;
};

/// A row of the list of walkers.
struct WalkerEntry : Entry {
  /// Creates the walker at the start of the chain.
  std::function<std::unique_ptr<Walker>(const Options& options, ChainName chain)> make;
  /// Approximate size of the state in bytes; 0: the walker has no state.
  std::function<std::int64_t(const Options& options)> state_bytes;
  bool smpi = true;   ///< whether SimGrid's SMPI can simulate it
  bool timed = true;  ///< whether item times are those of the configuration
  /// Names of the observed quantities. Names that end with "__" describe the sampler itself.
  std::span<const std::string_view> quantities = {};
  bool open_end = false;  ///< chains end by themselves (Walker::done); the workload gives the
                          ///< maximum number of items
  std::string_view warm_up_option =
      {};  ///< name of the option with the number of warm-up items; empty: no warm-up
  /// Whether chains are the same, bit by bit, in every run. If not, runs have no chains_hash.
  bool reproducible = true;
  std::string_view python = {};  ///< Python file that defines the walker; empty for C++
  /// Whether chains with these options exchange messages (`needs`, `tell`); nullptr: never.
  bool (*exchanges)(const Options& options) = nullptr;

  std::vector<std::string> quantity_names() const { return {quantities.begin(), quantities.end()}; }
};

/// Whether a move to a state that is e^`log_ratio` times as probable is accepted, by random `bits`;
/// -inf is never accepted. Throws std::range_error for NaN and +inf. Source: Metropolis et al., J.
/// Chem. Phys. 21, 1953.
bool metropolis_accepts(double log_ratio, std::uint64_t bits);

}  // namespace regroup
