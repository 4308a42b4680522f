// SPDX-License-Identifier: BSD-3-Clause
#include "driver/check/verify.cpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>
#include <map>
#include <random>
#include <set>

#include "driver/check/check_balancer.hpp"
#include "library/resolve.hpp"
#include "tests/long_tests.hpp"
#include "tests/unit/sweep_directory.hpp"

namespace regroup::verify_test {
namespace {

// Random runs of every balancer in virtual time, all of which must be lawful. Each run is drawn
// from its number, so that failures can be reproduced.

class Drawn {
 public:
  explicit Drawn(unsigned number) : bits_(number), task_(random_run(number, nullptr, catalog())) {}

  /// Adds costs and, in some runs, named groups, walkers that want ranks, and range communicators.
  Task run() {
    Run& run = task_.run();
    if (one_in(3)) draw_groups();
    if (one_in(3)) {
      run.wants = chosen(catalog().wants, "uniform",
                         {{"least_wanted_ranks", "1"},
                          {"most_wanted_ranks", std::to_string(number(1, task_.ranks))}});
    }
    constexpr std::array models{"free", "cluster", "bluegene_p"};
    run.costs = cost_model(models[static_cast<std::size_t>(number(0, 2))]);
    if (!hindrance(*run.balancer.row, starting_groups(task_)).empty()) {
      run.balancer = balancer("none");
    }
    for (const OptionSpec& spec : run.balancer->options) {
      if (spec.words.empty()) continue;
      const int word = number(0, static_cast<int>(spec.words.size()) - 1);
      run.balancer.options.set(std::string(spec.name),
                               std::string(spec.words[static_cast<std::size_t>(word)]));
    }
    choose_balancer(task_, run.balancer);
    if (run.balancer->shapes == Shapes::ranges && run.strategy != nullptr && one_in(2)) {
      run.strategy = strategy("range");
    }
    return task_;
  }

 private:
  /// Draws groups that are ranges of any size, or arbitrary sets of ranks.
  void draw_groups() {
    const bool ranges = one_in(2);
    std::map<int, std::vector<RankRange>> ranks;
    int group = 0;
    for (int rank = 0; rank < task_.ranks; ++rank) {
      if (!ranges) {
        group = number(0, task_.ranks / 3);
      } else if (one_in(3)) {
        ++group;
      }
      ranks[group].push_back({rank, rank});
    }
    std::vector<RankSet> groups;
    for (const auto& [name, of_it] : ranks) groups.push_back(RankSet::of(of_it));
    const StartingGroups drawn(groups);
    task_.run().groups = text_of(drawn);
    task_.run().group_size = drawn.largest();
  }

  int number(int low, int high) { return std::uniform_int_distribution(low, high)(bits_); }
  bool one_in(int n) { return number(1, n) == 1; }

  std::mt19937 bits_;
  Task task_;
};

TEST(RandomRuns, KeepToTheLaw) {
  const unsigned runs = long_tests() ? 10'000 : 500;
  for (unsigned number = 1; number <= runs; ++number) {
    const Task run = Drawn(number).run();
    SCOPED_TRACE(fmt::format("{}: {}", number, to_json(run)));
    const TimeLaw law = law_of(run, 0);
    ASSERT_EQ(first_violation(run, simulate(run), &law), std::nullopt);
  }
}

// Correct results, and the detection of incorrect ones.

const std::string sweep =
    "engine: virtual\nranks: [8, 12]\nworkload: {kind: uniform, mean_items: 9}\njitter: 0.1\n"
    "balancers: [none, {collective: {exchange_interval: 2}}, asynchronous]\n";

/// Returns the exit code, or 2 if the results cannot be read.
int verified(const SweepDirectory& results) {
  const Silence silence;
  try {
    return verify(results.path(), catalog());
  } catch (const UserError&) {
    return 2;
  }
}

TEST(Verify, AcceptsWhatASweepWrote) {
  const SweepDirectory results;
  ASSERT_EQ(results.sweep(sweep), 0);
  EXPECT_EQ(verified(results), 0);
}

TEST(Verify, NoticesEveryCellThatWasChanged) {
  const SweepDirectory results;
  ASSERT_EQ(results.sweep(sweep), 0);
  // Time, memory and load, which verification cannot recompute.
  const std::set<std::string> free{"wall_s", "memory_mb", "setup_s", "load_average_before"};
  for (const char* file : {"runs.csv", "events.csv", "regroups.csv"}) {
    const auto right = results.cells(file);
    for (std::size_t column = 0; column < right[0].size(); ++column) {
      if (free.contains(right[0][column])) continue;
      auto cells = right;
      std::string& cell = cells[cells.size() / 2 + 1][column];
      cell = cell.empty()         ? "1"
             : cell.back() == '1' ? cell.substr(0, cell.size() - 1) + "2"
                                  : cell.substr(0, cell.size() - 1) + "1";
      results.write(file, cells);
      EXPECT_NE(verified(results), 0) << file << ", " << right[0][column] << ": " << cell;
    }
    results.write(file, right);
  }
  EXPECT_EQ(verified(results), 0);
}

TEST(Verify, NoticesRowsThatAreMissingOrThereTwice) {
  const SweepDirectory results;
  ASSERT_EQ(results.sweep(sweep), 0);
  for (const char* file : {"runs.csv", "events.csv", "regroups.csv"}) {
    const auto right = results.cells(file);
    for (const bool twice : {false, true}) {
      auto cells = right;
      const auto row = cells.begin() + static_cast<std::ptrdiff_t>(cells.size() / 2);
      twice ? void(cells.insert(row, *row)) : void(cells.erase(row));
      results.write(file, cells);
      EXPECT_NE(verified(results), 0) << file << twice;
    }
    results.write(file, right);
  }
}

TEST(Verify, NoticesAnotherConfiguration) {
  const SweepDirectory results;
  ASSERT_EQ(results.sweep(sweep), 0);
  std::string text = results.text("provenance.yaml");
  text.replace(text.find("jitter: 0.1"), 11, "jitter: 0.2");
  replace_file(results.path("provenance.yaml"), text);
  EXPECT_EQ(verified(results), 1);
}

}  // namespace
}  // namespace regroup::verify_test
