// SPDX-License-Identifier: BSD-3-Clause
//
// Janus Quicksort on range communicators, and sample sort.
#include "sorting/janus_sort.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "sorting/sample_sort.hpp"
#include "tests/mpi/sorted.hpp"
#include "tests/mpi/world.hpp"

namespace regroup::sorting {
namespace {

class JanusSort : public testing::Test {
 protected:
  template <class T = double>
  SortFacts expect_janus(const Case& sort, const SortOptions& options = {}) {
    return expect_sorted<T>(sort, options, [&](std::vector<T>& data, const SortOptions& told) {
      return janus_sort(data, parent.all(), told);
    });
  }

  range::Parent parent{MPI_COMM_WORLD, world().waiter, range::OverlapCheck::on};
};

SortOptions with(Assignment assignment) {
  SortOptions options;
  options.assignment = assignment;
  return options;
}

/// Three ways: greedy with all counts, with prefix sums only, and deterministic.
constexpr int ways = 3;
SortOptions way(std::size_t which) {
  SortOptions options = with(which == 2 ? Assignment::deterministic : Assignment::greedy);
  if (which == 1) options.most_gathered = 0;
  return options;
}

constexpr std::array sizes{0, 1, 2, 3, 17, 1000};

TEST_F(JanusSort, SortsEveryInputOfEverySize) {
  for (const InputEntry& entry : inputs) {
    for (const int n : sizes) {
      for (int which = 0; which < ways; ++which) {
        // Each way on every third pair, where there are many ranks.
        const bool its_turn = (n + static_cast<int>(entry.input)) % ways == which;
        if (world().ranks > 9 && !its_turn) continue;
        expect_janus({entry.input, Sizes::same, n, 3}, way(static_cast<std::size_t>(which)));
      }
    }
  }
}

TEST_F(JanusSort, SortsWhatOneRankHas) {
  for (const int n : sizes) expect_janus({Input::uniform, Sizes::one_has_all, n, 5});
}

TEST_F(JanusSort, SortsWhatRanksHaveInDifferentNumbers) {
  for (const int n : sizes) expect_janus({Input::gaussian, Sizes::random, n, 7});
}

TEST_F(JanusSort, SortsFewerElementsThanRanks) {
  for (int n = 0; n <= world().ranks; n += std::max(1, world().ranks / 8)) {
    std::vector<double> data;
    if (world().rank >= world().ranks - n) data = {-world().rank / 2.0};
    const auto before = digest(data);
    janus_sort(data, parent.all());
    EXPECT_TRUE(ascends(data));
    EXPECT_EQ(digest(data), before);
    EXPECT_EQ(data.size(), world().rank < n ? 1u : 0u);
  }
}

TEST_F(JanusSort, SortsRandomCasesInFewLevels) {
  const char* wanted = std::getenv("REGROUP_CASES");
  const int cases = wanted != nullptr ? std::atoi(wanted) : world().ranks < 32 ? 60 : 40;
  std::vector<long long> levels;
  for (int i = 0; i < cases; ++i) {
    const auto bits = hash_combined(static_cast<std::uint64_t>(i), 0x6a616e7573u);
    Case sort{inputs[bits % inputs.size()].input, Sizes::same, 0,
              static_cast<std::uint64_t>(i) + 1};
    sort.n = sizes[bits / 8 % 5];
    if (bits / 64 % 16 == 0) sort.n = 1000;
    sort.sizes = static_cast<Sizes>(std::max<int>(0, static_cast<int>(bits / 1024 % 5) - 2));
    levels.push_back(largest(expect_janus(sort, way(bits / 8192 % ways)).levels));
  }
  std::ranges::sort(levels);
  if (world().ranks >= 4 && !levels.empty()) {
    EXPECT_LE(static_cast<double>(levels[levels.size() / 2]), 2 * std::log2(world().ranks));
  }
}

TEST_F(JanusSort, SortsBytesAndRecords) {
  for (const int n : {1, 3, 100}) {
    expect_janus<std::int8_t>({Input::uniform, Sizes::same, n, 1});
    expect_janus<Record>({Input::few_distinct, Sizes::random, n, 2});
    expect_janus<Record>({Input::zipf, Sizes::same, n, 3}, with(Assignment::deterministic));
  }
}

TEST_F(JanusSort, NeedsNoSecondLevelWhereAllAreEqual) {
  const SortFacts facts = expect_janus({Input::all_equal, Sizes::same, 10, 1});
  EXPECT_EQ(facts.levels, world().ranks > 2 ? 1 : 0);
  EXPECT_EQ(facts.most_messages_sent, 0);
}

TEST_F(JanusSort, SortsOnARangeOfRanksWhileOthersSortOnTheRest) {
  const int half = world().ranks / 2;
  if (half == 0) return;
  const bool left = world().rank < half;
  const range::Comm own =
      left ? parent.all().range(0, half - 1) : parent.all().range(half, world().ranks - 1);
  std::vector<double> data = make_input<double>(Input::uniform, own.rank(), own.size(), 50, 1);
  for (double& element : data) element += left ? 0 : 1;
  const auto before = digest(data);
  janus_sort(data, own);
  EXPECT_TRUE(ascends(data));
  EXPECT_EQ(digest(data), before);
  EXPECT_EQ(data.size(), 50u);
}

TEST_F(JanusSort, SortsOneAfterTheOtherOnOneCommunicator) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    std::vector<double> data =
        make_input<double>(Input::uniform, world().rank, world().ranks, 4, seed);
    janus_sort(data, parent.all());
    EXPECT_TRUE(std::is_sorted(data.begin(), data.end()));
    EXPECT_EQ(data.size(), 4u);
  }
}

