// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "regroup/communicator.hpp"
#include "regroup/range.hpp"
#include "regroup/sorting.hpp"
#include "sorting/assignment.hpp"

namespace regroup::sorting {

/// Owns the MPI datatype of elements of `bytes` bytes.
class ElementDatatype {
 public:
  explicit ElementDatatype(std::size_t bytes) {
    MPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &type_);
    MPI_Type_commit(&type_);
  }
  ElementDatatype(const ElementDatatype&) = delete;
  ElementDatatype& operator=(const ElementDatatype&) = delete;
  ~ElementDatatype() { MPI_Type_free(&type_); }
  MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

/// A nonblocking operation of a range communicator or of MPI; initially none. Its buffers must not
/// be touched until test() has returned true.
class Pending {
 public:
  Pending() = default;
  explicit Pending(range::Request request) : range_(std::move(request)) {}
  explicit Pending(MPI_Request request) : mpi_(request) {}
  Pending(Pending&& other) noexcept
      : range_(std::move(other.range_)), mpi_(std::exchange(other.mpi_, MPI_REQUEST_NULL)) {}
  Pending& operator=(Pending&& other) noexcept {
    range_ = std::move(other.range_);
    mpi_ = std::exchange(other.mpi_, MPI_REQUEST_NULL);
    return *this;
  }

  /// Returns whether the operation is complete; true if there is none.
  bool test(MPI_Status* status = MPI_STATUS_IGNORE);

 private:
  range::Request range_;
  MPI_Request mpi_ = MPI_REQUEST_NULL;
};

/// The communicator of a group, and its nonblocking operations: those of a range communicator, or
/// those of MPI.
class Link {
 public:
  explicit Link(const range::Comm& range) : comm_(range) {}
  /// Owns a communicator that a strategy created at `site`, which counts it until it is freed.
  Link(GroupComm made, std::shared_ptr<Site> site)
      : site_(std::move(site)), comm_(std::move(made)) {}
  /// Borrows a communicator.
  explicit Link(MPI_Comm borrowed);

  Link(Link&&) = default;
  Link& operator=(Link&&) = delete;  // it would release the site first

  int rank() const { return comm_ ? comm_.rank() : rank_; }
  int size() const { return comm_ ? comm_.size() : size_; }
  MPI_Comm comm() const { return comm_ ? comm_.comm() : borrowed_; }

  Pending gatherv(const void* data, int count, void* all, const int* counts, const int* begins,
                  MPI_Datatype type, int root) const;
  Pending bcast(void* data, int count, MPI_Datatype type, int root) const;
  /// Sums the numbers of lower ranks; writes nothing on rank 0.
  Pending exscan(const long long* numbers, long long* sums, int count) const;
  Pending allmax(const long long* numbers, long long* results, int count) const;
  Pending allgather(const long long* numbers, int count, long long* all) const;
  Pending send(const void* data, int count, MPI_Datatype type, int to, int tag) const;
  Pending receive(void* data, int count, MPI_Datatype type, int from, int tag) const;

 private:
  template <class OnRange, class InMpi, class... Arguments>
  Pending started(OnRange on_range, InMpi in_mpi, Arguments... arguments) const;

  std::shared_ptr<Site> site_;  // outlives the communicator, which it counts
  GroupComm comm_;
  MPI_Comm borrowed_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 0;
};

// Tags of messages with elements: the largest tags available to users.
inline constexpr int small_tag = range::Parent::max_tag;
inline constexpr int large_tag = range::Parent::max_tag - 1;
inline constexpr int pair_tag = range::Parent::max_tag - 2;

/// Returns the number of samples in a group with `ranks` ranks and `elements` elements.
int number_of_samples(const SortOptions& options, int ranks, long long elements);

/// Returns the positions of the samples among `positions` (all if these are too few), in no order;
/// the same on all ranks, so that each knows how many samples every rank sends.
std::vector<long long> sample_positions(const SortOptions& options, int ranks, int level,
                                        const Interval& positions);

/// The operations and the MPI datatype of the elements of a sort.
struct Elements {
  const ElementOperations& type;
  MPI_Datatype datatype;
};

/// The exchange of one part of a level: the caller sends its elements to their ranks, and receives
/// from any rank until it has the expected number. Must not be moved while in progress.
class Exchange {
 public:
  /// Sends the elements at `from` in `pieces` to the ranks Piece::to - `first` of `link`, and
  /// receives `expected` elements at `to`. Both buffers must stay until the exchange is complete.
  void start(const Link& link, const Elements& elements, int tag, const std::byte* from,
             std::span<const Piece> pieces, int first, std::byte* to, long long expected);

