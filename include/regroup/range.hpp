// SPDX-License-Identifier: BSD-3-Clause
//
// Range communicators, created without communication: `range::Parent`, `range::Comm`, messages,
// collectives and `range::icreate_group`. They are a library of their own, Regroup::range, which
// depends only on MPI.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <memory_resource>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

#include "regroup/rank_range.hpp"
#include "regroup/waiter.hpp"

namespace regroup::range {

/// Thrown if an MPI call fails and its error handler returns (MPI_ERRORS_RETURN), with MPI's text.
class MpiError : public std::runtime_error {
 public:
  explicit MpiError(int code);

  /// The error code that the call returned.
  int code() const { return code_; }
  /// The error class of MPI, such as MPI_ERR_TRUNCATE.
  int error_class() const { return class_; }

 private:
  int code_;
  int class_;
};

[[noreturn]] void throw_mpi_error(int code);
std::exception_ptr mpi_error(int code);

inline void throw_on_error(int code) {
  if (code != MPI_SUCCESS) [[unlikely]]
    throw_mpi_error(code);
}

/// Throws std::invalid_argument whose text contains `what`, the number and its bounds.
[[noreturn]] void throw_out_of_bounds(const char* what, int number, int lowest, int highest);

inline void require_within(const char* what, int number, int lowest, int highest) {
  if (number < lowest || number > highest) [[unlikely]] {
    throw_out_of_bounds(what, number, lowest, highest);
  }
}

/// Thrown if no channel is free to separate a communicator's messages from those of others.
class NoChannel : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The channels of one Parent, and those in use. A channel is a number in MPI tags. It separates
/// the communicators of icreate_group, and several Parents of one MPI communicator, whose messages
/// share one MPI context. The Parent's ranges use `base`; `number` further channels follow it.
class Channels {
 public:
  /// Consecutive channels.
  struct Pool {
    std::uint32_t first;
    std::uint32_t size;

    /// The channel at `place` modulo the size; 0 if the pool is empty.
    std::uint32_t at(std::uint64_t place) const {
      return size == 0 ? 0 : first + static_cast<std::uint32_t>(place % size);
    }
  };

  Channels(std::uint32_t base, std::uint32_t number) : base_(base), number_(number) {}

  /// Returns the channels of Parent number `separate`, disjoint from those of others. MPI has tags
  /// for the channels 0 … `all`; Parent 0 gets three quarters of them. Throws NoChannel.
  static Channels of_parent(std::uint32_t separate, std::uint32_t all);

  std::uint32_t base() const { return base_; }
  std::uint32_t number() const { return number_; }

  // One pool for each Isolation; they are disjoint.
  Pool by_tags() const { return {base_ + 1, number_ / 4}; }
  Pool checked() const { return {base_ + 1 + number_ / 4, number_ / 2}; }
  Pool agreed() const {
    const std::uint32_t others = number_ / 4 + number_ / 2;
    return {base_ + 1 + others, number_ - others};
  }

  bool is_taken(std::uint32_t channel) const {
    return std::ranges::find(taken_, channel) != taken_.end();
  }
  /// Returns false if the channel is in use already.
  bool take(std::uint32_t channel) {
    if (is_taken(channel)) return false;
    taken_.push_back(channel);
    return true;
  }
  void give_back(std::uint32_t channel) { std::erase(taken_, channel); }

 private:
  std::uint32_t base_;
  std::uint32_t number_;
  std::vector<std::uint32_t> taken_;
};

/// Identifies a communicator, without communication: the wide context ⟨a, b, f, l, c⟩ that Axtmann,
/// Wiebigke and Sanders propose for MPI (arXiv 1710.08027, section VI). Two communicators of one
/// Parent have the same context only if they are the same communicator.
///
/// - ⟨a, b⟩ identifies the creation of a group that is not a range: the `b`-th one of process `a`.
///   ⟨0, 0⟩: no such creation; the members are any ranks of the Parent's MPI communicator.
/// - `f … l` are the members, as ranks of the Parent. The additional `stride` makes every n-th
///   process a range, too. If the members are not a range, `stride` is 0, and `f` and `l` are the
///   halves of a digest of the members.
/// - `c` distinguishes communicators with the same members: for ranges created by icreate_group, a
///   64-bit digest of their creation (see CreationLog); otherwise 0.
struct Context {
  std::int32_t a = 0;
  std::int32_t b = 0;
  std::int32_t f = 0;
  std::int32_t l = -1;
  std::int32_t stride = 1;
  std::uint64_t c = 0;

