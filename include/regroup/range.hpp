// SPDX-License-Identifier: BSD-3-Clause
//
// Range communicators, made without communication: `range::Parent`, `range::Comm`, messages,
// collective operations, `range::icreate_group`. A library of its own, Regroup::range, which needs
// nothing but MPI.
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

/// An MPI call failed and its error handler returned (MPI_ERRORS_RETURN). `what()` is MPI's text.
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

/// Throws std::invalid_argument that says which number is out of which bounds.
[[noreturn]] void throw_out_of_bounds(const char* what, int number, int lowest, int highest);

inline void require_within(const char* what, int number, int lowest, int highest) {
  if (number < lowest || number > highest) [[unlikely]] {
    throw_out_of_bounds(what, number, lowest, highest);
  }
}

/// No channel is left that tells a communicator's messages apart from those of others.
class NoChannel : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The channels of one Parent, and which of them communicators have taken. An MPI message carries
/// its tag and no context: a channel tells apart the communicators of icreate_group, and those of
/// Parents of the same MPI communicator. `base` is that of the Parent's ranges; `number` others
/// follow it.
class Channels {
 public:
  /// Consecutive channels.
  struct Pool {
    std::uint32_t first;
    std::uint32_t size;

    /// 0 if there are none.
    std::uint32_t at(std::uint64_t place) const {
      return size == 0 ? 0 : first + static_cast<std::uint32_t>(place % size);
    }
  };

  Channels(std::uint32_t base, std::uint32_t number) : base_(base), number_(number) {}

  /// Those of the Parent with the number `separate`, of which no other Parent has any, if MPI has
  /// tags for `all` and channel 0. The Parent 0 has three quarters. Throws NoChannel.
  static Channels of_parent(std::uint32_t separate, std::uint32_t all);

  std::uint32_t base() const { return base_; }
  std::uint32_t number() const { return number_; }

  // Communicators of different kinds never have a channel in common.
  Pool by_tags() const { return {base_ + 1, number_ / 4}; }
  Pool checked() const { return {base_ + 1 + number_ / 4, number_ / 2}; }
  Pool agreed() const {
    const std::uint32_t others = number_ / 4 + number_ / 2;
    return {base_ + 1 + others, number_ - others};
  }

  bool is_taken(std::uint32_t channel) const {
    return std::ranges::find(taken_, channel) != taken_.end();
  }
  /// True if it was free.
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

/// The name of a communicator, made without asking anybody: the wide context ⟨a, b, f, l, c⟩ that
/// Axtmann, Wiebigke and Sanders propose for MPI (arXiv 1710.08027, section VI). Two communicators
/// of one Parent have the same context only if they are the same communicator.
///
/// - ⟨a, b⟩ names a creation of a group that is no range: process `a` handed it out as its `b`-th
///   one. ⟨0, 0⟩ is what nobody had to hand out: any ranks of the Parent's MPI communicator.
/// - `f … l` are the members, as ranks of the Parent. Ours has a `stride` as well, so that every
///   n-th process is a range, too. Members that are no range have the stride 0, and `f` and `l` are
///   the halves of a digest of them.
/// - `c` tells apart what has the same members: 0 without a creation that had a tag, otherwise a
///   64-bit digest of how the communicator came about (see CreationLog).
struct Context {
  std::int32_t a = 0;
  std::int32_t b = 0;
  std::int32_t f = 0;
  std::int32_t l = -1;
  std::int32_t stride = 1;
  std::uint64_t c = 0;

  friend constexpr bool operator==(const Context&, const Context&) = default;
};

/// Mixes all bits, one to one.
std::uint64_t mixed(std::uint64_t bits);

/// A digest of `number` and what was before it.
std::uint64_t digest(std::uint64_t so_far, std::uint64_t number);
std::uint64_t digest_of_pair(std::uint64_t so_far, int high, int low);

std::uint64_t digest(const Context& context);

/// Counts the creations and collectives of one process. Processes agree on contexts without a
/// message because each counts the same creations: those of the same members of the same parent
/// with the same tag, which all members must call in the same order, as MPI requires for
/// create_group, too. Collectives in call order are counted for each communicator.
class CreationLog {
 public:
  CreationLog() = default;
  CreationLog(const CreationLog&) = delete;
  CreationLog& operator=(const CreationLog&) = delete;

  struct Child {
    Context context;
    /// A number that follows that of the one before with these members of the same parent and this
    /// tag, and is far from those of others.
    std::uint64_t place;
  };

