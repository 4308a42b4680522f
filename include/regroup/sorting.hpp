// SPDX-License-Identifier: BSD-3-Clause
//
// Sorts of elements that are distributed over ranks. Link with Regroup::sorting.
//
// The sorts are compiled once and handle elements as bytes; the templates provide the operations
// that depend on the type.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "regroup/communicator.hpp"
#include "regroup/range.hpp"
#include "regroup/strategy.hpp"
#include "regroup/waiter.hpp"

namespace regroup::sorting {

/// How the elements of a level are assigned to the ranks of a part.
enum class Assignment {
  greedy,        ///< in the order of ranks: a rank may receive from many
  deterministic  ///< a rank sends and receives few messages; every rank learns all counts
};

struct AssignmentEntry {
  std::string_view name;
  std::string_view help;
  Assignment assignment;
};

inline constexpr std::array assignments{
    AssignmentEntry{
        "greedy",
        "each rank keeps the elements for its own part; all other elements fill the free space in "
        "the order of ranks. A rank may receive messages from many ranks.",
        Assignment::greedy},
    AssignmentEntry{"deterministic", "every rank sends and receives few messages",
                    Assignment::deterministic},
};

/// Report on one level of one group, for a rank that has finished it. Arrays contain the values of
/// the part with the small elements and of the part with the large elements.
struct LevelReport {
  int level = 0;                                 ///< from 1 on
  int first = 0;                                 ///< first rank of the group
  int last = 0;                                  ///< last rank of the group
  long long group_elements = 0;                  ///< on all ranks of the group
  long long small = 0;                           ///< small elements; 0: all equal, none sent
  long long elements = 0;                        ///< held by the rank now, in all its groups
  std::array<int, 2> targets{};                  ///< number of ranks of each part
  std::array<long long, 2> messages_received{};  ///< with elements, from other ranks
  std::array<long long, 2> messages_sent{};      ///< with elements, to other ranks
};

/// Options of a sort; the same on all ranks, except for after_level.
struct SortOptions {
  Assignment assignment = Assignment::greedy;
  std::uint64_t seed = 1;  ///< seed of the samples for pivots

  // The pivot of p ranks with n elements is the median of samples. The number of samples is the
  // largest of samples_per_log_rank · log2 p, samples_per_element · n / p and fewest_samples.
  double samples_per_log_rank = 16;
  double samples_per_element = 1.0 / 64;
  int fewest_samples = 9;

  /// In groups of up to this size, each rank learns the counts of all; in larger groups, the greedy
  /// assignment uses a prefix sum, which takes more messages.
  int most_gathered = 128;

  /// Called on each rank when it has finished a level of one of its groups.
  std::function<void(const LevelReport&)> after_level;
};

/// Facts about a sort on one rank.
struct SortFacts {
  int levels = 0;            ///< the deepest level that the rank took part in; 0: base cases only
  double creation_s = 0;     ///< wall time spent in creating communicators
  long long bytes_sent = 0;  ///< of elements to other ranks, samples included
  /// Maximum number of messages with elements, from and to other ranks, on one level of one group.
  long long most_messages_received = 0;
  long long most_messages_sent = 0;
  /// Minimum and maximum number of elements held after the first balancing and after any level.
  long long fewest_elements = 0;
  long long most_elements = 0;
};

// ---- elements as bytes

/// Size and operations of a type of elements, for sorts. Pointers are to elements of the type.
struct ElementOperations {
  std::size_t size;       ///< in bytes
  std::size_t alignment;  ///< in bytes

