// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <vector>

#include "kernel/places/host.hpp"
#include "regroup/outcome.hpp"

namespace regroup {
namespace {

/// As many ranks as told with each choice of processors.
bool have_own(const std::vector<std::pair<int, RankSet>>& choices) {
  std::vector<Binding> bindings;
  int rank = 0;
  for (const auto& [ranks, cpus] : choices) {
    bindings.push_back({{rank, rank + ranks - 1}, cpus});
    rank += ranks;
  }
  return have_own_processors(bindings);
}

TEST(OwnProcessors, AreThereForAsManyRanksAsProcessors) {
  EXPECT_TRUE(have_own({{4, {0, 3}}}));
  EXPECT_FALSE(have_own({{5, {0, 3}}}));
  EXPECT_TRUE(have_own({}));
}

TEST(OwnProcessors, AreNotThereForTwoRanksBoundToOne) {
  EXPECT_FALSE(have_own({{2, {0, 0}}, {1, {1, 7}}}));
  EXPECT_TRUE(have_own({{1, {0, 0}}, {1, {1, 1}}}));
}

TEST(OwnProcessors, CountWithoutThoseThatOthersNeed) {
  EXPECT_TRUE(have_own({{2, {0, 2}}, {1, {0, 0}}}));
  EXPECT_FALSE(have_own({{2, {0, 1}}, {1, {0, 0}}, {1, {2, 7}}}));
}

TEST(OwnProcessors, AreFoundWhereSeveralRanksMustMove) {
  EXPECT_TRUE(have_own({{1, {0, 1}}, {1, {1, 2}}, {1, {2, 3}}, {1, {0, 0}}}));
}

/// By trying all ways, on four processors.
bool have_own_by_trial(const std::vector<unsigned>& masks, std::size_t rank, unsigned taken) {
  if (rank == masks.size()) return true;
  for (unsigned cpu = 1; cpu < 16; cpu <<= 1) {
    if ((masks[rank] & cpu & ~taken) != 0 && have_own_by_trial(masks, rank + 1, taken | cpu)) {
      return true;
    }
  }
  return false;
}

TEST(OwnProcessors, AreThereWhereverSomeWayToDivideThemIs) {
  for (unsigned code = 0; code < 15 * 15 * 15 * 15; ++code) {
    std::vector<unsigned> masks;
    std::vector<std::pair<int, RankSet>> choices;
    for (unsigned rest = code, rank = 0; rank < 4; ++rank, rest /= 15) {
      masks.push_back(rest % 15 + 1);
      std::vector<RankRange> cpus;
      for (int cpu = 0; cpu < 4; ++cpu) {
        if ((masks.back() >> cpu & 1) != 0) cpus.push_back({cpu, cpu});
      }
      choices.emplace_back(1, RankSet::of(std::move(cpus)));
    }
    ASSERT_EQ(have_own(choices), have_own_by_trial(masks, 0, 0)) << code;
  }
}

}  // namespace
}  // namespace regroup