  /// The next communicator of these `members` of `parent` with this `tag`.
  Child child(const Context& parent, const Context& members, int tag);

  /// A name for the next collective in call order of this communicator, equal on all members and
  /// different from those of other operations (a 64-bit digest).
  std::uint64_t next_collective(const Context& comm);

  /// Forgets the children and collectives of `parent` and of its ranges. There must be no further
  /// ones.
  void forget(const Context& parent) {
    last_count_ = nullptr;
    count_.erase(numbering(parent));
  }

  /// The context of `members` that are no range, handed out by `process`, which must be the caller;
  /// everybody else learns `b` from it.
  Context fresh_context(int process, Context members) {
    members.a = process;
    members.b = ++fresh_;
    members.c = 0;
    return members;
  }

 private:
  // What a communicator and its ranges have in common.
  static std::uint64_t numbering(const Context& context);

  std::unordered_map<std::uint64_t, std::unordered_map<std::uint64_t, std::uint32_t>> count_;
  // Cache for the last collective: programs often call several on one communicator.
  Context last_;
  std::uint64_t last_key_ = 0;
  std::uint32_t* last_count_ = nullptr;
  std::int32_t fresh_ = 0;
};

/// Memory for one thread that takes and gives back the same few sizes: a returned block of up to
/// 512 bytes is reused in 2 ns, instead of the pool's 20, a tenth of a short operation between two
/// ranks.
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

  /// MPI_COMM_NULL if there is none.
  MPI_Comm find(const Context& context) const;
  void add(const Context& context, MPI_Comm comm) { copies_.push_back({context, comm}); }
  void free(const Context& context);
  /// Frees those of `parent` and of its ranges.
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
  Operation* operation = nullptr;  ///< Parent sees to it
};

/// Whether operations whose messages could be mistaken for one another's are found when they start
/// (see Parent), at the cost of a look at all under way. On by default in debug builds.
enum class OverlapCheck { off, on };
OverlapCheck default_overlap_check();

/// What the range communicators of one MPI communicator have in common: its facts, the memory of
/// their operations, and the operations under way.
///
/// Making one is local and takes a few MPI calls; its range communicators take none. Borrows
/// `comm`, which must be no intercommunicator (std::invalid_argument), and outlives its range
/// communicators and their requests. One thread only. Every process of `comm` that communicates
/// makes its own, once, with a `waiter` that waits as those of others do.
///
/// **Another Parent of the same `comm`** has another number `separate` up to most_separate, equal
/// on all processes, and none of its messages is taken for one of the others, even if operations of
/// those were abandoned. Once it communicates, the others do not. Throws NoChannel if the MPI
/// library has too few tags.
///
/// **Tags.** All messages are messages on `comm`. The MPI tags 0 … max_tag are left to the user;
/// those above belong to the range communicators. Nobody may receive on `comm` itself from any
/// source with any tag.
///
/// **Who may communicate at the same time.** Nonblocking collectives without tags, and blocking
/// ones, follow MPI's rules: see the collectives below. Operations with tags are distinguished by
/// sender, receiver and tag. Range communicators with at most one common process never interfere
/// (except for messages of a process to itself). With two or more, simultaneous operations of the
/// same kind need distinct tags, also on one communicator; one after another, in the same order on
/// all common processes, they need none. The check throws std::logic_error if a process has two in
/// progress that need distinct tags.
///
/// **Progress.** Whoever tests or waits moves every operation of this Parent on; the order in which
/// members wait for several operations does not matter.
class Parent {
 public:
  static constexpr int tag_bits = 11;
  static constexpr int kind_bits = 5;
  static constexpr int max_tag = (1 << tag_bits) - 1;  ///< of collectives and creations

  static constexpr std::uint32_t most_separate = 63;

  /// With Waiter::automatic. Collective, unlike the other.
  explicit Parent(MPI_Comm comm);
  Parent(MPI_Comm comm, Waiter waiter, OverlapCheck check = default_overlap_check(),
         std::uint32_t separate = 0);
  Parent(const Parent&) = delete;
  Parent& operator=(const Parent&) = delete;
  ~Parent();

  /// All ranks of the MPI communicator. No MPI call.
  Comm all();

  MPI_Comm comm() const { return comm_; }
  int rank() const { return rank_; }
  int size() const { return size_; }
  const Waiter& waiter() const { return waiter_; }

  /// The largest tag of a message: 34,815, but max_tag with an MPI library that has no more tags
  /// than it must.
  int max_message_tag() const { return max_message_tag_; }