  /// Makes progress. Returns whether all elements have been sent and received.
  bool advance();

  long long held() const { return expected_; }
  long long messages_received() const { return messages_received_; }
  long long messages_sent() const { return messages_sent_; }
  long long bytes_sent() const { return bytes_sent_; }

 private:
  void receive_next();

  const Link* link_ = nullptr;
  MPI_Datatype datatype_ = MPI_DATATYPE_NULL;
  std::size_t element_size_ = 0;
  int tag_ = 0;
  std::byte* to_ = nullptr;
  long long expected_ = 0;
  long long arrived_ = 0;
  Pending receive_;
  std::vector<Pending> sends_;
  long long messages_received_ = 0;
  long long messages_sent_ = 0;
  long long bytes_sent_ = 0;
};

/// The share of one rank in the work of a group, which sorts the elements of `positions`.
struct SortJob {
  Interval positions;
  std::byte* elements = nullptr;  ///< of the rank, `count` elements
  std::byte* room = nullptr;      ///< memory for `count` elements
  std::size_t count = 0;
  int level = 1;
};

/// One level of one group, on one of its ranks: a state machine that makes progress whenever
/// advance() is called, and never waits.
///
///   samples    random elements are sent to the rank in the middle
///   pivot      the rank in the middle broadcasts their median
///   counts     each rank counts the elements less and greater than the pivot, and learns all
///              counts; in large groups (greedy), their prefix sums and, from the last rank, sums
///   exchange   small elements go to the ranks of the first positions, large ones to the others
///
/// On odd levels, elements less than the pivot are small, on even ones also those equal to it. If
/// all would be on one side, equal elements change sides. If all still are, all are equal.
class Level {
 public:
  Level(SortJob job, Link link, const Slots& slots, int rank, const Elements& elements,
        const SortOptions& options);
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;

  /// Returns whether it has made progress.
  bool advance();
  bool done() const { return state_ == State::done; }

  // Only for levels that are done, except held().

  /// Returns whether all elements of the group are equal; they are not moved then.
  bool all_equal() const { return small_ == 0; }
  const SortJob& job() const { return job_; }
  Link& link() { return link_; }

  /// The positions of the small (0) or large (1) elements, and the caller's exchange of them.
  Interval positions(int part) const;
  Exchange& part(int part) { return parts_[static_cast<std::size_t>(part)]; }

  /// Returns the number of elements of the group that the caller holds.
  long long held() const;
  /// Returns the size of the samples that the caller has sent.
  long long bytes_sent() const { return bytes_sent_; }

 private:
  enum class State { samples, pivot, counts, sums, exchange, done };

  // Not a rank at the border, which may be busy in two groups.
  int root() const { return link_.size() / 2; }
  bool is_root() const { return link_.rank() == root(); }
  bool is_last() const { return link_.rank() == link_.size() - 1; }
  bool is_greedy() const { return options_.assignment == Assignment::greedy; }
  bool gathers_counts() const { return !is_greedy() || link_.size() <= options_.most_gathered; }
  bool prefers_equal() const { return job_.level % 2 == 0; }

  void send_samples();
  void broadcast_median();
  void count();
  void broadcast_sums();
  /// Decides which elements are small, and starts the exchange of both parts.
  void split();
  long long small_of(long long less, long long greater, long long elements) const {
    return equal_is_small_ ? elements - greater : less;
  }
  std::vector<Piece> pieces_by_sum(int part) const;
  std::vector<Piece> pieces_by_all(int part) const;

  SortJob job_;
  Link link_;
  const Slots& slots_;
  const Elements& elements_;
  const SortOptions& options_;
  int first_;     ///< the group's first rank
  Interval own_;  ///< the caller's positions in the group
  State state_ = State::samples;
  Pending gather_;
  Pending bcast_;

  ElementBuffer samples_;
  ElementBuffer all_samples_;
  std::vector<int> counts_;  // of samples, and displacements: read by MPI during the gather
  std::vector<int> begins_;
  ElementBuffer pivot_;
  std::array<long long, 2> mine_{};    ///< numbers of own elements less and greater than the pivot
  std::array<long long, 2> before_{};  ///< the same, on all lower ranks of the group
  std::array<long long, 2> sums_{};    ///< the same, on all ranks of the group
  std::vector<long long> all_;         ///< the same, for each rank of the group
  bool equal_is_small_ = false;
  long long small_ = 0;
  std::array<Exchange, 2> parts_;
  long long bytes_sent_ = 0;
};

}  // namespace regroup::sorting