  friend constexpr bool operator==(const Context&, const Context&) = default;
};

/// Mixes all bits; a bijection.
std::uint64_t mixed(std::uint64_t bits);

/// Returns the digest `so_far`, extended by `number`.
std::uint64_t digest(std::uint64_t so_far, std::uint64_t number);
std::uint64_t digest_of_pair(std::uint64_t so_far, int high, int low);

std::uint64_t digest(const Context& context);

/// Counts the creations and collectives of one process. Processes agree on contexts without a
/// message, because each counts the same creations: those with the same parent, members and tag,
/// which all members must call in the same order, as MPI requires for MPI_Comm_create_group, too.
/// Collectives in call order are counted for each communicator.
class CreationLog {
 public:
  CreationLog() = default;
  CreationLog(const CreationLog&) = delete;
  CreationLog& operator=(const CreationLog&) = delete;

  struct Child {
    Context context;
    /// Selects a channel: consecutive numbers for creations with the same parent, members and tag,
    /// and unrelated numbers for others.
    std::uint64_t place;
  };

  /// Returns the context and place of the next communicator of `members` of `parent` with `tag`.
  Child child(const Context& parent, const Context& members, int tag);

  /// Returns the name of the communicator's next collective in call order: a 64-bit digest, equal
  /// on all members and different from those of other operations.
  std::uint64_t next_collective(const Context& comm);

  /// Forgets the children and collectives of `parent` and of its ranges. No further ones may
  /// follow.
  void forget(const Context& parent) {
    last_count_ = nullptr;
    count_.erase(numbering(parent));
  }

  /// Returns a new context for `members` that are not a range. `process` must be the caller, which
  /// sends `b` to the other members.
  Context fresh_context(int process, Context members) {
    members.a = process;
    members.b = ++fresh_;
    members.c = 0;
    return members;
  }

 private:
  // Digest of ⟨a, b⟩ and c, which a communicator shares with its ranges.
  static std::uint64_t numbering(const Context& context);

  std::unordered_map<std::uint64_t, std::unordered_map<std::uint64_t, std::uint32_t>> count_;
  // Cache for the last collective: programs often call several on one communicator.
  Context last_;
  std::uint64_t last_key_ = 0;
  std::uint32_t* last_count_ = nullptr;
  std::int32_t fresh_ = 0;
};

/// Memory resource for one thread that allocates the same few sizes again and again. A returned
/// block of up to 512 bytes is reused in 2 ns instead of the pool's 20 ns, a tenth of a short
/// operation between two ranks.
class SmallBlocks final : public std::pmr::memory_resource {
 private:
  struct Free {
    Free* next;
  };

  static constexpr std::size_t step = 64;
  static constexpr std::size_t largest = 512;

  static bool is_small(std::size_t bytes, std::size_t alignment) {
    return bytes <= largest && alignment <= alignof(std::max_align_t);
  }
  static std::size_t steps(std::size_t bytes) { return (bytes + step - 1) / step; }

  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (!is_small(bytes, alignment)) return pool_.allocate(bytes, alignment);
    Free*& first = free_[steps(bytes)];
    if (first == nullptr) return pool_.allocate(steps(bytes) * step);
    void* block = first;
    first = first->next;
    return block;
  }

  void do_deallocate(void* block, std::size_t bytes, std::size_t alignment) override {
    if (!is_small(bytes, alignment)) return pool_.deallocate(block, bytes, alignment);
    Free*& first = free_[steps(bytes)];
    first = new (block) Free{first};
  }

  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  std::pmr::unsynchronized_pool_resource pool_{
      {.max_blocks_per_chunk = 16, .largest_required_pool_block = std::size_t{256} * 1024}};
  std::array<Free*, largest / step + 1> free_{};
};

class Operation;
class Comm;
class Matching;
class NumberedMessages;

/// Owns the MPI communicators that to_mpi has created.
class MpiCopies {
 public:
  MpiCopies() = default;
  MpiCopies(const MpiCopies&) = delete;
  MpiCopies& operator=(const MpiCopies&) = delete;
  ~MpiCopies();

  /// The MPI communicator for `context`; MPI_COMM_NULL if there is none.
  MPI_Comm find(const Context& context) const;
  void add(const Context& context, MPI_Comm comm) { copies_.push_back({context, comm}); }
  void free(const Context& context);
  /// Frees the MPI communicators for `parent` and its ranges.
  void forget(const Context& parent);

 private:
  struct Copy {
    Context context;
    MPI_Comm comm;
  };

  template <class Unwanted>
  void free_if(Unwanted unwanted);

  std::vector<Copy> copies_;
};

/// A message that an operation waits for.
struct PendingMessage {
  MPI_Request* request;
  MPI_Status* status = nullptr;
  Operation* operation = nullptr;  ///< set by Parent
};

/// Whether an operation that starts is checked against all operations in progress, whose messages
/// could be confused with its own (see Parent). On by default in debug builds.
enum class OverlapCheck { off, on };
OverlapCheck default_overlap_check();

