// SPDX-License-Identifier: BSD-3-Clause
//
// What the measurement of sorting can be told: how it sorts, and what.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "regroup/strategy.hpp"

namespace regroup {

/// A sort that divides no communicator. Its name stands where others have that of the strategy by
/// which Janus Quicksort makes its communicators.
struct PlainSort {
  std::string_view name;
  std::string_view help;
};
inline constexpr PlainSort sample_sort_entry{
    "sample_sort", "the baseline: samples decide who gets what, and one MPI_Alltoallv brings it"};
inline constexpr PlainSort std_sort_entry{"std_sort", "std::sort, on one rank"};
inline constexpr std::array plain_sorts{sample_sort_entry, std_sort_entry};

/// What is sorted: numbers of C++, and records of 16 bytes, a double as their key and a payload.
inline constexpr std::array<std::string_view, 7> element_types{"double", "float", "int32", "int64",
                                                               "uint64", "int8",  "record"};

/// Whether it is the name of a sort that divides no communicator.
bool is_plain_sort(std::string_view name);

/// The ways to sort: `all` strategies that can form parts of a range, and the plain sorts.
std::vector<std::string_view> ways_to_sort(std::span<const Strategy> all);

}  // namespace regroup
