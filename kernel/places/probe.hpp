// SPDX-License-Identifier: BSD-3-Clause
//
// Reports of ranks that are launched to examine the environment.
#pragma once

#include <string>
#include <string_view>

namespace regroup {

/// Argument that makes rank 0 print the number of ranks. If the processes are not connected, each
/// of them is a rank 0 and prints.
inline constexpr std::string_view count_ranks = "--count";
/// Argument that makes rank 0 print a Probe.
inline constexpr std::string_view probe_all = "--probe";

/// Returns the prefix of the line that is printed for the argument `word`.
inline std::string answer_to(std::string_view word) { return "regroup" + std::string(word) + ' '; }

struct Probe {
  int ranks = 0;
  int hosts = 0;
  int least_on_a_host = 0;  ///< smallest number of ranks on a host
  int most_on_a_host = 0;
  int processors = 0;     ///< number that ranks may use, on all hosts
  int crowded_hosts = 0;  ///< number of hosts on which ranks share processors
  std::string crowded;    ///< description of the first: "3 ranks on 2 processors of n1"
  std::string library;    ///< MPI library, in one line
  double inside_us = 0;   ///< time of a message inside the host of rank 0; 0: it has no other ranks
  double between_us = 0;  ///< time of a message from rank 0 to another host; 0: there is none
  double clock_error_us = 0;
  double shared_mb = 0;      ///< free space of /dev/shm per rank, minimum over the hosts
  std::string shared_least;  ///< the host with this minimum
  int communicators = 0;     ///< number that rank 0 held at once, up to most_communicators_tried
};

/// Maximum number of communicators that a rank tries to create.
inline constexpr int most_communicators_tried = 4096;

/// Returns one line.
std::string to_json(const Probe& probe);
/// Throws if `text` is not a Probe.
Probe probe_from_json(const std::string& text);

}  // namespace regroup
