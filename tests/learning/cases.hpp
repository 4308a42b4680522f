// SPDX-License-Identifier: BSD-3-Clause
//
// Cases for how well `spread` learns the speed-up: runs in virtual time whose true speed-up may
// differ from the assumed one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace regroup {

struct LearningCase {
  std::string_view truth;     ///< one of speedups_to_learn()
  std::string_view believed;  ///< another one, or the same; `spread` assumes it
  std::string_view workload;
  double jitter = 0;  ///< of the time of each item, relative
  int ranks = 1;
  int group_size = 1;
  std::string_view loads;  ///< "known" or "unknown"
  std::uint64_t seed = 1;
};

/// Makespans with `none`, with `spread`, and with `spread` that assumes the true speed-up.
struct LearningTimes {
  double none_s = 0;
  double learnt_s = 0;
  double informed_s = 0;
};

std::vector<std::string_view> speedups_to_learn();

/// Returns `number` random cases; every value of a parameter has the same probability.
std::vector<LearningCase> learning_cases(int number, std::uint64_t seed);

LearningTimes execute(const LearningCase& one);

}  // namespace regroup
