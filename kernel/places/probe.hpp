// SPDX-License-Identifier: BSD-3-Clause
//
// What ranks report that are launched to look around.
#pragma once

#include <string>
#include <string_view>

namespace regroup {

/// Has rank 0 print the number of ranks after the same word; several rank 0 that do not know of
/// each other each do.
inline constexpr std::string_view count_ranks = "--count";
/// … that has rank 0 print a Probe.
inline constexpr std::string_view probe_all = "--probe";

/// The beginning of the line that answers `word`.
inline std::string answer_to(std::string_view word) { return "regroup" + std::string(word) + ' '; }

struct Probe {
  int ranks = 0;
  int hosts = 0;
  int least_on_a_host = 0;  ///< ranks
  int most_on_a_host = 0;
  int processors = 0;     ///< that they may run on, of all hosts
  int crowded_hosts = 0;  ///< where ranks share processors
  std::string crowded;    ///< the first of them, in words: "3 ranks on 2 processors of n1"
  std::string library;    ///< MPI's, in a line
  double inside_us = 0;   ///< what a message takes inside a host; 0: no two ranks share one
  double between_us = 0;  ///< … between two; 0: there is one
  double clock_error_us = 0;
  double shared_mb = 0;      ///< of /dev/shm that is left for each rank, where it is least
  std::string shared_least;  ///< the host
  int communicators = 0;     ///< that a rank had at once; as many as it tried, if not fewer
};

/// The most that a rank tries to have.
inline constexpr int most_communicators_tried = 4096;

/// In one line.
std::string to_json(const Probe& probe);
/// Throws where `text` is none.
Probe probe_from_json(const std::string& text);

}  // namespace regroup
