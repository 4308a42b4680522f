// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "regroup/numbers.hpp"
#include "regroup/sorting.hpp"
#include "sorting/assignment.hpp"
#include "sorting/inputs.hpp"
#include "tests/mpi/mpi_calls.hpp"
#include "tests/mpi/strategy_fixture.hpp"
#include "tests/mpi/world.hpp"

namespace regroup::sorting::janus_sort_test {
// Tools for tests of distributed sorts: inputs on all ranks, and checks of the results.

/// A key with a payload.
struct Record {
  double key;
  std::uint64_t number;

  explicit Record(double of_key, std::uint64_t of_number) : key(of_key), number(of_number) {}
  static Record of(double key, std::uint64_t number) { return Record(key, number); }
  friend bool operator<(const Record& one, const Record& other) { return one.key < other.key; }
};

/// Distribution of the elements over the ranks before a sort.
enum class Sizes { same, one_has_all, random };

/// The input of a sort.
struct Case {
  Input input = Input::uniform;
  Sizes sizes = Sizes::same;
  long long n = 0;  ///< elements per rank; on average or at most, depending on `sizes`
  std::uint64_t seed = 1;
};

inline std::string described(const Case& sort) {
  return std::string(inputs[static_cast<std::size_t>(sort.input)].name) + ", sizes " +
         std::to_string(static_cast<int>(sort.sizes)) + ", n " + std::to_string(sort.n) +
         ", seed " + std::to_string(sort.seed);
}

template <class T>
std::vector<T> elements_of(const Case& sort) {
  const int rank = world().rank;
  const int ranks = world().ranks;
  std::vector<T> elements;
  if (sort.sizes == Sizes::one_has_all) {
    if (rank == static_cast<int>(sort.seed % static_cast<std::uint64_t>(ranks))) {
      elements = make_input<T>(sort.input, 0, 1, sort.n * ranks, sort.seed);
    }
    return elements;
  }
  elements = make_input<T>(sort.input, rank, ranks, sort.n, sort.seed);
  if (sort.sizes == Sizes::random) {
    const std::uint64_t bits = hash_combined(sort.seed, static_cast<std::uint64_t>(rank));
    const auto size = static_cast<std::ptrdiff_t>(bits % (elements.size() + 1));
    elements.erase(elements.begin() + size, elements.end());
  }
  return elements;
}

/// Returns the number of elements on all ranks, and checksums that do not depend on their order.
template <class T>
std::array<std::uint64_t, 3> digest(const std::vector<T>& elements) {
  std::array<std::uint64_t, 3> sums{elements.size(), 0, 0};
  for (const T& element : elements) {
    std::uint64_t hash = 0;
    for (std::size_t at = 0; at < sizeof(T); at += 8) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, reinterpret_cast<const char*>(&element) + at,
                  std::min<std::size_t>(8, sizeof(T) - at));
      hash = hash_combined(hash, bits);
    }
    sums[1] += hash;
    sums[2] += hash_combined(hash, 1);
  }
  world().waiter.blocking(
      [&] { MPI_Allreduce(MPI_IN_PLACE, sums.data(), 3, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD); });
  return sums;
}

/// Returns whether the caller's elements ascend and are not less than those of lower ranks.
template <class T>
bool ascends(const std::vector<T>& elements) {
  struct Ends {
    long long size;
    std::array<unsigned char, 2 * sizeof(T)> ends;
  };
  Ends mine{static_cast<long long>(elements.size()), {}};
  if (!elements.empty()) {
    std::memcpy(mine.ends.data(), &elements.front(), sizeof(T));
    std::memcpy(mine.ends.data() + sizeof(T), &elements.back(), sizeof(T));
  }
  std::vector<Ends> all(static_cast<std::size_t>(world().ranks));
  world().waiter.blocking([&] {
    MPI_Allgather(&mine, sizeof(Ends), MPI_BYTE, all.data(), sizeof(Ends), MPI_BYTE,
                  MPI_COMM_WORLD);
  });
  bool good = std::is_sorted(elements.begin(), elements.end());
  for (int before = world().rank - 1; good && before >= 0 && !elements.empty(); --before) {
    const Ends& other = all[static_cast<std::size_t>(before)];
    if (other.size == 0) continue;
    T last = elements.front();
    std::memcpy(&last, other.ends.data() + sizeof(T), sizeof(T));
    return !(elements.front() < last);
  }
  return good;
}

/// Returns the maximum of `number` over all ranks.
inline long long largest(long long number) {
  world().waiter.blocking(
      [&] { MPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_LONG_LONG, MPI_MAX, MPI_COMM_WORLD); });
  return number;
}

