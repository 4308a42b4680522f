// SPDX-License-Identifier: BSD-3-Clause
//
// Range communicators, which are made without communication: `range::Parent`, `range::Comm`,
// messages, collective operations, and `range::icreate_group`. A library of their own,
// Regroup::range, which needs nothing but MPI.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <memory_resource>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

#include "regroup/waiter.hpp"

namespace regroup::range {

/// An MPI call failed and the communicator's error handler returned (MPI_ERRORS_RETURN): the
/// message is MPI's own text. With other handlers nobody sees this.
class MpiError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
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

/// No channel is left for a communicator, so that its messages could be taken for those of another.
class NoChannel : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The channels of one process: how many there are, what for, and which of them are taken by
/// communicators that live here. An MPI message carries its tag and no context; a channel is what
/// tells communicators apart that icreate_group has made. 0 is no channel, but the ranges of the
/// Parent themselves.
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

  explicit Channels(std::uint32_t number) : number_(number) {}

  std::uint32_t number() const { return number_; }

  // Communicators of different kinds never have a channel in common.
  Pool by_tags() const { return {1, number_ / 4}; }
  Pool checked() const { return {1 + number_ / 4, number_ / 2}; }
  Pool agreed() const {
    const std::uint32_t others = number_ / 4 + number_ / 2;
    return {1 + others, number_ - others};
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
  std::uint32_t number_;
  std::vector<std::uint32_t> taken_;
};

/// The name of a communicator, made without asking anybody: the wide context ⟨a, b, f, l, c⟩ that
/// Axtmann, Wiebigke and Sanders propose for MPI (arXiv 1710.08027, section VI). Two communicators
/// of one Parent have the same context only if they are the same communicator.
///
/// - ⟨a, b⟩ names a numbering of processes: process `a` handed it out as its `b`-th one. ⟨0, 0⟩ is
///   the numbering that nobody had to hand out, the ranks of the Parent's MPI communicator.
/// - `f … l` are the members, as numbers in that numbering. Ours has a `stride` as well, so that
///   every n-th process is a range, too.
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

/// The members `first`, `first + stride`, … `last` of `parent`, in the parent's ranks, as a range
/// of the same numbering; `c` is the parent's.
constexpr Context sub_range(const Context& parent, int first, int last, int stride) {
  return {parent.a,
          parent.b,
          parent.f + first * parent.stride,
          parent.f + last * parent.stride,
          first == last ? 1 : stride * parent.stride,
          parent.c};
}

/// Mixes all bits, one to one.
std::uint64_t mixed(std::uint64_t bits);

/// A digest of `number` and what was before it.
std::uint64_t digest(std::uint64_t so_far, std::uint64_t number);

std::uint64_t digest(const Context& context);

/// What one process remembers of the communicators that it took part in creating. Processes agree
/// on contexts without a message because each of them counts the same creations: those of the same
/// range of the same parent with the same tag, which MPI's rule for create_group already requires
/// all members to call in the same order. One small entry per such range, parent and tag, until the
/// parent is no more.
class CreationLog {
 public:
  struct Child {
    Context context;
    /// A number that follows that of the one before of this range of the same parent with this tag,
    /// and is far from those of others.
    std::uint64_t place;
  };

  /// The next communicator of this range of `parent` with this `tag`.
  Child child(const Context& parent, int first, int last, int stride, int tag);

  /// Forgets the children of `parent` and of its ranges: there will be no more of them.
  void forget(const Context& parent) { count_.erase(numbering(parent)); }

  /// The context of `size` processes that are no range, handed out by `process`, which must be the
  /// caller; everybody else learns `b` from it.
  Context fresh_context(int process, int size) { return {process, ++fresh_, 0, size - 1, 1, 0}; }

 private:
  // What a communicator and its ranges have in common.
  static std::uint64_t numbering(const Context& context);