/// The state that all range communicators of one MPI communicator share: its rank and size, the
/// memory of their operations, and the operations in progress.
///
/// Construction is local and takes a few MPI calls; range communicators take none. A Parent borrows
/// `comm`, which must not be an intercommunicator (std::invalid_argument), and must outlive its
/// range communicators and their requests. Only one thread may use it. Every process of `comm` that
/// communicates creates one Parent, with a `waiter` that waits in the same way on all processes.
///
/// **Another Parent of the same `comm`** has another number `separate`, 1 … most_separate, equal on
/// all processes. Its messages are never confused with those of other Parents, even if their
/// operations were abandoned. Once it communicates, other Parents must not. Throws NoChannel if the
/// MPI library has too few tags.
///
/// **Tags.** All messages are sent on `comm`. Messages of the user on `comm` itself have the MPI
/// tags 0 … max_tag; larger tags belong to the range communicators. Receives on `comm` itself must
/// not use MPI_ANY_TAG.
///
/// **Who may communicate at the same time.** Nonblocking collectives without tags, and blocking
/// collectives, follow MPI's rules, see below. Operations with tags are distinguished by sender,
/// receiver and tag. Range communicators with at most one common process never interfere (except
/// for messages of a process to itself). With two or more, simultaneous operations of the same kind
/// need distinct tags, also on one communicator; operations that follow each other in the same
/// order on all common processes need none. The check throws std::logic_error if a process has two
/// operations in progress that need distinct tags.
///
/// **Progress.** Every test or wait advances all operations of this Parent, so members may wait for
/// several operations in any order.
class Parent {
 public:
  static constexpr int tag_bits = 11;
  static constexpr int kind_bits = 5;
  static constexpr int max_tag = (1 << tag_bits) - 1;  ///< largest tag of collectives and creations

  static constexpr std::uint32_t most_separate = 63;

  /// Uses Waiter::automatic. Collective, unlike the other constructor.
  explicit Parent(MPI_Comm comm);
  Parent(MPI_Comm comm, Waiter waiter, OverlapCheck check = default_overlap_check(),
         std::uint32_t separate = 0);
  Parent(const Parent&) = delete;
  Parent& operator=(const Parent&) = delete;
  ~Parent();

  /// Returns the communicator of all ranks. Makes no MPI call.
  Comm all();

  MPI_Comm comm() const { return comm_; }
  int rank() const { return rank_; }
  int size() const { return size_; }
  const Waiter& waiter() const { return waiter_; }

  /// The largest tag of a message: 34,815, or max_tag if the MPI library has only the 32,768 tags
  /// that MPI guarantees.
  int max_message_tag() const { return max_message_tag_; }

  /// The channels, numbered by the upper bits of MPI tags: 3,087 with MPICH, 24,703 with Open MPI,
  /// or none. Another Parent of the same communicator has 15 or 127.
  Channels& channels() { return channels_; }

  CreationLog& creations() { return creations_; }

  /// The MPI communicators that to_mpi has created.
  MpiCopies& mpi_copies() { return mpi_copies_; }

  Matching& matching() { return *matching_; }

  NumberedMessages& numbered() { return *numbered_; }

  std::pmr::memory_resource& memory() { return memory_; }

  /// Whether long broadcasts and reductions are pipelined: sent in pieces, which are forwarded
  /// while the next ones arrive. Far faster with a core per rank, but slower if ranks share cores
  /// and wake up for every piece. Default: if the waiter is direct. The same on all processes.
  bool pipelines() const { return pipelines_; }
  void pipeline(bool in_pieces) { pipelines_ = in_pieces; }

  /// Advances all operations in progress. Their errors are thrown by tests and waits. Blocking
  /// calls of MPI advance no operation.
  void progress();

  /// Advances operations until `done` returns true, which must result from an operation in
  /// progress. Waits in MPI_Waitany for all their messages, if the waiter may wait in MPI and no
  /// receive waits for its message in Matching.
  template <class Done>
  void wait_until(Done done) {
    waiter_.until_in_mpi(
        [&] {
          progress();
          return done();
        },
        [&] { wait_for_a_message(); });
  }

  /// For blocking operations: whether one may wait inside MPI for its own messages, because no
  /// other operation is in progress. `run_alone` executes such an operation.
  bool may_run_alone() const { return under_way_.empty() && waiter_.waits_in_mpi(); }
  bool runs_alone() const { return runs_alone_; }
  template <class Run>
  void run_alone(Run run) {
    runs_alone_ = true;
    const AtEnd no_longer([this] { runs_alone_ = false; });
    waiter_.blocking(run);
  }

  /// For operations only: adds an operation to those in progress, after the check; removes it.
  void enter(Operation& operation);
  void leave(Operation& operation);

  /// For operations whose messages will never arrive: ends all operations in progress; their tests
  /// and waits throw `error`. Their buffers are then free, except for data that were being sent.
  void abandon(const std::exception_ptr& error);

  bool idle() const { return under_way_.empty(); }

 private:
  void wait_for_a_message();

