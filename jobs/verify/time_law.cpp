// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/verify/time_law.hpp"

#include <algorithm>
#include <memory>

#include "jobs/catalog/resolve.hpp"

namespace regroup {
namespace {

/// The least time that the items of a group take, by the configuration.
double least_s(const ItemTime& time, const GroupLife& life) {
  constexpr std::int64_t most = 1'000'000;  // of items that vary: as many are enough to tell
  const std::int64_t done = life.items_before - life.items_after;
  if (!time.varies()) return static_cast<double>(done) * time.seconds(life.ranks.size());
  double sum = 0;
  for (std::int64_t item = 0; item < std::min(done, most); ++item) {
    sum += time.seconds(life.ranks.size(), life.walker, life.items_before - item);
  }
  return sum;
}

}  // namespace

TimeLaw law_of(const Scenario& run) {
  const auto time = std::make_shared<ItemTime>(resolve_item_time(run));
  const Strategy* strategy = find_entry(standard_catalog().strategies, run.communicator);
  const EngineEntry& engine = engine_of(run);
  TimeLaw law;
  law.resolution_s = 1e-7;
  double item_rounding_s = 1e-7;
  double share = 1;
  if (engine.exact) {
    law.resolution_s = 1e-9;
    item_rounding_s = 1e-12;
  } else {
    law.forms_after_its_parts = strategy == nullptr || !strategy->local();
  }
  if (engine.real) {
    // Clocks of several hosts agree to some part of a message's way, and then go on their own.
    law.clocks_apart_s = 1e-3;
    law.clocks_drift = 1e-4;
    // An item that is measured by processor time, whose clock is another one.
    const WalkerEntry& walker = *find_entry(standard_catalog().walkers, run.walker.name);
    if (!walker.smpi) share = 0.999;
    if (!walker.timed) share = 0;
  }
  law.least_s = [=](const GroupLife& life) {
    const double items = static_cast<double>(life.items_before - life.items_after);
    return std::max(0.0, share * least_s(*time, life) - items * item_rounding_s);
  };
  return law;
}

}  // namespace regroup