  /// The channels that fit above the tags: 3,087 with MPICH, 24,703 with Open MPI, perhaps none; 15
  /// and 127 of another Parent of the same communicator.
  Channels& channels() { return channels_; }

  CreationLog& creations() { return creations_; }

  /// The communicators of to_mpi.
  MpiCopies& mpi_copies() { return mpi_copies_; }

  Matching& matching() { return *matching_; }

  NumberedMessages& numbered() { return *numbered_; }

  std::pmr::memory_resource& memory() { return memory_; }

  /// Whether long broadcasts and reductions go in pieces, passed on while the next ones come in:
  /// far faster with a core per rank, slower where ranks share cores and are woken up for every
  /// piece. Default: if the waiter is direct. The same on all processes.
  bool pipelines() const { return pipelines_; }
  void pipeline(bool in_pieces) { pipelines_ = in_pieces; }

  /// Advances every operation in progress; errors are thrown by the operations. Blocking calls of
  /// MPI itself advance none.
  void progress();

  /// Progresses until `done` returns true, which only operations under way may bring about; in
  /// MPI_Waitany on all their messages, if the waiter may wait in MPI and no receive waits for its
  /// message here (see Matching).
  template <class Done>
  void wait_until(Done done) {
    waiter_.until_in_mpi(
        [&] {
          progress();
          return done();
        },
        [&] { wait_for_a_message(); });
  }

  /// For blocking operations: whether one may wait inside MPI for its own messages, since nothing
  /// else is under way; and one that does, by `run`.
  bool may_run_alone() const { return under_way_.empty() && waiter_.waits_in_mpi(); }
  bool runs_alone() const { return runs_alone_; }
  template <class Run>
  void run_alone(Run run) {
    runs_alone_ = true;
    const AtEnd no_longer([this] { runs_alone_ = false; });
    waiter_.blocking(run);
  }

  /// For operations only: under way from enter (which checks) to leave, or until complete.
  void enter(Operation& operation);
  void leave(Operation& operation);

  /// Ends all operations under way with `error`, which is thrown by whoever tests or waits for one:
  /// for those whose messages will never come. Their buffers are free then, but for what they were
  /// sending.
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
  std::vector<PendingMessage> pending_;  // for wait_for_a_message only, like the next
  std::vector<MPI_Request> pending_requests_;
};

/// Members that are no range: runs of consecutive ranks of the Parent, in the order of the members.
/// Copies share one table in the Parent's memory, whose users are counted for one thread.
class RankRuns {
 public:
  struct Run {
    int number;  ///< of its first member
    int rank;    ///< the Parent's rank of that
    int size;
  };

  RankRuns() = default;
  /// At least one, that have no rank in common.
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
  /// The number of `rank`, or -1.
  int number(int rank) const {
    const Run& run = last_up_to<&Run::rank>(by_rank(), rank);
    const int beyond = rank - run.rank;
    return beyond >= 0 && beyond < run.size ? run.number + beyond : -1;
  }

 private:
  // The runs follow in memory, and where they do not ascend, once more in the order of their ranks.
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

/// Some ranks of a Parent in some order, as a communicator: after RBC (Axtmann, Wiebigke, Sanders,
/// IPDPS 2018, arXiv 1710.08027). A small value: making, copying and dropping one is local and
/// calls nothing of MPI. It takes constant time for the ranks first, first + stride, … last, and
/// time linear in the number of ranges for others. Borrows its Parent.
///
/// A process that is no member may make one to translate ranks; it cannot communicate. Operations
/// are free functions below, in MPI's order of arguments with the communicator last.
class Comm {
 public:
  /// Of nobody; good for being assigned to.
  Comm() = default;

  /// The ranks first, first + stride, … up to `last`, which is a member only if the steps meet it.
  /// Throws std::invalid_argument unless 0 <= first <= last < size() and stride >= 1.
  Comm range(int first, int last, int stride = 1) const;

  /// The ranks of all `ranges`, one range after the other. Throws std::invalid_argument if there is
  /// none, if one is empty or not within 0 … size() - 1, and if two have a rank in common.
  Comm subset(std::span<const RankRange> ranges) const;

  /// The same of ranks.
  Comm subset(std::span<const int> ranks) const;

  /// The caller's rank, or -1 if it is no member.
  int rank() const { return rank_; }
  int size() const { return size_; }
  explicit operator bool() const { return parent_ != nullptr; }

