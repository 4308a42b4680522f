// SPDX-License-Identifier: BSD-3-Clause
//
// Janus Quicksort on range communicators: after Axtmann, Wiebigke, Sanders, Lightweight MPI
// Communicators with Applications to Perfectly Balanced Quicksort, IPDPS 2018, section VII
// (arXiv 1710.08027).
//
//   balance the elements: each rank holds floor(n/p) or ceil(n/p) of them
//   while a group has more than two ranks
//     pivot ← median of random samples
//     small elements to its first ranks, large ones to its last; the rank that the cut falls on is
//     in both groups from now on, and works in both at the same time
//   groups of two ranks exchange all, and keep their parts; each rank sorts what it has
#pragma once

#include <optional>
#include <vector>

#include "regroup/range.hpp"
#include "sorting/options.hpp"
#include "sorting/sorter.hpp"

namespace regroup::sorting {

/// Range communicators for a sort: made at once, by nobody's leave.
class RangeLinks {
 public:
  explicit RangeLinks(const range::Comm& comm) : comm_(comm) {}

  Link all() const { return Link(comm_); }
  std::optional<Link> first(int ranks) const {
    if (comm_.rank() >= ranks) return std::nullopt;
    return Link(comm_.range(0, ranks - 1));
  }
  PartLinks parts(const Division& division, int rank) const {
    PartLinks links;
    for (const std::size_t part : {0, 1}) {
      const std::optional<RankRange>& ranks = division.parts[part];
      if (ranks && ranks->lo <= rank && rank <= ranks->hi) {
        links[part].emplace(comm_.range(ranks->lo, ranks->hi));
      }
    }
    return links;
  }

 private:
  range::Comm comm_;
};

/// Sorts the elements of all ranks of `comm`, which all of them call: rank by rank they are in
/// ascending order then, and each rank has floor(n/p) or ceil(n/p) of them, the first ranks the
/// larger number. Ranks may begin with any numbers of elements, also with none. Equal elements come
/// in any order. T is copied as bytes and compared by <, which orders all elements. Calls nothing
/// of MPI that makes a communicator.
///
/// Nothing else may be under way on `comm`, or on communicators that share two of its processes,
/// with the tags of messages Parent::max_tag - 2 and above, or of collectives with tag 0.
///
/// Throws std::length_error, on all ranks, where one would hold 2^31 - 1 elements or more.
template <class T>
SortFacts janus_sort(std::vector<T>& data, const range::Comm& comm,
                     const SortOptions& options = {}) {
  RangeLinks links(comm);
  return Sorter<T, RangeLinks>(links, comm.parent().waiter(), options).sort(data);
}

}  // namespace regroup::sorting