  std::unordered_map<std::uint64_t, std::unordered_map<std::uint64_t, std::uint32_t>> count_;
  std::int32_t fresh_ = 0;
};

/// Memory for one thread that takes and gives back the same few sizes again and again. A block of
/// up to 512 bytes is one that was given back, if there is one, which takes 2 ns instead of the
/// pool's 20: as much as a tenth of a short operation between two ranks.
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
      {.max_blocks_per_chunk = 16, .largest_required_pool_block = 256 * 1024}};
  std::array<Free*, largest / step + 1> free_{};
};

class Operation;
class Comm;
class Matching;

/// A message that an operation waits for, and where it wants to be told about it.
struct PendingMessage {
  MPI_Request* request;
  MPI_Status* status = nullptr;
  Operation* operation = nullptr;  ///< Parent sees to it
};

/// Whether operations whose messages could be mistaken for one another's are found when they start
/// (see Parent). Costs a look at every operation under way; on by default in debug builds.
enum class OverlapCheck { off, on };
OverlapCheck default_overlap_check();

/// What the range communicators of one MPI communicator have in common: everything that would take
/// an MPI call to find out, the memory of their operations, and the operations under way.
///
/// `comm` is no intercommunicator, or std::invalid_argument is thrown. Making one is local and
/// takes a few MPI calls; all range communicators are then made from all() with none. Borrows
/// `comm`, and must outlive its range communicators and their requests. One thread only. Every
/// process of `comm` that communicates makes its own Parent, once, with a `waiter` that waits as
/// those of others do: two Parents of one MPI
/// communicator would not know of each other's operations.
///
/// **Tags.** All messages are messages on `comm`. The MPI tags 0 … max_tag are left to those who
/// send on `comm` itself; those above belong to the range communicators. Nobody may receive on
/// `comm` itself from any source with any tag.
///
/// **Who may communicate at the same time.** MPI tells messages apart by sender, receiver and tag.
/// Range communicators with at most one common process have no common pair of sender and receiver
/// and never interfere (but for messages of a process to itself, which only the user can send).
/// With two or more common processes, operations of the same kind that are under way at the same
/// time need distinct tags, also on one communicator: two broadcasts there need two tags, a
/// broadcast and a barrier do not. One after another, in the same order on all common processes,
/// needs none. The check throws std::logic_error where one process has both under way.
///
/// **Progress.** Whoever tests or waits moves every operation of this Parent on; so the order in
/// which members wait for several operations does not matter.
class Parent {
 public:
  static constexpr int tag_bits = 11;
  static constexpr int kind_bits = 5;
  static constexpr int max_tag = (1 << tag_bits) - 1;  ///< of collectives and creations

  Parent(MPI_Comm comm, Waiter waiter, OverlapCheck check = default_overlap_check());
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

  /// The channels that fit above the tags: 4,095 with MPICH, 32,767 with Open MPI; none with an MPI
  /// library that has no more tags than it must.
  Channels& channels() { return channels_; }

  CreationLog& creations() { return creations_; }

  /// Which receive gets which message.
  Matching& matching() { return *matching_; }

  std::pmr::memory_resource& memory() { return memory_; }

  /// Whether long broadcasts and reductions go in pieces, so that a rank passes one on while the
  /// next one comes in. That is faster by far where every rank has a core of its own, and slower
  /// where many share one, since each of them has to be woken up for every piece. As long as nobody
  /// says otherwise, where the waiter is direct. The same on all processes.
  bool pipelines() const { return pipelines_; }
  void pipeline(bool in_pieces) { pipelines_ = in_pieces; }

  /// Moves every operation under way on. An error is that of its operation, which has failed then.
  void progress();

  /// Progresses until `done` answers true, which only operations under way may bring about.
  /// Waits in MPI_Waitany on all messages of all operations, where the waiter may wait in MPI,
  /// unless there are none, or a receive waits for its message here (see Matching), which has to
  /// look again and again.
  template <class Done>
  void wait_until(Done done) {
    waiter_.until_in_mpi(
        [&] {
          progress();
          return done();
        },
        [&] { wait_for_a_message(); });
  }