  MPI_Comm comm_;
  int rank_ = 0;
  int size_ = 0;
  Waiter waiter_;
  OverlapCheck check_;
  bool pipelines_ = waiter_.how() == Waiting::direct;
  int max_message_tag_ = max_tag;
  Channels channels_{0, 0};
  CreationLog creations_;
  MpiCopies mpi_copies_;
  std::unique_ptr<Matching> matching_;
  SmallBlocks memory_;
  std::unique_ptr<NumberedMessages> numbered_;
  bool runs_alone_ = false;
  std::vector<Operation*> under_way_;
  std::vector<PendingMessage> pending_;  // only for wait_for_a_message, as pending_requests_
  std::vector<MPI_Request> pending_requests_;
};

/// Members that are not a range: runs of consecutive ranks of the Parent, in the order of the
/// members. Copies share one table in the Parent's memory; its reference count is not thread-safe.
class RankRuns {
 public:
  struct Run {
    int number;  ///< index of its first member
    int rank;    ///< rank of this member in the Parent
    int size;
  };

  RankRuns() = default;
  /// Takes at least one run. Throws std::invalid_argument if two runs have a rank in common.
  RankRuns(std::span<const Run> runs, std::pmr::memory_resource& memory);
  RankRuns(const RankRuns& other) : table_(other.table_) {
    if (table_ != nullptr) ++table_->users;
  }
  RankRuns(RankRuns&& other) noexcept : table_(std::exchange(other.table_, nullptr)) {}
  RankRuns& operator=(RankRuns other) noexcept {
    std::swap(table_, other.table_);
    return *this;
  }
  ~RankRuns() {
    if (table_ != nullptr && --table_->users == 0) free();
  }

  explicit operator bool() const { return table_ != nullptr; }
  std::span<const Run> runs() const { return {by_number(), table_->number}; }

  int rank(int number) const {
    const Run& run = last_up_to<&Run::number>(by_number(), number);
    return run.rank + number - run.number;
  }
  /// The index of the member with the Parent's rank `rank`, or -1.
  int number(int rank) const {
    const Run& run = last_up_to<&Run::rank>(by_rank(), rank);
    const int beyond = rank - run.rank;
    return beyond >= 0 && beyond < run.size ? run.number + beyond : -1;
  }

 private:
  // The runs follow in memory. If they do not ascend, a copy sorted by rank follows them.
  struct Table {
    std::pmr::memory_resource* memory;
    std::uint32_t users;
    std::uint32_t number;
    bool ascends;

    std::size_t bytes() const { return sizeof(Table) + (ascends ? 1 : 2) * number * sizeof(Run); }
  };

  Run* by_number() const { return reinterpret_cast<Run*>(table_ + 1); }
  Run* by_rank() const { return by_number() + (table_->ascends ? 0 : table_->number); }

  template <auto key>
  const Run& last_up_to(const Run* runs, int value) const {
    for (std::uint32_t left = table_->number; left > 1;) {
      const std::uint32_t half = left / 2;
      runs += runs[half].*key <= value ? half : 0;
      left -= half;
    }
    return *runs;
  }

  void free();

  Table* table_ = nullptr;
};

/// A communicator of any ranks of a Parent, in any order: after RBC (Axtmann, Wiebigke, Sanders,
/// IPDPS 2018, arXiv 1710.08027). A small value: creating, copying and destroying it is local and
/// makes no MPI call. Creation takes constant time for the ranks first, first + stride, … last, and
/// otherwise time linear in the number of ranges. Borrows its Parent.
///
/// A process that is not a member may create a Comm to translate ranks; it cannot communicate.
/// Operations are the free functions below, with MPI's order of arguments.
class Comm {
 public:
  /// A communicator without members, to be assigned to.
  Comm() = default;

  /// The ranks first, first + stride, … that do not exceed `last`. Throws std::invalid_argument
  /// unless 0 <= first <= last < size() and stride >= 1.
  Comm range(int first, int last, int stride = 1) const;

  /// The ranks of all `ranges`, one range after the other. Throws std::invalid_argument if there is
  /// no range, if one is empty or not within 0 … size() - 1, or if two have a rank in common.
  Comm subset(std::span<const RankRange> ranges) const;

  /// The listed ranks, in this order. Throws std::invalid_argument as above.
  Comm subset(std::span<const int> ranks) const;

  /// The caller's rank, or -1 if it is not a member.
  int rank() const { return rank_; }
  int size() const { return size_; }
  explicit operator bool() const { return parent_ != nullptr; }

  /// Translates `rank`, which is not checked, to a rank of the Parent.
  int parent_rank(int rank) const {
    return runs_ ? runs_.rank(rank) : context_.f + rank * context_.stride;
  }

  /// Translates a rank of the Parent; -1 if it is not a member.
  int rank_of(int parent_rank) const {
    return runs_ ? runs_.number(parent_rank) : position(parent_rank);
  }

  Parent& parent() const { return *parent_; }
  /// Equal for communicators with the same members in the same order, unless they derive from
  /// different creations by icreate_group.
  const Context& context() const { return context_; }

  /// The Parent's base channel, except on communicators of icreate_group and derived ones.
  std::uint32_t channel() const { return channel_; }

