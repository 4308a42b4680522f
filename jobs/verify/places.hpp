// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "jobs/records/record.hpp"
#include "jobs/verify/faults.hpp"
#include "kernel/files/csv_reader.hpp"
#include "kernel/groups/node_map.hpp"
#include "kernel/groups/rank_set.hpp"

namespace regroup {

/// What the row of `record` says of groups, where they were not on `nodes` so; empty where they
/// were, or where no `lives` tell.
std::string wrong_groups(const NodeMap& nodes, const Record& record,
                         std::span<const GroupLife> lives);

/// What rows tell of where they were, and the files in places/ that they name.
class PlacesCheck {
 public:
  PlacesCheck(std::string directory, Faults& faults)
      : directory_(std::move(directory)), faults_(faults) {}

  /// Checks a row, of which `record` was read. `lives`: of its groups, where they are known.
  void check(const CsvRow& row, const Record& record, std::span<const GroupLife> lives = {});

  /// Who of so many ranks shares a node at `placement`, as its file tells; not known where it does
  /// not, which check() says.
  NodeMap map_of(const std::string& placement, int ranks);

  /// Those that rows named.
  std::set<std::string> files() const;

 private:
  using Nodes = std::optional<std::vector<RankSet>>;  // the ranks of each; nothing: not known
  const Nodes& nodes_of(const std::string& placement);

  std::string directory_;
  Faults& faults_;
  std::map<std::string, Nodes> known_;  // by the placement
};

}  // namespace regroup