  /// The Parent's rank of the member `rank` (not checked).
  int parent_rank(int rank) const {
    return runs_ ? runs_.rank(rank) : context_.f + rank * context_.stride;
  }

  /// The member's rank of a Parent's rank, or -1.
  int rank_of(int parent_rank) const {
    return runs_ ? runs_.number(parent_rank) : position(parent_rank);
  }

  Parent& parent() const { return *parent_; }
  /// Equal of communicators with the same members in the same order, unless icreate_group has told
  /// them apart.
  const Context& context() const { return context_; }

  /// That of the Parent, but for communicators of icreate_group, and what is made from them.
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
  RankRuns runs_;  // none of a range
  Context context_;
  int size_ = 0;
  int rank_ = -1;
  std::uint32_t channel_ = 0;
};

/// Advances the operations of all Parents that this thread has created. To be called now and then
/// while the process computes, and while it tests a nonblocking call of MPI.
void progress();

/// The MPI group of the members, in their order; local. The caller frees it (MPI_Group_free).
MPI_Group group(const Comm& comm);

/// An MPI communicator with the members of `comm`, in their order, for libraries, windows and
/// files. The first call is group-collective (MPI_Comm_create_group); later calls return the same
/// communicator immediately.
///
/// The Parent owns it. It is freed by free_mpi, with the GroupCreation of `comm`, or with the
/// Parent. `tag`, 0 … Parent::max_tag, distinguishes creations of overlapping groups by several
/// threads.
///
/// Throws std::invalid_argument for a wrong tag or a caller that is no member, and MpiError.
/// Source: MPI 4.1, section 7.4.2 (MPI_Comm_create_group).
MPI_Comm to_mpi(const Comm& comm, int tag = 0);

/// Frees the communicator that to_mpi has created for `comm`, if any. All members call it.
void free_mpi(const Comm& comm);

/// Whether two communicators of one Parent have at least two processes in common.
bool overlap_in_two(const Comm& one, const Comm& other);

class Operation;

/// What MPI says of a request without a message: its empty status.
inline void tell_of_nothing(MPI_Status& status) {
  status.MPI_SOURCE = MPI_ANY_SOURCE;
  status.MPI_TAG = MPI_ANY_TAG;
  status.MPI_ERROR = MPI_SUCCESS;
  MPI_Status_set_elements(&status, MPI_BYTE, 0);
  MPI_Status_set_cancelled(&status, 0);
}

/// A communication under way. Null when made by default, and after the test or wait that found it
/// complete, which also throws its error. Move-only; dropping one that is not complete, or
/// assigning to it, waits for it, and loses its error. After an error nothing is received into its
/// buffers any more; what it was sending may still be read.
///
/// Buffers belong to the communication until it is complete. Testing or waiting moves on everything
/// on the same Parent.
class Request {
 public:
  Request() = default;
  /// For operations only: takes over `operation`, which lies in `bytes` of its Parent's memory.
  Request(Operation* operation, std::size_t bytes) : operation_(operation), bytes_(bytes) {}
  Request(Request&& other) noexcept;
  Request& operator=(Request&& other) noexcept;
  ~Request();

  /// True while there is something to wait for.
  explicit operator bool() const { return operation_ != nullptr; }

  /// Looks, without waiting; true if complete or null. Status of a receive: in the communicator's
  /// ranks.
  bool test(MPI_Status* status = MPI_STATUS_IGNORE);

  /// Waits, as politely as the Parent's Waiter says.
  void wait(MPI_Status* status = MPI_STATUS_IGNORE);

 private:
  friend class Requests;

  bool complete() const;
  /// Of one that is complete; answers its error.
  std::exception_ptr finish(MPI_Status* status) noexcept;
  void drop() noexcept;

