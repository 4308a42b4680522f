// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace regroup {

/// What launching and ending the ranks of a run takes beside its makespan: where rows of earlier
/// runs tell, as long as then, else as usual.
class Launching {
 public:
  /// Learns from the runs in a directory of results, and from those of its shards.
  void learn(const std::string& directory);

  bool measured() const { return !measured_s_.empty(); }
  std::size_t runs() const;  ///< that it was learnt from

  /// Of so many ranks. Nobody measured these: the nearest number that was tells how far from usual
  /// it is.
  double seconds(int ranks) const;

 private:
  void learn_from_file(const std::string& path);

  std::set<std::string> seen_;                     // runs
  std::map<int, std::vector<double>> measured_s_;  // by ranks
};

}  // namespace regroup
