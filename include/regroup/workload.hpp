// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers of items of walkers (`WorkloadEntry`), numbers of ranks that they want (`WantsEntry`),
// and item times as functions of group size (`SpeedupEntry`). Needs no MPI.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "regroup/groups.hpp"
#include "regroup/numbers.hpp"
#include "regroup/options.hpp"

namespace regroup {

/// Time of an item in seconds, as a function of the number of ranks of the group.
using Speedup = std::function<double(int ranks)>;

struct SpeedupEntry : Entry {
  /// `item_s`: time on one rank. Throws UserError if a file of the options is not suitable.
  Speedup (*make)(const Options& options, double item_s);
};

std::span<const SpeedupEntry> speedups();

/// Time of the next item of `walker`, relative to the mean. `items_left` includes this item.
using ItemFactor = std::function<double(int walker, std::int64_t items_left)>;

/// Item times: speed-up model · factor of the item, if known · jitter. Jitter is lognormal with
/// mean 1 and standard deviation `jitter`. It depends only on the stream of random numbers, the
/// walker and the item, so it is equal on all ranks and in all engines.
class ItemTime {
 public:
  ItemTime() = default;  ///< only to be assigned to

  /// `jitter`: relative to the mean. `stream`: of random numbers.
  ItemTime(Speedup speedup, double jitter, std::uint64_t stream, ItemFactor factor = {});

  /// Whether items of one group differ in their times.
  bool varies() const { return deviation_ > 0 || factor_; }

  /// Mean time of an item on `ranks` ranks, in seconds.
  double seconds(int ranks) const { return speedup_(ranks); }

  /// Time of an item, described as in ItemFactor, on `ranks` ranks, in seconds.
  double seconds(int ranks, int walker, std::int64_t items_left) const;

 private:
  Speedup speedup_;
  ItemFactor factor_;
  double deviation_ = 0;  // standard deviation of the logarithm of the jitter
  std::uint64_t stream_ = 1;
};

// Workloads: the number of items of each walker, and so the imbalance.

using Items = std::vector<std::int64_t>;
using Groups = std::span<const RankRange>;

class Recording;

struct WorkloadEntry : Entry {
  /// Number of items of each walker; `groups`, from left to right, has one group per walker. Throws
  /// std::invalid_argument if a file of the options is not suitable.
  Items (*items)(const Options& options, Groups groups, std::uint64_t seed);
  bool draws;  ///< whether the items depend on `seed`
  /// Recorded item times, if the workload has them. Throws UserError if a file of the options is
  /// not suitable.
  std::shared_ptr<const Recording> (*recording)(const Options& options) = nullptr;
};

std::span<const WorkloadEntry> workloads();

/// The common option of most workloads. Its default is the mean of the paper's workload.
inline constexpr OptionSpec mean_option =
    integer_option("mean_items", "140", 0, 1e9, "mean number of items per walker");

// Number of ranks that each walker wants. Only balancers that form groups for waiting walkers use
// it (balancers/batch.cpp).

using Wants = std::vector<int>;

struct WantsEntry : Entry {
  /// Number of ranks that each walker wants; `groups` has one group of `group_size` ranks per
  /// walker. Throws std::invalid_argument if a file of the options is not suitable.
  Wants (*of)(const Options& options, Groups groups, std::uint64_t seed);
  bool draws;  ///< whether the numbers depend on the seed
};

std::span<const WantsEntry> wants();

}  // namespace regroup
