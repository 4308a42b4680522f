// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "driver/config/experiment.hpp"
#include "driver/store/record.hpp"

namespace regroup {

/// The makespans of each setting of a sweep so far, and so which of its repetitions are needed. A
/// repetition is judged by those before it, which come first in a sweep: one that is resumed
/// decides alike.
class Repeated {
 public:
  explicit Repeated(const Experiment& experiment) : experiment_(experiment) {}

  /// Adds what a directory of results has, as far as its runs count. Throws UserError.
  void read(const std::string& directory,
            const std::function<bool(const std::string& run)>& counts = {});

  /// The task at `index` has this result.
  void add(std::size_t index, const Record& record);

  /// Whether the task at `index` must be executed. Where no run of a setting ended well, only
  /// `at_least` are.
  bool needs(std::size_t index) const;

  /// How well the median is known after the task at `index`, where that was the last one needed;
  /// empty where it was not.
  std::string note(std::size_t index) const;

 private:
  using Setting = std::map<int, std::optional<double>>;  // makespan by repetition, if it ended well

  const Setting& setting_of(std::size_t index) const;

  const Experiment& experiment_;
  std::map<std::size_t, Setting> by_setting_;
};

}  // namespace regroup
