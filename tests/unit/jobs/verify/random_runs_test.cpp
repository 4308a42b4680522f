// SPDX-License-Identifier: BSD-3-Clause
//
// Random small runs of every balancer in virtual time, all of which must keep to the law.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "driver/check/verify.cpp"
#include "library/resolve.hpp"

namespace regroup {
namespace {

/// Under sanitizers everything takes ten times as long.
#ifdef __SANITIZE_ADDRESS__
constexpr int runs = 500;
#else
constexpr int runs = 10'000;
#endif

class Drawn {
 public:
  explicit Drawn(int number) : bits_(static_cast<unsigned>(number)) {}

  Scenario run() {
    const Catalog& catalog = standard_catalog();
    Scenario run;
    run.engine = "virtual";
    run.ranks = number(1, number(0, 9) == 0 ? 200 : 40);
    run.group_size = number(1, 6);
    if (number(0, 2) == 0) {
      draw_groups(run);
    }
    run.item_ms = one_of({0.01, 0.3, 10.0, 100.0});
    run.jitter = one_of({0.0, 0.0, 0.1, 1.0});
    run.seed = static_cast<std::uint64_t>(number(1, 1000));
    run.workload = any(catalog.workloads, [](const auto& row) { return row.name != "trace"; });
    if (run.workload.options.has("mean_items")) {
      run.workload.options.set("mean_items", std::to_string(number(0, 30)));
    }
    run.speedup = any(catalog.speedups, [](const auto& row) { return row.name != "measured"; });
    run.costs = any(catalog.costs, [](const auto& row) { return row.name != "measured"; });
    run.balancer = any(catalog.balancers);
    if (number(0, 2) == 0) {
      run.walkers_per_group = number(1, 5);
      run.wants = {"uniform",
                   {{"least_wanted_ranks", "1"},
                    {"most_wanted_ranks", std::to_string(number(1, run.ranks))}}};
    }
    if (!hindrance(*find_entry(catalog.balancers, run.balancer.name), starting_groups(run))
             .empty()) {
      run.balancer = {"none", {}};
    }
    const BalancerEntry& balancer = *find_entry(catalog.balancers, run.balancer.name);
    if (balancer.regrouping != Regrouping::never) {
      run.communicator =
          balancer.shapes == Shapes::any ? "create_group" : one_of({"create_group", "range"});
    }
    return run;
  }

 private:
  /// Ranges of any sizes, or any ranks.
  void draw_groups(Scenario& run) {
    const bool ranges = number(0, 1) == 0;
    std::map<int, std::vector<RankRange>> ranks;
    int group = 0;
    for (int rank = 0; rank < run.ranks; ++rank) {
      if (!ranges) {
        group = number(0, run.ranks / 3);
      } else if (number(0, 2) == 0) {
        ++group;
      }
      ranks[group].push_back({rank, rank});
    }
    std::vector<RankSet> groups;
    for (const auto& [name, of_it] : ranks) groups.push_back(RankSet::of(of_it));
    const StartingGroups told(groups);
    run.groups = text_of(told);
    run.group_size = told.largest();
  }

  int number(int low, int high) { return std::uniform_int_distribution(low, high)(bits_); }

  template <class Value>
  Value one_of(std::initializer_list<Value> values) {
    return *(values.begin() + number(0, static_cast<int>(values.size()) - 1));
  }

  /// A row, with its options of words drawn.
  template <class Rows>
  Choice any(const Rows& rows) {
    return any(rows, [](const auto&) { return true; });
  }
  template <class Rows, class Suits>
  Choice any(const Rows& rows, Suits suits) {
    for (;;) {
      const auto& row =
          rows[static_cast<std::size_t>(number(0, static_cast<int>(rows.size()) - 1))];
      if (!suits(row)) continue;
      Choice choice = with_fallbacks(row);
      for (const OptionSpec& spec : row.options) {
        if (spec.words.empty()) continue;
        const int word = number(0, static_cast<int>(spec.words.size()) - 1);
        choice.options.set(std::string(spec.name),
                           std::string(spec.words[static_cast<std::size_t>(word)]));
      }
      return choice;
    }
  }

  std::mt19937 bits_;
};

TEST(RandomRuns, KeepToTheLaw) {
  for (int number = 0; number < runs; ++number) {
    const Scenario run = Drawn(number).run();
    SCOPED_TRACE(fmt::format("{}: {}", number, to_json(run)));
    const TimeLaw law = law_of(run);
    const auto wrong = first_violation(run, simulate(run).lives, &law);
    ASSERT_EQ(wrong, std::nullopt);
  }
}

}  // namespace
}  // namespace regroup
