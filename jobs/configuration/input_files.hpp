// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/catalog/scenario.hpp"

namespace regroup {

class ConfigReader;
class Experiment;

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

/// What the key `groups` takes.
inline constexpr std::string_view groups_allowed =
    "equal | path of a file of communicators | communicators as in such a file";

/// A value of the key `groups`.
struct ToldGroups {
  std::string text{equal_groups};  ///< Scenario::groups
  int largest = 0;                 ///< ranks of the largest group; 0 where group_size tells
  friend bool operator==(const ToldGroups&, const ToldGroups&) = default;
};

/// All values of that key. Throws UserError where they are no walker groups, or group_size stands
/// there, too, and has no meaning.
std::vector<ToldGroups> told_groups(const ConfigReader& reader);

/// Throws UserError where a file that runs read is not there, or is not what they need.
void check_inputs(const ConfigReader& reader, const Experiment& experiment);

}  // namespace regroup