  /// For blocking operations only: whether one may wait inside MPI for its own messages alone,
  /// since nothing else is under way; and one that does, which `run` carries out.
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
  Channels channels_{0};
  CreationLog creations_;
  std::unique_ptr<Matching> matching_;
  SmallBlocks memory_;
  bool runs_alone_ = false;
  std::vector<Operation*> under_way_;
  std::vector<PendingMessage> pending_;  // for wait_for_a_message only, like the next
  std::vector<MPI_Request> pending_requests_;
};

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

class Operation;

/// What MPI says of a request without a message: its empty status.
inline void tell_of_nothing(MPI_Status& status) {
  status.MPI_SOURCE = MPI_ANY_SOURCE;
  status.MPI_TAG = MPI_ANY_TAG;
  status.MPI_ERROR = MPI_SUCCESS;
  MPI_Status_set_elements(&status, MPI_BYTE, 0);
  MPI_Status_set_cancelled(&status, 0);
}

/// A communication under way on a range communicator. Null when made by default, and after the
/// test or wait that found it complete. Move-only; dropping one that is not complete, or assigning
/// to it, waits for it.
///
/// An error of the communication is thrown by the test or wait that finds it complete, and by no
/// other; it is null then, too. That of a request that is dropped is lost. After an error nothing
/// is received into its buffers any more; what it was sending may still be read.
///
/// Buffers belong to the communication until it is complete. Testing or waiting moves on everything
/// that is under way on the same Parent.
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

  /// Looks, without waiting; true if complete, which a null request is. The status, of a receive,
  /// is in ranks of the communicator.
  bool test(MPI_Status* status = MPI_STATUS_IGNORE);

  /// Waits, as politely as the Parent's Waiter says.
  void wait(MPI_Status* status = MPI_STATUS_IGNORE);

 private:
  friend bool all_complete(std::span<Request> requests);
  friend bool testall(std::span<Request> requests, MPI_Status* statuses);
  friend void waitall(std::span<Request> requests, MPI_Status* statuses);
  friend class SomeOf;

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

/// True if all are complete; otherwise none of them becomes null, as in MPI. May be of several
/// Parents, each of which makes progress. With errors, all become null, and the first is thrown.
/// `statuses`: as many as requests, or MPI_STATUSES_IGNORE.
bool testall(std::span<Request> requests, MPI_Status* statuses = MPI_STATUSES_IGNORE);

/// Waits for all, as the Waiter of the first that is not null says. With errors, too: the first is
/// thrown.
void waitall(std::span<Request> requests, MPI_Status* statuses = MPI_STATUSES_IGNORE);

// Of requests of which some are complete, as MPI's functions of the same names. An error is that of
// the first request among those told of that has one: it is thrown, and all these are null then.
// There is no cancel: MPI 4.1 has deprecated that of sends, which may have been received already;
// and what is received may have been taken out of MPI's queue for the one that is to be cancelled.

/// The index of one that is complete, which becomes null; nothing if none is, and MPI_UNDEFINED if
/// all are null.
std::optional<int> testany(std::span<Request> requests, MPI_Status* status = MPI_STATUS_IGNORE);
/// Waits for one; MPI_UNDEFINED if all are null.
int waitany(std::span<Request> requests, MPI_Status* status = MPI_STATUS_IGNORE);

/// The indices, ascending, of those that are complete, which become null; `statuses[i]` is that of
/// the i-th index. None where none is complete, or all are null.
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