  /// Sorts `count` elements.
  void (*sort)(void* elements, std::size_t count);
  /// As `sort`; `scratch` is memory for `count` elements.
  void (*sort_with)(void* elements, std::size_t count, void* scratch);
  /// As std::nth_element: puts the element of `rank`, counted from 0, where sorting would put it.
  void (*select)(void* elements, std::size_t count, std::size_t rank);
  /// Returns the numbers of elements less than the pivot, and greater.
  std::array<long long, 2> (*count)(const void* elements, std::size_t count, const void* pivot);
  /// Copies `from` to `to`, with elements less than the pivot in front, or, if `equal_in_front`,
  /// those not greater than it.
  void (*part)(const void* from, std::size_t count, const void* pivot, bool equal_in_front,
               void* to);
  /// Of two sequences in ascending order, copies the `own_count` smallest elements to `to`, or the
  /// largest, in ascending order. Of equal elements, those of `own` are the smallest or largest.
  void (*keep)(const void* own, std::size_t own_count, const void* other, std::size_t other_count,
               bool smallest, void* to);
  /// Returns the number of elements, which must ascend, that are at most `value`.
  std::size_t (*upper_bound)(const void* elements, std::size_t count, const void* value);
  /// Merges two sequences in ascending order into `to`.
  void (*merge)(const void* one, std::size_t one_count, const void* other, std::size_t other_count,
                void* to);
};

struct AlignedDelete {
  std::align_val_t alignment{};
  void operator()(std::byte* bytes) const { ::operator delete(bytes, alignment); }
};

/// Owns uninitialised memory for elements of one type. Long buffers are in huge pages, if the
/// system permits them.
class ElementBuffer {
 public:
  ElementBuffer() = default;
  ElementBuffer(const ElementOperations& type, std::size_t count);
  ElementBuffer(ElementBuffer&& other) noexcept { *this = std::move(other); }
  ElementBuffer& operator=(ElementBuffer&& other) noexcept {
    bytes_ = std::move(other.bytes_);
    count_ = std::exchange(other.count_, 0);
    element_size_ = other.element_size_;
    return *this;
  }
  ~ElementBuffer() = default;

  std::size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  /// Keeps only the first elements, in the same memory.
  void keep_first(std::size_t count) { count_ = std::min(count, count_); }

  /// The element at `index`, or the end of the elements.
  std::byte* at(std::size_t index) { return bytes_.get() + index * element_size_; }
  const std::byte* at(std::size_t index) const { return bytes_.get() + index * element_size_; }
  std::byte* data() { return bytes_.get(); }
  const std::byte* data() const { return bytes_.get(); }

 private:
  std::unique_ptr<std::byte[], AlignedDelete> bytes_;
  std::size_t count_ = 0;
  std::size_t element_size_ = 0;
};

/// Result of a sort on one rank.
struct Sorted {
  ElementBuffer elements;
  SortFacts facts;
};

// The sorts below for `count` elements as bytes. sample_sort sorts `elements` in place first.
Sorted janus_sort(const ElementOperations& type, const void* elements, std::size_t count,
                  const range::Comm& comm, const SortOptions& options);
Sorted sort_over(const ElementOperations& type, const void* elements, std::size_t count,
                 Site& world, MakeCommunicator make, Caller caller, bool local,
                 const SortOptions& options);
Sorted sample_sort(const ElementOperations& type, void* elements, std::size_t count, MPI_Comm comm,
                   const SortOptions& options);

/// The functions of ElementOperations for elements of type T.
template <class T>
struct OperationsOn {
  static_assert(std::is_trivially_copyable_v<T>, "elements are sent as bytes");
  static_assert(
      requires(const T& one, const T& other) { static_cast<bool>(one < other); },
      "elements are compared by <");

  static T* at(void* elements) { return static_cast<T*>(elements); }
  static const T* at(const void* elements) { return static_cast<const T*>(elements); }

  /// Quicksort that partitions out of place: half the time of std::sort, which mispredicts every
  /// other branch of a partition.
  static void sort(void* elements, std::size_t count) {
    std::allocator<T> memory;
    T* const scratch = memory.allocate(count);
    const AtEnd free([&] { memory.deallocate(scratch, count); });
    sort_with(elements, count, scratch);
  }

  static void sort_with(void* elements, std::size_t count, void* scratch) {
    if (std::is_sorted(at(elements), at(elements) + count)) return;
    sort_to(at(elements), count, at(scratch), false, 2 * static_cast<int>(std::bit_width(count)));
  }