  Operation* operation_ = nullptr;
  std::size_t bytes_ = 0;
};

inline bool test(Request& request, MPI_Status* status = MPI_STATUS_IGNORE) {
  return request.test(status);
}
inline void wait(Request& request, MPI_Status* status = MPI_STATUS_IGNORE) { request.wait(status); }

/// True if all are complete; otherwise none becomes null, as in MPI. Parents may differ. With
/// errors, all become null, and the first is thrown. `statuses`: as many as requests, or
/// MPI_STATUSES_IGNORE.
bool testall(std::span<Request> requests, MPI_Status* statuses = MPI_STATUSES_IGNORE);

/// Waits for all, as the Waiter of the first that is not null says. Errors: as testall.
void waitall(std::span<Request> requests, MPI_Status* statuses = MPI_STATUSES_IGNORE);

// As MPI's functions of the same names. The error of the first reported request that has one is
// thrown; all of these are null then. There is no cancel: MPI 4.1 has deprecated that of sends, and
// what is received may have been taken out of MPI's queue.

/// The index of a complete one, which becomes null; nothing if none is, MPI_UNDEFINED if all are
/// null.
std::optional<int> testany(std::span<Request> requests, MPI_Status* status = MPI_STATUS_IGNORE);
/// Waits for one; MPI_UNDEFINED if all are null.
int waitany(std::span<Request> requests, MPI_Status* status = MPI_STATUS_IGNORE);

/// The ascending indices of complete ones, which become null; `statuses[i]` is that of the i-th
/// index.
std::vector<int> testsome(std::span<Request> requests, MPI_Status* statuses = MPI_STATUSES_IGNORE);
/// Waits for at least one; none if all are null.
std::vector<int> waitsome(std::span<Request> requests, MPI_Status* statuses = MPI_STATUSES_IGNORE);

// Point-to-point messages between the members of a range communicator, with the meaning of MPI's
// functions of the same names. Ranks are the communicator's, also in a status; tags are 0 …
// Parent::max_message_tag(). Called by the two members alone. What goes to MPI_PROC_NULL, or comes
// from there, is complete at once.
//
// Messages match receives in the order in which these were posted, on whatever communicators of the
// Parent, and those of one sender in the order in which they were sent; a probe does not show what
// a receive that was posted before will take. Wildcards see messages of members only, whatever
// others have sent to this process. To be known:
// - On two communicators that share two processes and a channel, a wildcard sees the messages of
//   both.
// - What the user has sent on the parent communicator itself and nobody has received is ahead of
//   later messages of its sender: as long as it is, MPI_ANY_TAG looks at every tag, which takes
//   milliseconds, and prefers the lowest, not the first.
// - A wildcard looks for its message when somebody tests or waits, unless it is one of any source
//   with a tag, on a communicator of all ranks: that MPI can do by itself.
//
// Misuse throws std::invalid_argument; MPI's own errors go to the parent communicator's handler.

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

// Collectives with the meaning and the arguments of MPI's functions of the same names, for any
// datatype and operation, also ones that do not commute; called by all members alone. MPI_IN_PLACE
// instead of `data` is refused where it has no meaning.
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
// Nonblocking forms make progress whenever somebody tests or waits on the Parent. Short ones
// allocate nothing once the Parent's memory has seen their like. What has no bytes synchronises
// nobody. Misuse (a root outside, a negative count, no datatype) throws std::invalid_argument.

/// Instead of a tag: the collective is matched in call order.
inline constexpr int in_call_order = -1;

/// One k-nomial tree; long messages in pieces along a binary one (see Parent::pipelines).
void bcast(void* data, int count, MPI_Datatype type, int root, const Comm& comm, int tag = 0);
Request ibcast(void* data, int count, MPI_Datatype type, int root, const Comm& comm,
               int tag = in_call_order);

/// As bcast, the other way; below another root than 0, an operation that does not commute goes by
/// way of rank 0. `result` is significant at the root.
void reduce(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op, int root,
            const Comm& comm, int tag = 0);
Request ireduce(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op, int root,
                const Comm& comm, int tag = in_call_order);

/// Two ranks exchange; more reduce to rank 0 and broadcast. All get the same bits.
void allreduce(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
               const Comm& comm, int tag = 0);
Request iallreduce(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
                   const Comm& comm, int tag = in_call_order);

/// Up and down a k-nomial tree: sums of subtrees up, sums of what is on the left down.
void scan(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op, const Comm& comm,
          int tag = 0);
Request iscan(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
              const Comm& comm, int tag = in_call_order);

/// As scan, without the rank's own part; `result` of rank 0 is not touched.
void exscan(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
            const Comm& comm, int tag = 0);
Request iexscan(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
                const Comm& comm, int tag = in_call_order);

/// Straight to the root, into place. `result…` is significant at the root.
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

/// Two ranks exchange; more gather to rank 0 and broadcast.
void allgather(const void* data, int count, MPI_Datatype type, void* result, int result_count,
               MPI_Datatype result_type, const Comm& comm, int tag = 0);
Request iallgather(const void* data, int count, MPI_Datatype type, void* result, int result_count,
                   MPI_Datatype result_type, const Comm& comm, int tag = in_call_order);

/// As allgather, of parts that differ; everybody sends to everybody. Counts and displacements are
/// read before the nonblocking form returns, here and below.
void allgatherv(const void* data, int count, MPI_Datatype type, void* result,
                const int* result_counts, const int* displacements, MPI_Datatype result_type,
                const Comm& comm, int tag = 0);
Request iallgatherv(const void* data, int count, MPI_Datatype type, void* result,
                    const int* result_counts, const int* displacements, MPI_Datatype result_type,
                    const Comm& comm, int tag = in_call_order);

/// Straight from the root. `data…` is significant at the root.
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

/// Everybody sends to everybody; MPI_IN_PLACE copies the parts first.
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

/// Reduced to rank 0, which sends everybody its part.
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

/// A collective that is started again and again with the same arguments, as MPI_Bcast_init and its
/// relatives of MPI 4 create one; local. One start after the other: the request of the last one is
/// complete before the next.
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

/// How the messages of a created communicator are kept apart from those of others. MPI has no
/// communicator for it; what its messages carry is a channel, and of those there are few.
enum class Isolation {
  /// The members agree on a channel that is free on all of them: a reduction and a broadcast. If
  /// there is none, all of them see NoChannel.
  agreed,
  /// A range of the parent is created immediately, with a channel that all members compute. If
  /// another communicator on this process has that channel, icreate_group throws NoChannel, only on
  /// the processes that both have in common; the program must inform the others. Other groups
  /// agree, as above.
  checked,
  /// A range of the parent is there at once, and its channel may be that of another range: then
  /// tags must keep them apart, as those of the ranges of one communicator (see Parent), with which
  /// it never has one in common. Other groups agree, as above.
  by_tags
};

/// A communicator being created by icreate_group, and once complete, the owner of what belongs to
/// it. Move-only.
class GroupCreation {
 public:
  GroupCreation(GroupCreation&&) = default;
  GroupCreation& operator=(GroupCreation&&) = default;

