// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "driver/config/experiment.hpp"
#include "driver/store/record.hpp"

namespace regroup {

/// The makespans of each setting of a sweep so far, and so which of its repetitions are needed. A
/// repetition is judged by those before it, which come first in a sweep: one that is resumed
/// decides alike.
class Repeated {
 public:
  explicit Repeated(const Experiment& experiment) : experiment_(experiment) {}

  /// Adds what a directory of results has. Throws UserError.
  void read(const std::string& directory);

  /// The task at `index` has this result.
  void add(std::size_t index, const Record& record);

  /// Whether the task at `index` must be executed. Where no run of a setting ended well, only
  /// `at_least` are.
  bool needs(std::size_t index) const;

  /// How well the median is known after the task at `index`, where that was the last one needed;
  /// empty where it was not.
  std::string note(std::size_t index) const;

 private:
  /// Of the repetitions up to `last`.
  std::vector<double> makespans_s(std::size_t index, int last) const;

  const Experiment& experiment_;
  std::map<std::size_t, std::map<int, double>> by_setting_;
};

}  // namespace regroup
