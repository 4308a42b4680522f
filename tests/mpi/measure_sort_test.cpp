// SPDX-License-Identifier: BSD-3-Clause
//
// Measurements of sorts: that the figures are there, and that a sort that is none is found out.
#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <vector>

#include "measurements/sort.cpp"
#include "measurements/sorts.hpp"
#include "regroup/communicator.hpp"
#include "regroup/strategy.hpp"
#include "sorting/inputs.hpp"
#include "sorting/options.hpp"
#include "tests/mpi/measured.hpp"

namespace regroup::measure_sort_test {
namespace {

using testing::HasSubstr;

Scenario sort_by(std::string_view way, int elements, std::string_view type = "double",
                 std::string_view input = "uniform", std::string_view assignment = "greedy") {
  return measurement_of("sort", {{"communicator", std::string(way)},
                                 {"elements_per_rank", std::to_string(elements)},
                                 {"element_type", std::string(type)},
                                 {"input", std::string(input)},
                                 {"assignment", std::string(assignment)},
                                 {"samples", "2"}});
}

std::vector<std::string_view> ways_here() {
  std::vector<std::string_view> ways = ways_to_sort(strategies());
  std::erase_if(ways, [](std::string_view way) {
    return (way == std_sort_entry.name) != (world().ranks == 1) ||
           (way != std_sort_entry.name && find_entry(strategies(), way) != nullptr &&
            find_entry(strategies(), way)->make == nullptr);
  });
  return ways;
}

TEST(MeasureSort, FindsTheFiguresOfEveryWayToSortAnyNumber) {
  for (const std::string_view way : ways_here()) {
    for (const int elements : {0, 1, 50}) {
      SCOPED_TRACE(way);
      const auto figures = execute(sort_by(way, elements), MPI_COMM_WORLD).figures;
      if (world().rank != 0) continue;
      EXPECT_LE(figures.at("time_min_s"), figures.at("time_median_s"));
      EXPECT_EQ(figures.contains("imbalance"), elements > 0);
      const bool divides = !is_plain_sort(way);
      EXPECT_EQ(figures.contains("creation_s"), divides);
      EXPECT_EQ(figures.contains("levels"), divides);
      EXPECT_EQ(figures.contains("received_messages_max"), world().ranks > 1);
      EXPECT_EQ(figures.contains("moved_bytes"), world().ranks > 1);
      if (!divides) continue;
      EXPECT_LE(figures.at("creation_s"), figures.at("time_median_s"));
      if (elements > 0) {
        EXPECT_EQ(figures.at("imbalance"), 1);
      }
    }
  }
}

TEST(MeasureSort, SortsEveryTypeInputAndAssignment) {
  const std::string_view way = world().ranks == 1 ? std_sort_entry.name : "range";
  for (const std::string_view type : element_types) {
    for (const auto& assignment : sorting::assignments) {
      EXPECT_NO_THROW(
          execute(sort_by(way, 20, type, "few_distinct", assignment.name), MPI_COMM_WORLD));
    }
  }
  for (const auto& input : sorting::inputs) {
    EXPECT_NO_THROW(execute(sort_by(way, 20, "int8", input.name), MPI_COMM_WORLD));
  }
}

/// What is told of a sort of two elements on each rank, after which `spoil` did something to those
/// of this one.
std::string complaint_after(const std::function<void(std::vector<int>&)>& spoil, int each = 2) {
  Site site(MPI_COMM_WORLD, world().waiter);
  std::vector<int> elements{2 * world().rank, 2 * world().rank + 1};
  const Contents before = contents_of(elements);
  spoil(elements);
  try {
    check_sorted(elements, before, each, site);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(SortCheck, FindsNoFaultInWhatIsSorted) {
  EXPECT_EQ(complaint_after([](auto&) {}), "");
}

TEST(SortCheck, FindsElementsThatAreNotInOrder) {
  EXPECT_THAT(complaint_after([](auto& elements) { std::ranges::reverse(elements); }),
              HasSubstr("not in order"));
}

TEST(SortCheck, FindsElementsThatWereChangedLostOrDoubled) {
  const auto on_last = [](auto change) {
    return [=](std::vector<int>& elements) {
      if (world().rank == world().ranks - 1) change(elements);
    };
  };
  const auto unlike = HasSubstr("is not what went in");
  EXPECT_THAT(complaint_after(on_last([](auto& elements) { ++elements.back(); })), unlike);
  EXPECT_THAT(complaint_after(on_last([](auto& elements) { elements[0] = elements[1]; })), unlike);
  EXPECT_THAT(complaint_after(on_last([](auto& elements) { elements.pop_back(); }), -1), unlike);
}

TEST(SortCheck, FindsARankWithoutItsShare) {
  if (world().ranks == 1) return;
  const auto move_one = [](std::vector<int>& elements) {
    if (world().rank == 0) elements.push_back(2);
    if (world().rank == 1) elements.erase(elements.begin());
  };
  EXPECT_THAT(complaint_after(move_one), HasSubstr("rank 1 finds: it has not its share"));
  EXPECT_EQ(complaint_after(move_one, -1), "");
}

TEST(SortCheck, FindsRanksInTheWrongOrderAlsoAcrossRanksWithNothing) {
  if (world().ranks < 3) return;
  const int last = world().ranks - 1;
  const auto turned = [&](std::vector<int>& elements) {
    const int rank = world().rank;
    if (rank == 0) elements = {2 * last, 2 * last + 1};
    if (rank == last) elements = {0, 1};
  };
  EXPECT_THAT(complaint_after(turned), HasSubstr("less than one of a rank before"));
  const auto with_gaps = [&](std::vector<int>& elements) {
    turned(elements);
    if (world().rank > 0 && world().rank < last) elements.clear();
  };
  EXPECT_THAT(complaint_after(with_gaps, -1), HasSubstr("is not what went in"));
  Site site(MPI_COMM_WORLD, world().waiter);
  std::vector<int> own;
  if (world().rank == 0) own = {7};
  if (world().rank == last) own = {6};
  EXPECT_EQ(follows_those_before(own, site), world().rank != last);
}

TEST(SortCheck, TellsContentsApart) {
  const auto contents = [](std::vector<double> elements) { return contents_of(elements); };
  EXPECT_EQ(contents({1, 2, 3}), contents({3, 1, 2}));
  EXPECT_NE(contents({1, 2, 3}), contents({1, 2, 2}));
  EXPECT_NE(contents({1, 1}), contents({2, 2}));
  EXPECT_NE(contents({1, 1, 2}), contents({2}));
}

}  // namespace
}  // namespace regroup::measure_sort_test
