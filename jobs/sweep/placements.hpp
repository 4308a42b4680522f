// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "jobs/catalog/scenario.hpp"
#include "jobs/records/place_file.hpp"
#include "jobs/results/results.hpp"

namespace regroup {

/// The placements of the rows of a table, for each number of ranks and how they were asked to lie:
/// times of several are not times of one thing.
class Placements {
 public:
  /// `table`: a file of `results`, which outlive this.
  Placements(Results& results, std::string table) : results_(results), table_(std::move(table)) {}

  /// A row of `task` at `place` comes next: keeps the file of the place. Where rows of such ranks
  /// are of several places then, it says so, once.
  void keep(const Scenario& task, const PlaceFile& place);

 private:
  using Known = std::map<std::string, std::set<std::string>>;  // by how_asked()
  Known read() const;

  Results& results_;
  std::string table_;
  std::optional<Known> known_;  // once there is a place
  bool said_ = false;
};

}  // namespace regroup