 private:
  friend class Parent;
  friend class GroupCreation;

  explicit Comm(Parent& parent)
      : parent_(&parent),
        context_{0, 0, 0, parent.size() - 1, 1, 0},
        size_(parent.size()),
        rank_(parent.rank()),
        channel_(parent.channels().base()) {}

  int position(int rank) const {
    const int steps = rank - context_.f;
    if (steps < 0 || rank > context_.l) return -1;
    if (context_.stride == 1) return steps;
    return steps % context_.stride == 0 ? steps / context_.stride : -1;
  }

  using Runs = std::pmr::vector<RankRuns::Run>;
  void add_runs(int first, int last, int stride, Runs& runs) const;
  Comm of_runs(const Runs& runs) const;

  Parent* parent_ = nullptr;
  RankRuns runs_;  // empty for a range
  Context context_;
  int size_ = 0;
  int rank_ = -1;
  std::uint32_t channel_ = 0;
};

/// Advances the operations of all Parents that this thread has created. Call it repeatedly during
/// computations, and while a nonblocking MPI call is tested.
void progress();

/// Returns the MPI group of the members, in their order. Local. The caller must free it.
MPI_Group group(const Comm& comm);

/// Returns an MPI communicator with the members of `comm`, in their order, for libraries, windows
/// and files. The first call is group-collective (MPI_Comm_create_group); later calls return the
/// same communicator immediately.
///
/// The Parent owns it. It is freed by free_mpi, with the GroupCreation of `comm`, or with the
/// Parent. `tag`, 0 … Parent::max_tag, distinguishes creations of overlapping groups by several
/// threads.
///
/// Throws std::invalid_argument if the tag is invalid or the caller is not a member, and MpiError.
MPI_Comm to_mpi(const Comm& comm, int tag = 0);

/// Frees the communicator that to_mpi has created for `comm`, if any. All members must call it.
void free_mpi(const Comm& comm);

/// Whether two communicators of one Parent have at least two processes in common.
bool overlap_in_two(const Comm& one, const Comm& other);

class Operation;

/// Sets the empty status of MPI, that of a request without a message.
inline void set_empty(MPI_Status& status) {
  status.MPI_SOURCE = MPI_ANY_SOURCE;
  status.MPI_TAG = MPI_ANY_TAG;
  status.MPI_ERROR = MPI_SUCCESS;
  MPI_Status_set_elements(&status, MPI_BYTE, 0);
  MPI_Status_set_cancelled(&status, 0);
}

/// An operation in progress. Null by default, and after the test or wait that completes it, which
/// also throws its error. Move-only. Destroying an incomplete request, or assigning to it, waits
/// for it and discards its error. After an error, nothing more is received into its buffers, but
/// MPI may still read the data that it was sending.
///
/// Buffers belong to the operation until it is complete. Tests and waits advance all operations of
/// the Parent.
class Request {
 public:
  Request() = default;
  /// For operations only: owns `operation`, which occupies `bytes` bytes of its Parent's memory.
  Request(Operation* operation, std::size_t bytes) : operation_(operation), bytes_(bytes) {}
  Request(Request&& other) noexcept;
  Request& operator=(Request&& other) noexcept;
  ~Request();

  /// False if the request is null.
  explicit operator bool() const { return operation_ != nullptr; }

  /// Returns whether the request is complete or null, without waiting. The status of a receive
  /// contains ranks of the communicator.
  bool test(MPI_Status* status = MPI_STATUS_IGNORE);

  /// Waits until the request is complete, using the Parent's Waiter.
  void wait(MPI_Status* status = MPI_STATUS_IGNORE);

 private:
  friend class Requests;

  bool complete() const;
  /// Frees the operation, which is complete, and returns its error.
  std::exception_ptr finish(MPI_Status* status) noexcept;
  void drop() noexcept;

  Operation* operation_ = nullptr;
  std::size_t bytes_ = 0;
};

inline bool test(Request& request, MPI_Status* status = MPI_STATUS_IGNORE) {
  return request.test(status);
}
inline void wait(Request& request, MPI_Status* status = MPI_STATUS_IGNORE) { request.wait(status); }

/// Returns whether all are complete; if not, none becomes null, as in MPI. Parents may differ. If
/// there are errors, all become null, and the first error is thrown. `statuses`: as many as
/// requests, or MPI_STATUSES_IGNORE.
bool testall(std::span<Request> requests, MPI_Status* statuses = MPI_STATUSES_IGNORE);

/// Waits for all requests, using the Waiter of the first incomplete one. Errors: as testall.
void waitall(std::span<Request> requests, MPI_Status* statuses = MPI_STATUSES_IGNORE);

// As the MPI functions of the same names. If reported requests have errors, the first is thrown,
// and all of these requests become null. Requests cannot be cancelled: MPI 4.1 has deprecated this
// for sends, and MPI's queue may no longer contain the message of a receive.

