// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "jobs/records/place_file.hpp"
#include "jobs/results/results.hpp"

namespace regroup {

/// The placements of the rows of a table, for each number of ranks: times of several are not times
/// of one thing.
class Placements {
 public:
  /// `table`: a file of `results`, which outlive this.
  Placements(Results& results, std::string table) : results_(results), table_(std::move(table)) {}

  /// A row of so many ranks at `place` comes next: keeps the file of the place. Where rows of these
  /// ranks are of several places then, it says so, once.
  void keep(int ranks, const PlaceFile& place);

 private:
  using Known = std::map<int, std::set<std::string>>;
  Known read() const;

  Results& results_;
  std::string table_;
  std::optional<Known> known_;  // once there is a place
  bool said_ = false;
};

}  // namespace regroup
