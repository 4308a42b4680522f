// SPDX-License-Identifier: BSD-3-Clause
#include "driver/check/verify.cpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>
#include <random>

#include "library/resolve.hpp"

namespace regroup::verify_test {
namespace {

// Random small runs of every balancer in virtual time, all of which must keep to the law.

const int runs = long_tests() ? 10'000 : 500;

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

std::optional<std::size_t> place(const std::optional<WrongRow>& found) {
  return found ? std::optional(found->place) : std::nullopt;
}

TEST(WrongRegroups, AreFoundWhereGroupsTellOfOthers) {
  const Regroups right{{0, 2}, {3, 6}};
  EXPECT_EQ(place(find_wrong_regroups({{0, 2}, {3, 6}}, right)), std::nullopt);
  EXPECT_EQ(place(find_wrong_regroups({{0, 2}, {3, 5}}, right)), 1u);
  EXPECT_EQ(place(find_wrong_regroups({{0, 2}, {3, 6}, {4, 1}}, right)), 2u);
  EXPECT_EQ(place(find_wrong_regroups({{0, 2}}, right)), 0u);
}

TEST(WrongRegroups, AreFoundWhereNothingElseTells) {
  EXPECT_EQ(place(find_wrong_regroups({{0, 2}, {3, 6}}, 8)), std::nullopt);
  EXPECT_EQ(place(find_wrong_regroups({{0, 2}, {3, 5}}, 8)), 0u) << "one process is in none";
  EXPECT_EQ(place(find_wrong_regroups({{0, 2}, {3, 7}}, 8)), 1u);
  EXPECT_EQ(place(find_wrong_regroups({{3, 2}, {0, 6}}, 8)), 1u);
  EXPECT_EQ(place(find_wrong_regroups({{-1, 2}, {0, 6}}, 8)), 0u);
  EXPECT_EQ(place(find_wrong_regroups({{0, 9}, {1, -1}}, 8)), 0u);
  EXPECT_EQ(place(find_wrong_regroups({{0, 8}, {1, 0}}, 8)), 1u);
}

TEST(WrongSamples, AreFoundByTheirNumberTheirOrderAndTheirTimes) {
  const SampleRow a1{"create_s", {1, 0.1, 1e-3}};
  const SampleRow a2{"create_s", {2, 0.2, 1e-3}};
  const SampleRow b1{"free_s", {1, 0.1, 1e-3}};
  const SampleRow b2{"free_s", {2, 0.2, 1e-3}};
  const auto wrong = [](std::vector<SampleRow> all) { return place(find_wrong_samples(all, 2)); };
  EXPECT_EQ(wrong({}), std::nullopt);
  EXPECT_EQ(wrong({a1, a2, b1, b2}), std::nullopt);
  EXPECT_EQ(wrong({a1, a2, b1}), 2u);
  EXPECT_EQ(wrong({a1, b1}), 1u);
  EXPECT_EQ(wrong({b1, b2, a1, a2}), 2u) << "times come in the order of their names";
  EXPECT_EQ(wrong({a2, a1}), 0u);
  EXPECT_EQ(wrong({a1, a2, a1, a2}), 2u);
  EXPECT_EQ(wrong({a1, {"create_s", {2, 0.05, 1e-3}}}), 1u);
  EXPECT_EQ(wrong({a1, {"create_s", {2, 0.2, -1e-3}}}), 1u);
  EXPECT_EQ(wrong({{"bystander_s", {1, 0, -1e-3}}, {"bystander_s", {2, 0, -1e-3}}}), std::nullopt);
}

TEST(WrongSamples, AreThoseThatAreNotKept) {
  std::vector<SampleRow> all;
  for (std::int64_t number = 1; number <= 1500; number += 2) {
    all.push_back({"time_s", {number, 0.001 * static_cast<double>(number), 1}});
  }
  EXPECT_EQ(place(find_wrong_samples(all, 1500)), std::nullopt);
  all[7].sample.number = 16;
  EXPECT_EQ(place(find_wrong_samples(all, 1500)), 7u);
}

}  // namespace
}  // namespace regroup::verify_test