  /// As of a Request: complete? Moves on everything under way on the Parent. Throws NoChannel if
  /// the members found none.
  bool test();
  void wait();

  /// The request behind test and wait, to be waited for with others; it throws NoChannel in their
  /// place. This object must live until then. Null if the communicator is there at once.
  Request take_request();

  /// The new communicator, valid with its ranges as long as this object lives (it may be moved);
  /// what was created from them may live longer. Throws std::logic_error before it is complete.
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

/// Starts to create a communicator of `group`, distinct ranks of `parent` in their new order;
/// called by the members of `group` with the same arguments, and by nobody else (group-collective).
/// After section VI of the RBC paper (arXiv 1710.08027), see Context:
///
/// - The members agree on a channel, without blocking. If the group is no range of the parent
///   (first, first + stride, …), the first member also draws a fresh ⟨a, b⟩ and broadcasts it.
/// - With Isolation::checked and by_tags, a range is complete at once, without communication.
///
/// `tag`, 0 … Parent::max_tag, distinguishes creations of the same group of the same parent. All
/// members must call those with the same tag in the same order and, unless the group is a range,
/// one after another. Any number of creations may be in progress, and all advance, whichever is
/// waited for.
///
/// While it lives, no message of the new communicator is taken for one of another, nor another's
/// for one of its own, provided that
///
/// - `isolation` is not by_tags;
/// - a process drops it only when it has received what was sent to it there;
/// - two ranges that are checked, and made in different order on two processes, live at the same
///   time on one of these.
///
/// Its ranges have its channel; what is said at Parent holds among them and it.
GroupCreation icreate_group(const Comm& parent, std::span<const int> group, int tag,
                            Isolation isolation = Isolation::agreed);

/// For a range, in constant time: the ranks first, first + stride, … last of `parent`.
GroupCreation icreate_group(const Comm& parent, int first, int last, int stride, int tag,
                            Isolation isolation = Isolation::agreed);

/// As MPI_Comm_idup and MPI_Comm_dup: the same members with a channel that they agree on.
GroupCreation idup(const Comm& comm, int tag = 0);
GroupCreation dup(const Comm& comm, int tag = 0);

/// As MPI_Comm_split: the members that call it with the same `colour`, in the order of their keys;
/// nothing for MPI_UNDEFINED. Where no isolation is needed and everybody knows all colours,
/// Comm::subset does it without a message.
std::optional<GroupCreation> split(const Comm& comm, int colour, int key, int tag = 0);

}  // namespace regroup::range