/// Returns the index of a complete request, which becomes null; nothing if none is complete,
/// MPI_UNDEFINED if all are null.
std::optional<int> testany(std::span<Request> requests, MPI_Status* status = MPI_STATUS_IGNORE);
/// Waits for one request and returns its index; MPI_UNDEFINED if all are null.
int waitany(std::span<Request> requests, MPI_Status* status = MPI_STATUS_IGNORE);

/// Returns the indices of all complete requests, in ascending order. They become null.
/// `statuses[i]` belongs to the i-th index.
std::vector<int> testsome(std::span<Request> requests, MPI_Status* statuses = MPI_STATUSES_IGNORE);
/// As testsome, but waits for at least one request; empty if all are null.
std::vector<int> waitsome(std::span<Request> requests, MPI_Status* statuses = MPI_STATUSES_IGNORE);

// Point-to-point messages between members of a range communicator, with the semantics of the MPI
// functions of the same names. Ranks are those of the communicator, also in a status; tags are 0 …
// Parent::max_message_tag(). Only the sender and the receiver call them. Messages to and from
// MPI_PROC_NULL are complete at once.
//
// A message matches the first posted receive that accepts it, on any communicator of the Parent.
// Messages of one sender do not overtake each other. A probe does not report a message that a
// pending receive will accept. Wildcards match only messages of members. Note:
// - If two communicators share two processes and a channel, a wildcard matches the messages of
//   both.
// - Receive messages on the parent communicator itself promptly. While one waits, MPI_ANY_TAG on a
//   range communicator probes every tag, which takes milliseconds, and prefers the lowest tag to
//   the first message.
// - A receive with wildcards looks for its message only in tests and waits, unless it combines
//   MPI_ANY_SOURCE with a tag on a communicator of all ranks, which MPI can match itself.
//
// Invalid arguments throw std::invalid_argument; MPI errors go to the parent's error handler.

void send(const void* data, int count, MPI_Datatype type, int to, int tag, const Comm& comm);
void recv(void* data, int count, MPI_Datatype type, int from, int tag, const Comm& comm,
          MPI_Status* status = MPI_STATUS_IGNORE);

/// As send, but complete only when the receiver has begun to receive.
void ssend(const void* data, int count, MPI_Datatype type, int to, int tag, const Comm& comm);
Request issend(const void* data, int count, MPI_Datatype type, int to, int tag, const Comm& comm);

/// Sends and receives at the same time.
void sendrecv(const void* data, int count, MPI_Datatype type, int to, int tag, void* result,
              int result_count, MPI_Datatype result_type, int from, int result_tag,
              const Comm& comm, MPI_Status* status = MPI_STATUS_IGNORE);

Request isend(const void* data, int count, MPI_Datatype type, int to, int tag, const Comm& comm);
Request irecv(void* data, int count, MPI_Datatype type, int from, int tag, const Comm& comm);

/// Waits until there is a message to receive.
void probe(int from, int tag, const Comm& comm, MPI_Status* status = MPI_STATUS_IGNORE);

/// Whether there is a message to receive.
bool iprobe(int from, int tag, const Comm& comm, MPI_Status* status = MPI_STATUS_IGNORE);

// Collectives with the semantics and arguments of the MPI functions of the same names, for any
// datatype and operation, also noncommutative ones. All members, and no other processes, must call
// them. MPI_IN_PLACE instead of `data` is rejected where MPI does not define it.
//
// Nonblocking collectives without a tag are matched in call order, as in MPI: the members of a
// communicator call them in the same order, regardless of calls on other communicators. With a
// `tag`, 0 … Parent::max_tag, equal on all members, the order does not matter; operations of the
// same kind that are in progress at the same time then need distinct tags (see Parent). scatter and
// scatterv are of the same kind, as are both variants of alltoall and of reduce_scatter.
//
// A blocking collective has the tag 0 by default. As in MPI, it does not match the nonblocking form
// on other members, unless both have the same tag or are in_call_order.
//
// All tests and waits on the Parent advance nonblocking forms. Short ones allocate no memory once
// the Parent has executed similar ones. A collective without data, except a barrier, synchronises
// no ranks. Invalid arguments (such as a negative count) throw std::invalid_argument.

/// Instead of a tag: the collective is matched in call order.
inline constexpr int in_call_order = -1;

/// Uses a k-nomial tree; long messages are pipelined along a binary tree (see Parent::pipelines).
void bcast(void* data, int count, MPI_Datatype type, int root, const Comm& comm, int tag = 0);
Request ibcast(void* data, int count, MPI_Datatype type, int root, const Comm& comm,
               int tag = in_call_order);

/// Uses the trees of bcast in the other direction. Noncommutative operations are reduced to rank 0,
/// which sends the result to the root. `result` is significant at the root.
void reduce(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op, int root,
            const Comm& comm, int tag = 0);
Request ireduce(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op, int root,
                const Comm& comm, int tag = in_call_order);

