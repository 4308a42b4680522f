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

/// Decides which repetitions a sweep needs, from the makespans of each setting so far. Only earlier
/// repetitions, which a sweep runs first, decide about a repetition, so a resumed sweep decides the
/// same.
class Repeated {
 public:
  explicit Repeated(const Experiment& experiment) : experiment_(experiment) {}

  /// Adds the runs in a directory of results for which `counts` is true or empty. Throws UserError.
  void read(const std::string& directory,
            const std::function<bool(const std::string& run)>& counts = {});

  /// Adds the result of the task at `index`.
  void add(std::size_t index, const Record& record);

  /// Returns whether the task at `index` must be executed. If no run of a setting ended well, only
  /// `at_least` repetitions are.
  bool needs(std::size_t index) const;

  /// Returns the precision of the median, as text, if the task at `index` was the last one needed;
  /// otherwise an empty string.
  std::string note(std::size_t index) const;

 private:
  using Setting = std::map<int, std::optional<double>>;  // makespan by repetition, if it ended well

  const Setting& setting_of(std::size_t index) const;

  const Experiment& experiment_;
  std::map<std::size_t, Setting> by_setting_;
};

}  // namespace regroup