// Collectives of range communicators: the meaning and the arguments of MPI's functions of the same
// names, for any datatype and operation; called by all members, and by nobody else. What rank order
// means for an operation that does not commute is kept to. MPI_IN_PLACE instead of `data` has the
// meaning that it has for MPI; where it has none, it is refused.
//
// `tag`, 0 … Parent::max_tag, tells apart what members have under way at the same time on
// communicators that overlap in two processes or more, and on one communicator (see Parent); the
// same on all members. One after another, collectives need no tags. For this, scatter and scatterv
// are of the same kind, and so are the two of alltoall and of reduce_scatter.
//
// The nonblocking forms make progress whenever somebody tests or waits for anything on the Parent.
// Every collective is a state machine over point-to-point messages; short ones allocate nothing
// once the Parent's memory has seen their like. What has no bytes sends no message and synchronises
// nobody. Misuse (a root outside, a negative count, no datatype) throws std::invalid_argument.

/// One k-nomial tree; long messages in pieces along a binary one (see Parent::pipelines).
void bcast(void* data, int count, MPI_Datatype type, int root, const Comm& comm, int tag = 0);
Request ibcast(void* data, int count, MPI_Datatype type, int root, const Comm& comm, int tag = 0);

/// As bcast, the other way; below another root than 0, an operation that does not commute goes by
/// way of rank 0. `result` is significant at the root.
void reduce(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op, int root,
            const Comm& comm, int tag = 0);
Request ireduce(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op, int root,
                const Comm& comm, int tag = 0);

/// Two ranks exchange; more reduce to rank 0 and broadcast. All get the same bits.
void allreduce(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
               const Comm& comm, int tag = 0);
Request iallreduce(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
                   const Comm& comm, int tag = 0);

/// Up and down a k-nomial tree: sums of subtrees up, sums of what is on the left down.
void scan(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op, const Comm& comm,
          int tag = 0);
Request iscan(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
              const Comm& comm, int tag = 0);

/// As scan, without the rank's own part; `result` of rank 0 is not touched.
void exscan(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
            const Comm& comm, int tag = 0);
Request iexscan(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
                const Comm& comm, int tag = 0);

/// Straight to the root, into place. `result…` is significant at the root.
void gather(const void* data, int count, MPI_Datatype type, void* result, int result_count,
            MPI_Datatype result_type, int root, const Comm& comm, int tag = 0);
Request igather(const void* data, int count, MPI_Datatype type, void* result, int result_count,
                MPI_Datatype result_type, int root, const Comm& comm, int tag = 0);

/// As gather; counts and displacements (in elements of `result_type`) are read before the
/// nonblocking form returns.
void gatherv(const void* data, int count, MPI_Datatype type, void* result, const int* result_counts,
             const int* displacements, MPI_Datatype result_type, int root, const Comm& comm,
             int tag = 0);
Request igatherv(const void* data, int count, MPI_Datatype type, void* result,
                 const int* result_counts, const int* displacements, MPI_Datatype result_type,
                 int root, const Comm& comm, int tag = 0);

/// Two ranks exchange; more gather to rank 0 and broadcast.
void allgather(const void* data, int count, MPI_Datatype type, void* result, int result_count,
               MPI_Datatype result_type, const Comm& comm, int tag = 0);
Request iallgather(const void* data, int count, MPI_Datatype type, void* result, int result_count,
                   MPI_Datatype result_type, const Comm& comm, int tag = 0);

/// As allgather, of parts that differ; everybody sends to everybody. Counts and displacements are
/// read before the nonblocking form returns, here and below.
void allgatherv(const void* data, int count, MPI_Datatype type, void* result,
                const int* result_counts, const int* displacements, MPI_Datatype result_type,
                const Comm& comm, int tag = 0);
Request iallgatherv(const void* data, int count, MPI_Datatype type, void* result,
                    const int* result_counts, const int* displacements, MPI_Datatype result_type,
                    const Comm& comm, int tag = 0);

/// Straight from the root. `data…` is significant at the root.
void scatter(const void* data, int data_count, MPI_Datatype data_type, void* result, int count,
             MPI_Datatype type, int root, const Comm& comm, int tag = 0);
Request iscatter(const void* data, int data_count, MPI_Datatype data_type, void* result, int count,
                 MPI_Datatype type, int root, const Comm& comm, int tag = 0);