/// Two ranks exchange their data; more reduce to rank 0 and broadcast. Results are bitwise equal.
void allreduce(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
               const Comm& comm, int tag = 0);
Request iallreduce(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
                   const Comm& comm, int tag = in_call_order);

/// Sums of subtrees go up a k-nomial tree, then sums of all ranks further left go down.
void scan(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op, const Comm& comm,
          int tag = 0);
Request iscan(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
              const Comm& comm, int tag = in_call_order);

/// As scan, without the rank's own data; `result` of rank 0 is not changed.
void exscan(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
            const Comm& comm, int tag = 0);
Request iexscan(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
                const Comm& comm, int tag = in_call_order);

/// All ranks send directly to the root. `result…` is significant at the root.
void gather(const void* data, int count, MPI_Datatype type, void* result, int result_count,
            MPI_Datatype result_type, int root, const Comm& comm, int tag = 0);
Request igather(const void* data, int count, MPI_Datatype type, void* result, int result_count,
                MPI_Datatype result_type, int root, const Comm& comm, int tag = in_call_order);

/// As gather; counts and displacements (in elements of `result_type`) are read before the
/// nonblocking form returns.
void gatherv(const void* data, int count, MPI_Datatype type, void* result, const int* result_counts,
             const int* displacements, MPI_Datatype result_type, int root, const Comm& comm,
             int tag = 0);
Request igatherv(const void* data, int count, MPI_Datatype type, void* result,
                 const int* result_counts, const int* displacements, MPI_Datatype result_type,
                 int root, const Comm& comm, int tag = in_call_order);

/// Two ranks exchange their data; more gather to rank 0 and broadcast.
void allgather(const void* data, int count, MPI_Datatype type, void* result, int result_count,
               MPI_Datatype result_type, const Comm& comm, int tag = 0);
Request iallgather(const void* data, int count, MPI_Datatype type, void* result, int result_count,
                   MPI_Datatype result_type, const Comm& comm, int tag = in_call_order);

/// As allgather with parts of different sizes; each rank sends to all others. Counts and
/// displacements are read before the nonblocking form returns, here and below.
void allgatherv(const void* data, int count, MPI_Datatype type, void* result,
                const int* result_counts, const int* displacements, MPI_Datatype result_type,
                const Comm& comm, int tag = 0);
Request iallgatherv(const void* data, int count, MPI_Datatype type, void* result,
                    const int* result_counts, const int* displacements, MPI_Datatype result_type,
                    const Comm& comm, int tag = in_call_order);

/// The root sends directly to all ranks. `data…` is significant at the root.
void scatter(const void* data, int data_count, MPI_Datatype data_type, void* result, int count,
             MPI_Datatype type, int root, const Comm& comm, int tag = 0);
Request iscatter(const void* data, int data_count, MPI_Datatype data_type, void* result, int count,
                 MPI_Datatype type, int root, const Comm& comm, int tag = in_call_order);
void scatterv(const void* data, const int* data_counts, const int* displacements,
              MPI_Datatype data_type, void* result, int count, MPI_Datatype type, int root,
              const Comm& comm, int tag = 0);
Request iscatterv(const void* data, const int* data_counts, const int* displacements,
                  MPI_Datatype data_type, void* result, int count, MPI_Datatype type, int root,
                  const Comm& comm, int tag = in_call_order);

/// Each rank sends to all others; with MPI_IN_PLACE, the parts are copied first.
void alltoall(const void* data, int count, MPI_Datatype type, void* result, int result_count,
              MPI_Datatype result_type, const Comm& comm, int tag = 0);
Request ialltoall(const void* data, int count, MPI_Datatype type, void* result, int result_count,
                  MPI_Datatype result_type, const Comm& comm, int tag = in_call_order);
void alltoallv(const void* data, const int* counts, const int* displacements, MPI_Datatype type,
               void* result, const int* result_counts, const int* result_displacements,
               MPI_Datatype result_type, const Comm& comm, int tag = 0);
Request ialltoallv(const void* data, const int* counts, const int* displacements, MPI_Datatype type,
                   void* result, const int* result_counts, const int* result_displacements,
                   MPI_Datatype result_type, const Comm& comm, int tag = in_call_order);

/// Reduces to rank 0, which sends each rank its part.
void reduce_scatter(const void* data, void* result, const int* result_counts, MPI_Datatype type,
                    MPI_Op op, const Comm& comm, int tag = 0);
Request ireduce_scatter(const void* data, void* result, const int* result_counts, MPI_Datatype type,
                        MPI_Op op, const Comm& comm, int tag = in_call_order);
void reduce_scatter_block(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
                          const Comm& comm, int tag = 0);
Request ireduce_scatter_block(const void* data, void* result, int count, MPI_Datatype type,
                              MPI_Op op, const Comm& comm, int tag = in_call_order);

/// Two ranks exchange empty messages; more send them up and down a k-nomial tree.
void barrier(const Comm& comm, int tag = 0);
Request ibarrier(const Comm& comm, int tag = in_call_order);

