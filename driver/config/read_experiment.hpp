// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driver/config/experiment.hpp"
#include "driver/config/grid.hpp"
#include "driver/config/reader.hpp"
#include "library/task.hpp"
#include "regroup/balancer.hpp"

namespace regroup {

/// The values of one balancer's options, and the communicator strategies that it is run with.
struct Balancings {
  Choices balancers;
  std::vector<std::string> communicators;

  std::size_t size() const { return product(balancers.size(), communicators.size()); }
  /// The communicator varies fastest.
  std::pair<Choice, std::string> at(std::size_t place) const {
    return {balancers.at(place / communicators.size()),
            communicators[place % communicators.size()]};
  }
};

/// The names of the strategies that `balancer` can be run with: one that is empty where it never
/// regroups.
std::vector<std::string> communicators_of(const BalancerEntry& balancer);

/// The key `communicator` of `balancer`, where it ever regroups.
std::optional<ConfigKey> communicator_key(const BalancerEntry& balancer);

/// The values of the key `balancers`. Throws UserError with FILE:LINE for every mistake.
Joined<Balancings> read_balancings(const ConfigReader& reader);

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

/// Checks what single values of parameters cannot tell: that engines can have the ranks, that files
/// fit the runs, that virtual time lasts long enough, and that groups fit into the ranks. Throws
/// UserError with FILE:LINE.
void check(const ConfigReader& reader, const Experiment& experiment);

/// Checks the tasks that were found among the combinations.
void check_tasks(const ConfigReader& reader, const Experiment& experiment);

}  // namespace regroup
