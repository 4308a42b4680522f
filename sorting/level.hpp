// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "sorting/assignment.hpp"
#include "sorting/buffer.hpp"
#include "sorting/exchange.hpp"
#include "sorting/link.hpp"
#include "sorting/options.hpp"
#include "sorting/samples.hpp"
#include "sorting/slots.hpp"

namespace regroup::sorting {

/// What one rank has of a group of ranks that sorts the elements of the places `places`.
template <class T>
struct Task {
  Interval places;
  Buffer<T> elements;  ///< as many as the rank has places among them
  int level = 1;
};

/// One level of one group, on one of its ranks: a machine of states, which moves on whenever it is
/// looked at, and never waits.
///
///   samples    random elements go to the rank in the middle
///   pivot      … which broadcasts their median
///   counts     everybody counts what is less than it, and what is greater, and learns all counts,
///              in a large group a prefix sum of them, and the sum from the last rank
///   exchange   what is small goes to the ranks of the first places, what is large to the others
///
/// On odd levels what is less than the pivot is small, on even ones also what is equal; where all
/// would be on one side, it is the other way round. If they still are, all are equal.
template <class T>
class Level {
 public:
  Level(Task<T> task, Link link, const Slots& slots, int rank, MPI_Datatype type,
        const SortOptions& options)
      : task_(std::move(task)),
        link_(std::move(link)),
        slots_(slots),
        type_(type),
        options_(options),
        first_(slots.first_of(task_.places)),
        own_(common(task_.places, slots.of(rank))) {
    send_samples();
  }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;

  /// True if it has got further.
  bool advance() {
    switch (state_) {
      case State::samples:
        if (!gather_.test()) return false;
        if (is_root()) broadcast_median();
        state_ = State::pivot;
        return true;
      case State::pivot:
        if (!bcast_.test()) return false;
        count();
        state_ = State::counts;
        return true;
      case State::counts:
        if (!gather_.test()) return false;
        if (!gathers_counts() && is_last()) broadcast_sums();
        state_ = State::sums;
        return true;
      case State::sums:
        if (!bcast_.test()) return false;
        split();
        return true;
      case State::exchange:
        // Both, so that both move on.
        if (const bool small = parts_[0].advance(); !parts_[1].advance() || !small) return false;
        task_.elements = {};
        parted_ = {};
        state_ = State::done;
        return true;
      case State::done:
        return false;
    }
    return false;
  }

  bool done() const { return state_ == State::done; }

  /// Of one that is done: all elements of the group are equal, and remain where they are.
  bool all_equal() const { return small_ == 0; }
  const Task<T>& task() const { return task_; }
  Buffer<T>& elements() { return task_.elements; }
  Link& link() { return link_; }

  /// The places of small elements, of large ones, and what the caller has received of them.
  Interval places(int part) const {
    const long long cut = task_.places.begin + small_;
    return part == 0 ? Interval{task_.places.begin, cut} : Interval{cut, task_.places.end};
  }
  Exchange<T>& part(int part) { return parts_[static_cast<std::size_t>(part)]; }

  /// What the caller holds of the group.
  long long held() const {
    return static_cast<long long>(done() && !all_equal() ? parts_[0].held() + parts_[1].held()
                                                         : task_.elements.size());
  }
  /// Of its samples.
  long long bytes_sent() const { return bytes_sent_; }

 private:
  enum class State { samples, pivot, counts, sums, exchange, done };

  // Not one at the border, which may be busy in two groups.
  int root() const { return link_.size() / 2; }
  bool is_root() const { return link_.rank() == root(); }
  bool is_last() const { return link_.rank() == link_.size() - 1; }
  bool is_greedy() const { return options_.assignment == Assignment::greedy; }
  bool gathers_counts() const { return !is_greedy() || link_.size() <= options_.most_gathered; }
  bool prefers_equal() const { return task_.level % 2 == 0; }

  void send_samples() {
    std::vector<int> counts(static_cast<std::size_t>(link_.size()));
    for (const long long place : sample_places(options_, link_.size(), task_.level, task_.places)) {
      const int owner = slots_.owner(place) - first_;
      ++counts[static_cast<std::size_t>(owner)];
      if (owner != link_.rank()) continue;
      samples_.push_back(task_.elements[static_cast<std::size_t>(place - own_.begin)]);
    }
    std::vector<int> begins(counts.size());
    for (std::size_t rank = 1; rank < counts.size(); ++rank) {
      begins[rank] = begins[rank - 1] + counts[rank - 1];
    }
    if (is_root()) {
      all_samples_.resize(static_cast<std::size_t>(begins.back() + counts.back()));
    } else {
      bytes_sent_ = static_cast<long long>(samples_.size() * sizeof(T));
    }
    gather_ = link_.gatherv(samples_.data(), static_cast<int>(samples_.size()), all_samples_.data(),
                            counts.data(), begins.data(), type_, root());
    counts_.swap(counts);
    begins_.swap(begins);
    if (!is_root()) bcast_ = link_.bcast(pivot_.data(), 1, type_, root());
  }