TEST_F(JanusSort, SendsAndReceivesFewMessagesWhereTheyAreAssignedDeterministically) {
  SortOptions options = with(Assignment::deterministic);
  options.after_level = [](const LevelReport& report) {
    if (report.small == 0) return;
    const int group = report.last - report.first + 1;
    long long received = 0;
    bool in_the_middle = true;
    for (const std::size_t part : {0, 1}) {
      const int pieces = (group + report.targets[part] - 1) / report.targets[part];
      EXPECT_LE(report.messages_received[part], 3 * pieces + 1);
      received += report.messages_received[part];
      in_the_middle = in_the_middle && pieces <= 2;
    }
    if (in_the_middle) {
      EXPECT_LE(received, 8);
    }
    EXPECT_LE(report.messages_sent[0] + report.messages_sent[1], 8);
  };
  for (const InputEntry& entry : inputs) {
    for (const int n : {1, 17, 1000}) {
      expect_janus({entry.input, Sizes::same, n, 11}, options);
    }
  }
}

TEST_F(JanusSort, TellsWhatItMoved) {
  const SortFacts facts = expect_janus({Input::reverse, Sizes::same, 100, 1});
  EXPECT_EQ(facts.bytes_sent > 0, world().ranks > 1);
  EXPECT_EQ(largest(facts.most_messages_sent) > 0, world().ranks > 2);
  EXPECT_EQ(largest(facts.most_messages_received) > 0, world().ranks > 2);
  EXPECT_GE(facts.creation_s, 0);
  // A level leaves half of a group, at least, for one of its parts, and ends with two ranks.
  EXPECT_GE(static_cast<double>(largest(facts.levels)), std::log2(world().ranks) - 1);
}

TEST(SampleSort, SortsEveryInputOfEverySize) {
  for (const InputEntry& entry : inputs) {
    for (const int n : sizes) {
      for (const Sizes of_ranks : {Sizes::same, Sizes::one_has_all, Sizes::random}) {
        if (of_ranks != Sizes::same && entry.input != Input::uniform) continue;
        if (world().ranks > 17 && n > 3) continue;  // beyond, MPI_Alltoallv takes all the time
        const Case sort{entry.input, of_ranks, n, 1};
        SCOPED_TRACE(described(sort));
        std::vector<double> data = elements_of<double>(sort);
        const auto before = digest(data);
        world().waiter.blocking([&] { sample_sort(data, MPI_COMM_WORLD); });
        EXPECT_TRUE(ascends(data));
        EXPECT_EQ(digest(data), before);
      }
    }
  }
}

TEST(SampleSort, SortsRecordsAndTellsWhatItMoved) {
  std::vector<Record> data = elements_of<Record>({Input::reverse, Sizes::same, 100, 1});
  const auto before = digest(data);
  SortFacts facts;
  world().waiter.blocking([&] { facts = sample_sort(data, MPI_COMM_WORLD); });
  EXPECT_TRUE(ascends(data));
  EXPECT_EQ(digest(data), before);
  EXPECT_EQ(facts.most_elements, static_cast<long long>(data.size()));
  EXPECT_EQ(facts.bytes_sent > 0, world().ranks > 1);
}

}  // namespace
}  // namespace regroup::sorting
