// SPDX-License-Identifier: BSD-3-Clause
//
// What a distributed sort is told, and what it tells. Needs no MPI.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string_view>

namespace regroup::sorting {

/// How the elements of a level find the ranks that they go to.
enum class Assignment {
  greedy,        ///< in the order of ranks: a rank may receive from many
  deterministic  ///< a rank sends and receives few messages; each learns the counts of all ranks
};

struct AssignmentEntry {
  std::string_view name;
  std::string_view help;
  Assignment assignment;
};

inline constexpr std::array assignments{
    AssignmentEntry{"greedy", "in the order of the ranks; a rank may receive from many",
                    Assignment::greedy},
    AssignmentEntry{"deterministic", "a rank sends and receives few messages",
                    Assignment::deterministic},
};

/// One level of one group, told to a rank of it that has just finished it. Arrays: of the part of
/// small elements, and of that of large ones.
struct LevelReport {
  int level = 0;         ///< from 1 on
  int first = 0;         ///< the ranks of the group
  int last = 0;          ///< …
  long long places = 0;  ///< elements of the group
  long long small = 0;  ///< … that went to its left part; 0: all are equal, and none went anywhere
  long long elements = 0;                        ///< what the rank now holds, of all its groups
  std::array<int, 2> targets{};                  ///< ranks of each part
  std::array<long long, 2> messages_received{};  ///< of elements, from other ranks
  std::array<long long, 2> messages_sent{};      ///< … to other ranks
};

/// What a sort may be told; the same on all ranks but for after_level.
struct SortOptions {
  Assignment assignment = Assignment::greedy;
  std::uint64_t seed = 1;  ///< of the samples that pivots are taken from

  // The pivot of a group of p ranks and n elements is the median of the largest of these numbers of
  // samples: samples_per_log_rank log2 p, samples_per_element n / p, fewest_samples.
  double samples_per_log_rank = 16;
  double samples_per_element = 1.0 / 64;
  int fewest_samples = 9;

  /// In a group of more ranks, the greedy assignment makes do with a prefix sum of the counts that
  /// ranks have of small elements; in others each learns them all, which takes fewer messages.
  int most_gathered = 128;

  /// Called on each rank when it has finished a level of one of its groups.
  std::function<void(const LevelReport&)> after_level;
};

/// What a sort was for one rank; whoever wants more takes sums and maxima over the ranks.
struct SortFacts {
  int levels = 0;            ///< the deepest level that the rank took part in; 0: base cases only
  double creation_s = 0;     ///< wall time in making communicators, of all groups of the rank
  long long bytes_sent = 0;  ///< of elements, to other ranks, samples included
  /// Messages of elements, from and to other ranks, in one level of one group, both of its parts
  /// taken together, at most.
  long long most_messages_received = 0;
  long long most_messages_sent = 0;
  /// The fewest and the most elements that the rank held after the elements had been balanced first
  /// and after any level.
  long long fewest_elements = 0;
  long long most_elements = 0;
};

}  // namespace regroup::sorting
