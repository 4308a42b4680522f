// SPDX-License-Identifier: BSD-3-Clause
//
// Measurements of sorts: the figures exist, and a wrong sort is detected.
#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <vector>

#include "measurements/sort.hpp"
#include "regroup/communicator.hpp"
#include "regroup/sorting.hpp"
#include "regroup/strategy.hpp"
#include "sorting/inputs.hpp"
#include "tests/mpi/measured.hpp"

namespace regroup::measure_sort_test {
namespace {

using testing::HasSubstr;

Measurement sort_by(std::string_view way, int elements, std::string_view type = "double",
                    std::string_view input = "uniform", std::string_view assignment = "greedy") {
  return measurement_of("sort", {{"communicator", std::string(way)},
                                 {"elements_per_rank", std::to_string(elements)},
                                 {"element_type", std::string(type)},
                                 {"input", std::string(input)},
                                 {"assignment", std::string(assignment)},
                                 {"samples", "2"}});
}

const MeasurementKind& kind() { return *find_entry(measurement_kinds(), "sort"); }

/// Returns the values of an option.
std::span<const std::string_view> words(std::string_view option) {
  return find_entry(kind().options, option)->words;
}

/// Returns the strategies and other sorts that are possible here.
std::vector<std::string_view> ways_here() {
  std::vector<std::string_view> ways;
  for (const Strategy& strategy : strategies()) {
    if (kind().accepts(strategy) && strategy.make != nullptr) ways.push_back(strategy.name);
  }
  for (const std::string_view way : words("communicator")) ways.push_back(way);
  std::erase_if(ways, [](std::string_view way) {
    return (way == "std_sort") != (world().ranks == 1) ||
           !hindrance(sort_by(way, 1), world().ranks, 1).empty();
  });
  return ways;
}

TEST(MeasureSort, FindsTheFiguresOfEveryWayToSortAnyNumber) {
  for (const std::string_view way : ways_here()) {
    for (const int elements : {0, 1, 50}) {
      SCOPED_TRACE(way);
      const auto figures = measure(sort_by(way, elements)).figures;
      if (world().rank != 0) continue;
      EXPECT_LE(figures.at("time_min_s"), figures.at("time_median_s"));
      EXPECT_EQ(figures.contains("imbalance"), elements > 0);
      const bool divides = find_entry(strategies(), way) != nullptr;
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
  const std::string_view way = world().ranks == 1 ? "std_sort" : "range";
  for (const std::string_view type : words("element_type")) {
    for (const auto& assignment : sorting::assignments) {
      EXPECT_NO_THROW(measure(sort_by(way, 20, type, "few_distinct", assignment.name)));
    }
  }
  for (const auto& input : sorting::inputs) {
    EXPECT_NO_THROW(measure(sort_by(way, 20, "int8", input.name)));
  }
}

/// Returns the error that check_sorted() reports for two elements per rank after `spoil` changed
/// this rank's elements; empty if there is none.
std::string complaint_after(const std::function<void(std::vector<int>&)>& spoil, int each = 2) {
  Site site(MPI_COMM_WORLD, world().waiter);
  std::vector<int> elements{2 * world().rank, 2 * world().rank + 1};
  const Contents before = contents_of(view_of(elements));
  spoil(elements);
  try {
    check_sorted(view_of(elements), before, each, site);
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
  const auto unlike = HasSubstr("are not those of the input");
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
  EXPECT_THAT(complaint_after(move_one), HasSubstr("rank 1: it does not have its share"));
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
  EXPECT_THAT(complaint_after(turned), HasSubstr("less than one of a lower rank"));
  const auto with_gaps = [&](std::vector<int>& elements) {
    turned(elements);
    if (world().rank > 0 && world().rank < last) elements.clear();
  };
  EXPECT_THAT(complaint_after(with_gaps, -1), HasSubstr("are not those of the input"));
  Site site(MPI_COMM_WORLD, world().waiter);
  std::vector<int> own;
  if (world().rank == 0) own = {7};
  if (world().rank == last) own = {6};
  EXPECT_EQ(follows_lower_ranks(view_of(own), site), world().rank != last);
}

TEST(SortCheck, TellsContentsApart) {
  const auto contents = [](std::vector<double> elements) { return contents_of(view_of(elements)); };
  EXPECT_EQ(contents({1, 2, 3}), contents({3, 1, 2}));
  EXPECT_NE(contents({1, 2, 3}), contents({1, 2, 2}));
  EXPECT_NE(contents({1, 1}), contents({2, 2}));
  EXPECT_NE(contents({1, 1, 2}), contents({2}));
}

}  // namespace
}  // namespace regroup::measure_sort_test