  static void select(void* elements, std::size_t count, std::size_t rank) {
    std::nth_element(at(elements), at(elements) + rank, at(elements) + count);
  }

  static std::array<long long, 2> count(const void* elements, std::size_t count,
                                        const void* pivot) {
    const T& middle = *at(pivot);
    long long less = 0;
    long long greater = 0;
    for (const T* element = at(elements); element != at(elements) + count; ++element) {
      less += *element < middle ? 1 : 0;
      greater += middle < *element ? 1 : 0;
    }
    return {less, greater};
  }

  static void part(const void* from, std::size_t count, const void* pivot, bool equal_in_front,
                   void* to) {
    const T& middle = *at(pivot);
    if (equal_in_front) {
      part_by(at(from), count, at(to), [&](const T& element) { return !(middle < element); });
    } else {
      part_by(at(from), count, at(to), [&](const T& element) { return element < middle; });
    }
  }

  static void keep(const void* own, std::size_t own_count, const void* other,
                   std::size_t other_count, bool smallest, void* to) {
    const T* own_end = at(own) + own_count;
    const T* other_end = at(other) + other_count;
    if (smallest) {
      merge_some(at(own), at(other), other_end, at(to), own_count,
                 [](const T& a, const T& b) { return a < b; });
    } else {
      merge_some(std::reverse_iterator(own_end), std::reverse_iterator(other_end),
                 std::reverse_iterator(at(other)), std::reverse_iterator(at(to) + own_count),
                 own_count, [](const T& a, const T& b) { return b < a; });
    }
  }

  static std::size_t upper_bound(const void* elements, std::size_t count, const void* value) {
    return static_cast<std::size_t>(
        std::upper_bound(at(elements), at(elements) + count, *at(value)) - at(elements));
  }

  static void merge(const void* one, std::size_t one_count, const void* other,
                    std::size_t other_count, void* to) {
    std::merge(at(one), at(one) + one_count, at(other), at(other) + other_count, at(to));
  }

 private:
  static constexpr std::size_t few = 16;

  /// Sorts `elements`, in place or to `other`, which has the same size; overwrites both. Uses
  /// heapsort after `depth` levels of recursion.
  static void sort_to(T* elements, std::size_t count, T* other, bool to_other, int depth) {
    if (count <= few || depth == 0) {
      if (depth == 0) {
        std::partial_sort(elements, elements + count, elements + count);
      } else {
        insertion_sort(elements, count);
      }
      if (to_other) std::copy_n(elements, count, other);
      return;
    }
    const T pivot = *pivot_of(elements, count);
    std::size_t front =
        part_by(elements, count, other, [&](const T& element) { return element < pivot; });
    if (front > 0) {
      sort_to(other, front, elements, !to_other, depth - 1);
    } else {  // the pivot is the minimum: elements equal to it are in order
      front = part_by(elements, count, other, [&](const T& element) { return !(pivot < element); });
      if (!to_other) std::copy_n(other, front, elements);
    }
    sort_to(other + front, count - front, elements + front, !to_other, depth - 1);
  }

  static void insertion_sort(T* elements, std::size_t count) {
    for (std::size_t i = 1; i < count; ++i) {
      const T element = elements[i];
      std::size_t to = i;
      for (; to > 0 && element < elements[to - 1]; --to) elements[to] = elements[to - 1];
      elements[to] = element;
    }
  }

  static const T* median(const T* a, const T* b, const T* c) {
    if (*b < *a) std::swap(a, b);
    if (*c < *b) b = *c < *a ? a : c;
    return b;
  }
  /// A median of three, or of medians of three.
  static const T* pivot_of(const T* elements, std::size_t count) {
    const std::size_t step = count / 9;
    const auto of_three = [&](std::size_t first) {
      return median(elements + first * step, elements + (first + 1) * step,
                    elements + (first + 2) * step);
    };
    return count < 128 ? of_three(3) : median(of_three(0), of_three(3), of_three(6));
  }

