// SPDX-License-Identifier: BSD-3-Clause
//
// How many items walkers have (`WorkloadEntry`), how many ranks they would like to have
// (`WantsEntry`), and what an item takes in a larger group (`SpeedupEntry`). Needs no MPI.
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

/// The seconds that a group of so many ranks takes for one item.
using Speedup = std::function<double(int ranks)>;

struct SpeedupEntry : Entry {
  /// `item_s`: the seconds that one rank takes. Throws UserError where a file that the options name
  /// does not fit.
  Speedup (*make)(const Options& options, double item_s);
};

std::span<const SpeedupEntry> speedups();

/// The time of the next item of `walker`, which has `items_left` items left, this one included,
/// relative to the mean.
using ItemFactor = std::function<double(int walker, std::int64_t items_left)>;

/// How long items take: a speed-up model times a factor of the single item, if known, times its
/// jitter, which has a lognormal distribution of mean 1 and standard deviation `jitter`. That
/// depends on the stream of random numbers, the walker and the item alone, so every rank and engine
/// agrees about it.
class ItemTime {
 public:
  ItemTime() = default;  ///< good for being assigned to

  /// `jitter`: relative to the mean. `stream`: of random numbers.
  ItemTime(Speedup speedup, double jitter, std::uint64_t stream, ItemFactor factor = {});

  /// Do items of one group differ in their time?
  bool varies() const { return deviation_ > 0 || factor_; }

  /// Seconds that `ranks` ranks take for an item, on average.
  double seconds(int ranks) const { return speedup_(ranks); }

  /// … for an item as in ItemFactor.
  double seconds(int ranks, int walker, std::int64_t items_left) const;

 private:
  Speedup speedup_;
  ItemFactor factor_;
  double deviation_ = 0;  // of the logarithm of the factor
  std::uint64_t stream_ = 1;
};

// How many items each walker has: the imbalance that balancers are there to remove.

using Items = std::vector<std::int64_t>;
using Groups = std::span<const RankRange>;

class Recording;

struct WorkloadEntry : Entry {
  /// The items of every group in `groups` (from left to right, at least one) under `seed`. Throws
  /// std::invalid_argument where a file that the options name does not fit.
  Items (*items)(const Options& options, Groups groups, std::uint64_t seed);
  bool draws;  ///< whether the items depend on `seed`
  /// The times that items took elsewhere, where it has them. Throws UserError if a file that the
  /// options name does not fit.
  std::shared_ptr<const Recording> (*recording)(const Options& options) = nullptr;
};

std::span<const WorkloadEntry> workloads();

/// The option that most workloads share. Its fallback is the mean of the paper's workload.
inline constexpr OptionSpec mean_option =
    integer_option("mean_items", "140", 0, 1e9, "items of a group on average");

// How many ranks each walker would like to have; only balancers that form groups for waiting
// walkers heed it (balancers/batch.cpp).

using Wants = std::vector<int>;

struct WantsEntry : Entry {
  /// What each of `groups` wants: those of walkers with `group_size` ranks each. Throws
  /// std::invalid_argument if a file that the options name does not fit.
  Wants (*of)(const Options& options, Groups groups, std::uint64_t seed);
  bool draws;  ///< whether it depends on `seed`
};

std::span<const WantsEntry> wants();

}  // namespace regroup