  void broadcast_median() {
    // The one of two in the middle that is not small, or the one that is.
    const std::size_t index = (all_samples_.size() - (prefers_equal() ? 1 : 0)) / 2;
    const auto median = all_samples_.begin() + static_cast<std::ptrdiff_t>(index);
    std::nth_element(all_samples_.begin(), median, all_samples_.end());
    pivot_[0] = *median;
    bcast_ = link_.bcast(pivot_.data(), 1, type_, root());
  }

  void count() {
    const T& pivot = pivot_[0];
    long long less = 0;
    long long greater = 0;
    for (const T& element : task_.elements) {
      less += element < pivot ? 1 : 0;
      greater += pivot < element ? 1 : 0;
    }
    mine_ = {less, greater};
    if (gathers_counts()) {
      all_.resize(2 * static_cast<std::size_t>(link_.size()));
      gather_ = link_.allgather(mine_.data(), 2, all_.data());
    } else {
      gather_ = link_.exscan(mine_.data(), before_.data(), 2);
      if (!is_last()) bcast_ = link_.bcast(sums_.data(), 2, MPI_LONG_LONG, link_.size() - 1);
    }
  }

  void broadcast_sums() {
    for (std::size_t i = 0; i < 2; ++i) sums_[i] = before_[i] + mine_[i];
    bcast_ = link_.bcast(sums_.data(), 2, MPI_LONG_LONG, link_.size() - 1);
  }

  /// Decides what is small, and sends all to where it belongs.
  void split() {
    for (std::size_t i = 0; i < all_.size(); ++i) sums_[i % 2] += all_[i];
    const long long less = sums_[0];
    const long long not_greater = task_.places.size() - sums_[1];
    const bool none_less = less == 0;
    const bool none_greater = not_greater == task_.places.size();
    if (none_less && none_greater) {
      state_ = State::done;
      return;
    }
    equal_is_small_ = none_less || (prefers_equal() && !none_greater);
    small_ = equal_is_small_ ? not_greater : less;
    const T& pivot = pivot_[0];
    const long long own_small = small_of(mine_[0], mine_[1], own_.size());
    parted_ = equal_is_small_ ? parted(task_.elements, [&](const T& x) { return !(pivot < x); })
                              : parted(task_.elements, [&](const T& x) { return x < pivot; });
    const T* from = parted_.data();
    for (const int part : {0, 1}) {
      const std::vector<Piece> pieces =
          gathers_counts() ? pieces_by_all(part) : pieces_by_sum(part);
      this->part(part).start(link_, type_, part == 0 ? small_tag : large_tag, from, pieces, first_,
                             common(places(part), own_).size());
      from += own_small;
    }
    state_ = State::exchange;
  }

  long long small_of(long long less, long long greater, long long elements) const {
    return equal_is_small_ ? elements - greater : less;
  }

  std::vector<Piece> pieces_by_sum(int part) const {
    const long long in_front = own_.begin - task_.places.begin;
    const long long small_before = small_of(before_[0], before_[1], in_front);
    const long long small = small_of(mine_[0], mine_[1], own_.size());
    const long long begin =
        places(part).begin + (part == 0 ? small_before : in_front - small_before);
    return pieces_in_order(slots_, {begin, begin + (part == 0 ? small : own_.size() - small)});
  }

  std::vector<Piece> pieces_by_all(int part) const {
    const Interval all = places(part);
    std::vector<long long> lengths;
    for (int rank = 0; rank < link_.size(); ++rank) {
      const auto i = 2 * static_cast<std::size_t>(rank);
      const long long elements = common(task_.places, slots_.of(first_ + rank)).size();
      const long long small = small_of(all_[i], all_[i + 1], elements);
      lengths.push_back(part == 0 ? small : elements - small);
    }
    std::vector<long long> capacities;  // of the ranks of the part, or of the group
    const int first = is_greedy() ? first_ : slots_.first_of(all);
    const int last = is_greedy() ? first_ + link_.size() - 1 : slots_.last_of(all);
    for (int rank = first; rank <= last; ++rank) {
      capacities.push_back(common(all, slots_.of(rank)).size());
    }
    const auto me = static_cast<std::size_t>(link_.rank());
    std::vector<Piece> pieces = is_greedy() ? pieces_home_first(lengths, capacities, me)
                                            : deterministic_pieces(lengths, capacities, me);
    for (Piece& piece : pieces) piece.to += first;
    return pieces;
  }

  Task<T> task_;
  Link link_;
  const Slots& slots_;
  MPI_Datatype type_;
  const SortOptions& options_;
  int first_;     ///< the group's first rank
  Interval own_;  ///< the caller's places in the group
  State state_ = State::samples;
  Pending gather_;
  Pending bcast_;

  Buffer<T> samples_;
  Buffer<T> all_samples_;
  std::vector<int> counts_;  // of samples, and where they begin: MPI reads them until all are there
  std::vector<int> begins_;
  Buffer<T> pivot_ = Buffer<T>(1);
  std::array<long long, 2> mine_{};    ///< how many are less, and greater
  std::array<long long, 2> before_{};  ///< … on ranks of the group below the caller's
  std::array<long long, 2> sums_{};    ///< … on all of them
  std::vector<long long> all_;         ///< … on each of them
  bool equal_is_small_ = false;
  long long small_ = 0;
  Buffer<T> parted_;
  std::array<Exchange<T>, 2> parts_;
  long long bytes_sent_ = 0;
};

}  // namespace regroup::sorting
