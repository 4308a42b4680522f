// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/exploration/random_scenario.hpp"

#include <array>

#include "kernel/numbers/random.hpp"

namespace regroup {
namespace {

/// Draws one thing after the other.
class Dice {
 public:
  explicit Dice(std::uint64_t run) : run_(run) {}

  int from(int low, int high) {
    const auto values = static_cast<std::uint64_t>(high - low + 1);
    return low + static_cast<int>(random_bits(1, Purpose::exploration, run_, drawn_++) % values);
  }
  template <class List>
  auto one_of(const List& list) {
    return list[static_cast<std::size_t>(from(0, static_cast<int>(std::size(list)) - 1))];
  }

 private:
  std::uint64_t run_;
  std::uint64_t drawn_ = 0;
};

Choice random_workload(Dice& dice, const Catalog& catalog) {
  for (;;) {
    const WorkloadEntry entry = dice.one_of(catalog.workloads);
    Choice choice = with_fallbacks(entry);
    if (choice.options.size() != entry.options.size()) continue;  // needs a file
    if (choice.options.has("mean_items"))
      choice.options.set("mean_items", std::to_string(dice.from(0, 30)));
    return choice;
  }
}

Choice random_balancer(Dice& dice, const std::vector<BalancerEntry>& balancers) {
  Choice choice = with_fallbacks(dice.one_of(balancers));
  if (choice.options.has("exchange_interval")) {
    choice.options.set("exchange_interval", std::to_string(dice.from(1, 40)));
  }
  if (choice.options.has("finished_groups")) {
    choice.options.set("finished_groups", dice.from(0, 1) == 0 ? "release" : "merge");
    choice.options.set("listen_ms", dice.one_of(std::array{"0.001", "1", "50", "1000"}));
  }
  return choice;
}

}  // namespace

Scenario random_scenario(std::uint64_t number, const std::vector<BalancerEntry>& balancers,
                         const Catalog& catalog) {
  Dice dice(number);
  Scenario scenario;
  scenario.engine = "virtual";
  scenario.seed = number;
  scenario.ranks = dice.from(1, dice.from(0, 9) == 0 ? 1000 : 60);
  scenario.group_size = dice.from(1, 9);
  scenario.item_ms = dice.one_of(std::array{0.01, 1.0, 100.0});
  do {
    scenario.speedup = with_fallbacks(dice.one_of(catalog.speedups));
  } while (scenario.speedup.name == "measured");  // which takes a file
  scenario.jitter = dice.one_of(std::array{0.0, 0.05, 0.5, 2.0});
  scenario.workload = random_workload(dice, catalog);
  scenario.balancer = random_balancer(dice, balancers);
  if (dice.from(0, 2) == 0) scenario.walkers_per_group = dice.from(1, 5);
  return scenario;
}

}  // namespace regroup