/// A collective that can be started repeatedly with the same arguments, as MPI_Bcast_init and
/// similar functions of MPI 4 create it. Creation is local. The request of one start must be
/// complete before the next start.
class Persistent {
 public:
  explicit Persistent(std::function<Request()> begin) : begin_(std::move(begin)) {}

  Request start() const { return begin_(); }

 private:
  std::function<Request()> begin_;
};

Persistent bcast_init(void* data, int count, MPI_Datatype type, int root, const Comm& comm,
                      int tag = in_call_order);
Persistent allreduce_init(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
                          const Comm& comm, int tag = in_call_order);

/// How the messages of a created communicator are separated from those of others. It has no MPI
/// context of its own; its messages carry a channel, and there are few channels.
enum class Isolation {
  /// The members agree on a channel that is free on all of them, by a reduction and a broadcast. If
  /// there is none, all members throw NoChannel.
  agreed,
  /// A range of the parent is created immediately, with a channel that all members compute. If
  /// another communicator of this process has the same channel, icreate_group throws NoChannel, but
  /// only on the common processes of both; the program must inform the other members. Other groups:
  /// as `agreed`.
  checked,
  /// A range of the parent is created immediately. Another range created by_tags may have the same
  /// channel; operations on both then need distinct tags, as on ranges of one communicator (see
  /// Parent). The Parent's own ranges never have this channel. Other groups: as `agreed`.
  by_tags
};

/// A communicator that icreate_group creates. When complete, it owns the communicator's channel and
/// MPI copies. Move-only.
class GroupCreation {
 public:
  GroupCreation(GroupCreation&&) = default;
  GroupCreation& operator=(GroupCreation&&) = default;

  /// As Request::test and wait: advances all operations of the Parent. Throws NoChannel if the
  /// members found no free channel.
  bool test();
  void wait();

  /// Returns the request behind test and wait, to wait for it together with others. The request
  /// then throws NoChannel. This object must outlive it. Null if creation needs no communication.
  Request take_request();

  /// The new communicator. It and its ranges are valid as long as this object exists, which may be
  /// moved; communicators created from them may live longer. Throws std::logic_error if incomplete.
  const Comm& comm() const;

 private:
  friend GroupCreation icreate_group(const Comm&, std::span<const int>, int, Isolation);
  friend GroupCreation icreate_group(const Comm&, int, int, int, int, Isolation);

  explicit GroupCreation(const Comm& comm);
  static GroupCreation of_range(const Comm& parent, int first, int last, int stride, int tag,
                                Isolation isolation);
  static GroupCreation of_list(const Comm& parent, std::span<const int> group, int tag);
  void agree(const Comm& parent, int tag);

  // On the heap, because requests and communicators point to it while this object moves.
  struct State;
  struct Delete {
    void operator()(State* state) const;
  };
  std::unique_ptr<State, Delete> state_;
};

/// Starts to create a communicator of `group`, distinct ranks of `parent` in their new order.
/// Called by the members of `group` only, with the same arguments (group-collective). After section
/// VI of the RBC paper (arXiv 1710.08027), see Context:
///
/// - The members agree on a channel, without blocking. If the group is not a range of the parent
///   (first, first + stride, …), the first member also broadcasts a new ⟨a, b⟩.
/// - With Isolation::checked or by_tags, a range is complete at once, without communication.
///
/// `tag`, 0 … Parent::max_tag, distinguishes creations of the same group of the same parent. All
/// members must call creations with the same tag in the same order and, unless the group is a
/// range, complete one before the next. Any number may be in progress; a wait for one advances all.
///
/// Messages of the new communicator are never confused with those of other communicators, provided
/// that
///
/// - `isolation` is not by_tags;
/// - a process destroys it only after it has received all messages sent to it on this communicator;
/// - if two processes create two checked ranges in opposite orders, both ranges exist at the same
///   time on one of these processes.
///
/// Its ranges share its channel; the rules of Parent apply to it and its ranges.
GroupCreation icreate_group(const Comm& parent, std::span<const int> group, int tag,
                            Isolation isolation = Isolation::agreed);

/// Starts to create a range, in constant time: the ranks first, first + stride, … last of `parent`.
GroupCreation icreate_group(const Comm& parent, int first, int last, int stride, int tag,
                            Isolation isolation = Isolation::agreed);

/// As MPI_Comm_idup and MPI_Comm_dup: the same members, with another channel (Isolation::agreed).
GroupCreation idup(const Comm& comm, int tag = 0);
GroupCreation dup(const Comm& comm, int tag = 0);

/// As MPI_Comm_split: the members that pass the same `colour`, in the order of their keys; nothing
/// for MPI_UNDEFINED. If isolation is not needed and each member knows all colours, Comm::subset
/// needs no message.
std::optional<GroupCreation> split(const Comm& comm, int colour, int key, int tag = 0);

}  // namespace regroup::range
