// SPDX-License-Identifier: BSD-3-Clause
#include "driver/check/verify.cpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>
#include <random>
#include <set>

#include "library/resolve.hpp"
#include "tests/long_tests.hpp"
#include "tests/unit/sweep_directory.hpp"

namespace regroup::verify_test {
namespace {

// Random small runs of every balancer in virtual time, all of which must keep to the law.

const int runs = long_tests() ? 10'000 : 500;

class Drawn {
 public:
  explicit Drawn(int number) : bits_(static_cast<unsigned>(number)) {}

  Task run() {
    Task task = virtual_run();
    Run& run = task.run();
    task.ranks = number(1, number(0, 9) == 0 ? 200 : 40);
    run.group_size = number(1, 6);
    if (number(0, 2) == 0) draw_groups(task);
    run.item_ms = one_of({0.01, 0.3, 10.0, 100.0});
    run.jitter = one_of({0.0, 0.0, 0.1, 1.0});
    task.seed = static_cast<std::uint64_t>(number(1, 1000));
    run.workload = any(catalog().workloads);
    if (run.workload.options.has("mean_items")) {
      run.workload.options.set("mean_items", std::to_string(number(0, 30)));
    }
    run.speedup = any(catalog().speedups);
    run.costs = any(catalog().costs);
    run.balancer = any(catalog().balancers);
    if (number(0, 2) == 0) {
      run.walkers_per_group = number(1, 5);
      run.wants = chosen(catalog().wants, "uniform",
                         {{"least_wanted_ranks", "1"},
                          {"most_wanted_ranks", std::to_string(number(1, task.ranks))}});
    }
    if (!hindrance(*run.balancer.row, starting_groups(task)).empty())
      run.balancer = balancer("none");
    choose_balancer(task, run.balancer);
    if (run.balancer->shapes == Shapes::ranges && run.strategy != nullptr && number(0, 1) == 0) {
      run.strategy = strategy("range");
    }
    return task;
  }

 private:
  /// Ranges of any sizes, or any ranks.
  void draw_groups(Task& task) {
    const bool ranges = number(0, 1) == 0;
    std::map<int, std::vector<RankRange>> ranks;
    int group = 0;
    for (int rank = 0; rank < task.ranks; ++rank) {
      if (!ranges) {
        group = number(0, task.ranks / 3);
      } else if (number(0, 2) == 0) {
        ++group;
      }
      ranks[group].push_back({rank, rank});
    }
    std::vector<RankSet> groups;
    for (const auto& [name, of_it] : ranks) groups.push_back(RankSet::of(of_it));
    const StartingGroups drawn(groups);
    task.run().groups = text_of(drawn);
    task.run().group_size = drawn.largest();
  }

  int number(int low, int high) { return std::uniform_int_distribution(low, high)(bits_); }

  template <class Value>
  Value one_of(std::initializer_list<Value> values) {
    return *(values.begin() + number(0, static_cast<int>(values.size()) - 1));
  }

  /// A row that reads no files, with its options of words drawn.
  template <class Row>
  Chosen<Row> any(const std::vector<Row>& rows) {
    for (;;) {
      const auto& row =
          rows[static_cast<std::size_t>(number(0, static_cast<int>(rows.size()) - 1))];
      auto drawn = chosen(rows, row.name);
      if (drawn.options.size() < row.options.size()) continue;
      for (const OptionSpec& spec : row.options) {
        if (spec.words.empty()) continue;
        const int word = number(0, static_cast<int>(spec.words.size()) - 1);
        drawn.options.set(std::string(spec.name),
                          std::string(spec.words[static_cast<std::size_t>(word)]));
      }
      return drawn;
    }
  }

  std::mt19937 bits_;
};

TEST(RandomRuns, KeepToTheLaw) {
  for (int number = 0; number < runs; ++number) {
    const Task run = Drawn(number).run();
    SCOPED_TRACE(fmt::format("{}: {}", number, to_json(run)));
    const TimeLaw law = law_of(run, 0);
    ASSERT_EQ(first_violation(run, simulate(run).lives, &law), std::nullopt);
  }
}

// Results that are right, and what is noticed of those that are not.

const std::string sweep =
    "engine: virtual\nranks: [8, 12]\nworkload: {kind: uniform, mean_items: 9}\njitter: 0.1\n"
    "balancers: [none, {collective: {exchange_interval: 2}}, asynchronous]\n";

/// The exit code; 2 where the results cannot be read.
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
  // How long it took, and with how much memory, on what it ran.
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
