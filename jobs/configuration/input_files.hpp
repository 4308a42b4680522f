// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "jobs/catalog/scenario.hpp"

namespace regroup {

/// The files that runs read: a trace, or what was measured. Each is read once.
class InputFiles {
 public:
  /// Those that the options of `scenario` name, and that its engine reads.
  static std::vector<std::string> of(const Scenario& scenario);

  /// What names their contents: `Scenario::inputs`. Nothing where one of them cannot be read.
  std::optional<std::string> hash(const Scenario& scenario);

 private:
  std::map<std::string, std::optional<std::string>> hashes_;
};

}  // namespace regroup