  /// Writes each element to both sides; later elements overwrite one copy. This avoids branches
  /// that processors cannot predict. Only `in_front` depends on elements: with two pointers,
  /// compilers use a branch to compare integers. Returns the number of elements in front.
  template <class GoesInFront>
  static std::size_t part_by(const T* from, std::size_t count, T* to, GoesInFront goes_in_front) {
    std::size_t in_front = 0;
    for (std::size_t left = count; left > 0; --left, ++from) {
      to[in_front] = *from;
      to[in_front + left - 1] = *from;
      in_front += goes_in_front(*from) ? 1 : 0;
    }
    return in_front;
  }

  /// Writes the first `count` elements of two merged sequences, which ascend by `less`. Of equal
  /// elements, those of `one`, which has at least `count` elements, come first.
  template <class Iterator, class Output, class Less>
  static void merge_some(Iterator one, Iterator other, Iterator other_end, Output next,
                         std::size_t count, Less less) {
    for (; count > 0 && other != other_end; --count) {
      const bool is_other = less(*other, *one);
      const T& taken = is_other ? *other : *one;
      *next++ = taken;
      other += is_other ? 1 : 0;
      one += is_other ? 0 : 1;
    }
    std::copy_n(one, count, next);
  }
};

template <class T>
inline constexpr ElementOperations operations_on{
    sizeof(T),
    alignof(T),
    OperationsOn<T>::sort,
    OperationsOn<T>::sort_with,
    OperationsOn<T>::select,
    OperationsOn<T>::count,
    OperationsOn<T>::part,
    OperationsOn<T>::keep,
    OperationsOn<T>::upper_bound,
    OperationsOn<T>::merge,
};

/// Replaces `data` by the result of a sort, and returns its facts.
template <class T>
SortFacts assign(std::vector<T>& data, const Sorted& sorted) {
  const T* first = OperationsOn<T>::at(sorted.elements.data());
  data.assign(first, first + sorted.elements.size());
  return sorted.facts;
}

// ---- the sorts

/// Sorts the elements of all ranks of `comm` by Janus Quicksort. Collective. Elements then ascend
/// rank by rank: floor(n/p) or ceil(n/p) on each, the first ranks the larger number. Ranks may
/// begin with any numbers of elements. The order of equal elements is unspecified. T is copied as
/// bytes, compared by <, and needs no default constructor. Creates no MPI communicator.
///
/// On `comm`, and communicators that share two of its processes, no messages with tags from
/// Parent::max_tag - 2 on and no collectives with tag 0 may be in progress. Throws
/// std::length_error on all ranks if each would hold 2^31 - 1 elements or more.
template <class T>
SortFacts janus_sort(std::vector<T>& data, const range::Comm& comm,
                     const SortOptions& options = {}) {
  return assign(data, janus_sort(operations_on<T>, data.data(), data.size(), comm, options));
}

/// As janus_sort, over the ranks of `world`, but creates communicators with `strategy`, which must
/// be able to form ranges, on each level, and frees them afterwards. If the strategy is local, all
/// are range communicators; on MPI communicators, the sort uses MPI's nonblocking collectives. Link
/// with Regroup::communicators, too.
///
/// On `world`, no messages with tags from Parent::max_tag - 2 on and no collectives may be in
/// progress. Throws std::invalid_argument if the MPI library lacks functions of the strategy.
template <class T>
SortFacts sort_over(std::vector<T>& data, Site& world, const Strategy& strategy,
                    const SortOptions& options = {}) {
  return assign(data, sort_over(operations_on<T>, data.data(), data.size(), world, maker(strategy),
                                strategy.caller, strategy.local(), options));
}

/// Sorts by sample sort, the usual baseline, with blocking MPI calls on `comm`. Collective.
/// Elements then ascend rank by rank; their number on a rank depends on their values. The only
/// facts are bytes_sent, most_messages_… and the final number of elements. Throws std::length_error
/// on a rank that would have 2^31 elements or more.
template <class T>
SortFacts sample_sort(std::vector<T>& data, MPI_Comm comm, const SortOptions& options = {}) {
  return assign(data, sample_sort(operations_on<T>, data.data(), data.size(), comm, options));
}

}  // namespace regroup::sorting