void scatterv(const void* data, const int* data_counts, const int* displacements,
              MPI_Datatype data_type, void* result, int count, MPI_Datatype type, int root,
              const Comm& comm, int tag = 0);
Request iscatterv(const void* data, const int* data_counts, const int* displacements,
                  MPI_Datatype data_type, void* result, int count, MPI_Datatype type, int root,
                  const Comm& comm, int tag = 0);

/// Everybody sends to everybody; MPI_IN_PLACE copies the parts first.
void alltoall(const void* data, int count, MPI_Datatype type, void* result, int result_count,
              MPI_Datatype result_type, const Comm& comm, int tag = 0);
Request ialltoall(const void* data, int count, MPI_Datatype type, void* result, int result_count,
                  MPI_Datatype result_type, const Comm& comm, int tag = 0);
void alltoallv(const void* data, const int* counts, const int* displacements, MPI_Datatype type,
               void* result, const int* result_counts, const int* result_displacements,
               MPI_Datatype result_type, const Comm& comm, int tag = 0);
Request ialltoallv(const void* data, const int* counts, const int* displacements, MPI_Datatype type,
                   void* result, const int* result_counts, const int* result_displacements,
                   MPI_Datatype result_type, const Comm& comm, int tag = 0);

/// Reduced to rank 0, which sends everybody its part.
void reduce_scatter(const void* data, void* result, const int* result_counts, MPI_Datatype type,
                    MPI_Op op, const Comm& comm, int tag = 0);
Request ireduce_scatter(const void* data, void* result, const int* result_counts, MPI_Datatype type,
                        MPI_Op op, const Comm& comm, int tag = 0);
void reduce_scatter_block(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
                          const Comm& comm, int tag = 0);
Request ireduce_scatter_block(const void* data, void* result, int count, MPI_Datatype type,
                              MPI_Op op, const Comm& comm, int tag = 0);

/// Two ranks exchange empty messages; more send them up and down a k-nomial tree.
void barrier(const Comm& comm, int tag = 0);
Request ibarrier(const Comm& comm, int tag = 0);

/// How the messages of a created communicator are kept apart from those of others. MPI has no
/// communicator for it; what its messages carry is a channel, and of those there are few.
enum class Isolation {
  /// A range of the parent is there at once. Its channel follows from what all members know, so
  /// that it may be that of another that lives here: then icreate_group throws NoChannel on the
  /// processes that both have in common, and only there. Other groups agree, as below.
  checked,
  /// The members agree on a channel that is free on all of them: a reduction and a broadcast. If
  /// there is none, all of them see NoChannel.
  agreed,
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

  /// Hands out what test and wait look at, to be waited for together with other requests, which
  /// then throws NoChannel in their place. This object must live until it is complete. Null where
  /// the communicator is there at once.
  Request take_request();

  /// The new communicator. It and the ranges of it are valid as long as this object lives (it may
  /// be moved); what was created from them may live longer. Throws std::logic_error before it is
  /// complete.
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
/// - A group that is a range of the parent (first, first + stride, …) is complete at once, without
///   communication, unless it is to agree on its channel.
/// - For any other group, the first member draws a fresh ⟨a, b⟩ and broadcasts it, without
///   blocking, together with the channel that they agree on.
///
/// `tag`, 0 … Parent::max_tag, tells creations apart, as MPI_Comm_create_group's does: those that
/// are under way at the same time and have two or more members in common need different ones; and
/// those with the same parent, group and tag must be called by all members in the same order. Any
/// number of creations may be under way, and all make progress, whichever is waited for.
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
                            Isolation isolation = Isolation::checked);

/// For a range, in constant time: the ranks first, first + stride, … last of `parent`.
GroupCreation icreate_group(const Comm& parent, int first, int last, int stride, int tag,
                            Isolation isolation = Isolation::checked);

}  // namespace regroup::range