/// Sorts the elements of `sort` by `sorted(data, options)`; checks that the result ascends, that it
/// is a permutation of the input, and that ranks hold equal shares throughout. Returns the facts.
template <class T, class Sorted>
SortFacts expect_sorted(const Case& sort, SortOptions options, Sorted sorted) {
  SCOPED_TRACE(described(sort) +
               (options.assignment == Assignment::greedy ? ", greedy" : ", deterministic"));
  std::vector<T> data = elements_of<T>(sort);
  const auto before = digest(data);
  const Slots slots(static_cast<long long>(before[0]), world().ranks);
  const long long share = slots.of(world().rank).size();
  const auto also = options.after_level;
  options.after_level = [&](const LevelReport& report) {
    EXPECT_EQ(report.elements, share);
    if (also) also(report);
  };
  options.seed = sort.seed;
  const SortFacts facts = sorted(data, options);
  EXPECT_TRUE(ascends(data));
  EXPECT_EQ(digest(data), before);
  EXPECT_EQ(static_cast<long long>(data.size()), share);
  EXPECT_EQ(facts.fewest_elements, share);
  EXPECT_EQ(facts.most_elements, share);
  if (world().ranks > 1) {
    EXPECT_LE(facts.levels, 20 * std::log(world().ranks) / std::log(8.0 / 7));
  }
  return facts;
}

namespace {

// Janus Quicksort on range communicators, and sample sort.

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

/// Number of variants: greedy with all counts, greedy with prefix sums only, and deterministic.
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
        // With many ranks, each variant runs only for every third combination of input and size.
        const bool its_turn = (n + static_cast<int>(entry.input)) % ways == which;
        if (world().ranks > 9 && !its_turn) continue;
        expect_janus({entry.input, Sizes::same, n, 3}, way(static_cast<std::size_t>(which)));
      }
    }
  }
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
  // Each level leaves at least half of a group to one of its parts; the last level has two ranks.
  EXPECT_GE(static_cast<double>(largest(facts.levels)), std::log2(world().ranks) - 1);
}

TEST(SampleSort, SortsEveryInputOfEverySize) {
  for (const InputEntry& entry : inputs) {
    for (const int n : sizes) {
      for (const Sizes of_ranks : {Sizes::same, Sizes::one_has_all, Sizes::random}) {
        if (of_ranks != Sizes::same && entry.input != Input::uniform) continue;
        if (world().ranks > 17 && n > 3) continue;  // MPI_Alltoallv would take too long
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

// Janus Quicksort over every strategy that forms ranges of ranks.

class SortOver : public StrategyTest {
 protected:
  /// Returns whether ranks are few enough for the slowest strategies.
  static bool few_ranks() { return world().ranks <= 9 || world().ranks == 16; }

  SortFacts expect_sorted_over(const Case& sort, const SortOptions& options = {}) {
    return expect_sorted<double>(sort, options,
                                 [&](std::vector<double>& data, const SortOptions& told) {
                                   return sort_over(data, parent_, strategy(), told);
                                 });
  }
};

TEST_P(SortOver, SortsInputsOfSomeSizes) {
  if (!few_ranks()) return;
  for (const InputEntry& entry : inputs) {
    const auto seed = static_cast<std::uint64_t>(entry.input) + 1;
    SortOptions options;
    if (seed % 2 == 0) options.most_gathered = 0;
    expect_sorted_over({entry.input, Sizes::same, 1 + static_cast<long long>(seed) % 3, seed},
                       options);
  }
  expect_sorted_over({Input::uniform, Sizes::random, 100, 2});
  expect_sorted_over({Input::gaussian, Sizes::same, 20, 1}, with(Assignment::deterministic));
  EXPECT_EQ(count().alive, 0);
}

TEST_P(SortOver, SortsFewerElementsThanRanks) {
  if (!few_ranks()) return;
  for (int n = 0; n < world().ranks; n += 3) {
    std::vector<double> data;
    if (world().rank >= world().ranks - n) data = {-world().rank / 2.0};
    sort_over(data, parent_, strategy());
    EXPECT_TRUE(ascends(data));
    EXPECT_EQ(data.size(), world().rank < n ? 1u : 0u);
  }
  EXPECT_EQ(count().alive, 0);
}

TEST_P(SortOver, MakesCommunicatorsOfMpiUnlessTheyAreRanges) {
  const long before = calls_so_far().constructors;
  if (few_ranks() || strategy().local()) {
    expect_sorted_over({Input::uniform, Sizes::same, 5, 1});
  }
  const long made = calls_so_far().constructors - before;
  if (strategy().local()) {
    EXPECT_EQ(made, 0);
  } else if (few_ranks() && world().ranks >= 8) {
    EXPECT_GT(largest(made), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Strategies, SortOver,
                         testing::ValuesIn(strategies_that(&Strategy::serves_balancers)),
                         parameter_name);

}  // namespace
}  // namespace regroup::sorting::janus_sort_test
