// SPDX-License-Identifier: BSD-3-Clause
//
// How well `spread` learns what ranks are worth: runs in virtual time whose true speed-up is
// another than the one that it believes in.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace regroup {

struct LearningCase {
  std::string_view truth;     ///< one of speedups_to_learn()
  std::string_view believed;  ///< another one, or the same
  std::string_view workload;
  double jitter = 0;  ///< relative, of the time of each item
  int ranks = 1;
  int group_size = 1;
  std::string_view loads;  ///< "known" or "unknown"
  std::uint64_t seed = 1;
};

/// Of `none`, of `spread`, and of `spread` that believes the truth, in seconds.
struct LearningTimes {
  double none_s = 0;
  double learnt_s = 0;
  double informed_s = 0;
};

std::vector<std::string_view> speedups_to_learn();

/// Drawn by `seed`, with equal probabilities.
std::vector<LearningCase> learning_cases(int number, std::uint64_t seed);

LearningTimes execute(const LearningCase& one);

}  // namespace regroup
