// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include "sorting/assignment.hpp"
#include "sorting/inputs.hpp"
#include "sorting/level.hpp"

namespace regroup::sorting::sorting_test {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::Ge;
using testing::IsEmpty;
using testing::Lt;

TEST(Slots, GivesTheFirstRanksOneMore) {
  const Slots slots(11, 4);
  std::vector<long long> sizes;
  for (int rank = 0; rank < 4; ++rank) sizes.push_back(slots.of(rank).size());
  EXPECT_THAT(sizes, ElementsAre(3, 3, 3, 2));
  EXPECT_EQ(common({2, 7}, {5, 9}).size(), 2);
  EXPECT_TRUE(common({2, 5}, {5, 9}).empty());
  EXPECT_TRUE(common({7, 9}, {2, 5}).empty());
}

TEST(Slots, KnowsTheOwnerOfEveryPosition) {
  for (const int ranks : {1, 2, 3, 7}) {
    for (long long n = 0; n < 30; ++n) {
      const Slots slots(n, ranks);
      long long covered = 0;
      for (int rank = 0; rank < ranks; ++rank) {
        for (long long position = slots.of(rank).begin; position < slots.of(rank).end; ++position) {
          EXPECT_EQ(slots.owner(position), rank);
          ++covered;
        }
      }
      EXPECT_EQ(covered, n);
    }
  }
}

TEST(GreedyAssignment, CutsAnIntervalWhereOwnersChange) {
  const Slots slots(12, 4);
  EXPECT_THAT(pieces_in_order(slots, {2, 8}), ElementsAre(Piece{0, 1}, Piece{1, 3}, Piece{2, 2}));
  EXPECT_THAT(pieces_in_order(slots, {4, 5}), ElementsAre(Piece{1, 1}));
  EXPECT_THAT(pieces_in_order(slots, {4, 4}), IsEmpty());
}

TEST(GreedyAssignment, KeepsAtHomeWhatItCan) {
  const std::vector<long long> lengths{5, 1, 4, 2};
  const std::vector<long long> capacities{3, 6, 3, 0};
  std::vector<std::vector<Piece>> pieces;
  for (std::size_t me = 0; me < 4; ++me) {
    pieces.push_back(pieces_home_first(lengths, capacities, me));
  }
  EXPECT_THAT(pieces[0], ElementsAre(Piece{0, 3}, Piece{1, 2}));
  EXPECT_THAT(pieces[1], ElementsAre(Piece{1, 1}));
  EXPECT_THAT(pieces[2], ElementsAre(Piece{2, 3}, Piece{1, 1}));
  EXPECT_THAT(pieces[3], ElementsAre(Piece{1, 2}));
}

TEST(GreedyAssignment, PassesByWhatIsFilledByOthers) {
  const std::vector<long long> lengths{0, 5, 0, 6};
  const std::vector<long long> capacities{3, 0, 4, 4};
  EXPECT_THAT(pieces_home_first(lengths, capacities, 1), ElementsAre(Piece{0, 3}, Piece{2, 2}));
  EXPECT_THAT(pieces_home_first(lengths, capacities, 3), ElementsAre(Piece{3, 4}, Piece{2, 2}));
}

/// Pieces and elements that each target receives, and the most pieces that any source sends.
struct Received {
  std::vector<long long> pieces;
  std::vector<long long> elements;
  long long most_sent = 0;
};

Received assigned(const std::vector<long long>& lengths, const std::vector<long long>& capacities) {
  Received received{std::vector<long long>(capacities.size()),
                    std::vector<long long>(capacities.size())};
  for (std::size_t me = 0; me < lengths.size(); ++me) {
    const std::vector<Piece> pieces = deterministic_pieces(lengths, capacities, me);
    long long sent = 0;
    for (const Piece& piece : pieces) {
      const auto to = static_cast<std::size_t>(piece.to);
      EXPECT_GT(piece.count, 0);
      ++received.pieces[to];
      received.elements[to] += piece.count;
      sent += piece.count;
    }
    EXPECT_EQ(sent, lengths[me]);
    received.most_sent = std::max(received.most_sent, static_cast<long long>(pieces.size()));
  }
  return received;
}

TEST(DeterministicAssignment, SendsSmallPiecesToWholeTargetsInTurn) {
  // r is 2, and sources of at most a quarter of 8 elements are small.
  const Received received = assigned({1, 2, 8, 1, 1, 8, 3, 0}, {4, 8, 8, 4});
  EXPECT_THAT(received.elements, ElementsAre(4, 8, 8, 4));
  EXPECT_THAT(deterministic_pieces(std::vector<long long>{1, 2, 8, 1, 1, 8, 3, 0},
                                   std::vector<long long>{4, 8, 8, 4}, 3),
              ElementsAre(Piece{2, 1}));
}

TEST(DeterministicAssignment, CannotSendFewMessagesToOneTarget) {
  EXPECT_THAT(assigned({1, 1, 1, 1, 1, 1, 1}, {7}).pieces, ElementsAre(7));
}

TEST(DeterministicAssignment, SpreadsManySmallPiecesWhereTheGreedyOneWouldNot) {
  // 16 sources with one element each, then 15 sources with as many as a target holds.
  std::vector<long long> lengths(16, 1);
  lengths.insert(lengths.end(), 15, 16);
  const std::vector<long long> capacities(16, 16);
  EXPECT_LE(std::ranges::max(assigned(lengths, capacities).pieces), 7);
}

/// The small side of a group: each rank holds `share` elements or one more, except that the first
/// and the last rank may hold fewer. Some of the elements are small.
class RandomSides : public testing::Test {
 protected:
  long long below(long long n) { return static_cast<long long>(random_() % n); }

  void draw() {
    const auto sources = 1 + below(24);
    const long long share = 1 + below(1 + below(60));
    lengths.clear();
    std::vector<long long> held;
    const auto kind = below(4);
    for (long long i = 0; i < sources; ++i) {
      const bool at_end = i == 0 || i + 1 == sources;
      held.push_back(at_end ? 1 + below(share) : share + (below(2) * below(2)));
      const long long few = below(1 + held.back() / 8 + (kind == 3 ? 2 : 0));
      const bool is_few = kind == 0 ? below(2) == 0 : kind == 1 ? i < sources / 2 : kind == 2;
      lengths.push_back(std::min(held.back(), is_few ? few : below(held.back() + 1)));
    }
    // The targets are the leading ranks, as many as hold the small elements.
    long long rest = std::accumulate(lengths.begin(), lengths.end(), 0LL);
    capacities.clear();
    for (std::size_t i = 0; rest > 0; ++i) {
      capacities.push_back(std::min(rest, held[i]));
      rest -= capacities.back();
    }
  }

  std::vector<long long> lengths;
  std::vector<long long> capacities;

 private:
  std::mt19937 random_{1};
};

TEST_F(RandomSides, FillTargetsByFewMessages) {
  for (int i = 0; i < 20'000; ++i) {
    draw();
    if (capacities.empty()) continue;
    const Received received = assigned(lengths, capacities);
    const long long most = 3 * pieces_per_target(lengths, capacities.size()) + 1;
    EXPECT_EQ(received.elements, capacities);
    EXPECT_LE(std::ranges::max(received.pieces), most);
    EXPECT_LE(received.most_sent, 6);
  }
}

constexpr int ranks = 4;

template <class T = double>
std::vector<T> whole(Input input, long long n, std::uint64_t seed = 1) {
  std::vector<T> all;
  for (int rank = 0; rank < ranks; ++rank) {
    const std::vector<T> own = make_input<T>(input, rank, ranks, n, seed);
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

TEST(Inputs, HaveTheirRowsInTheOrderOfTheirKinds) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(inputs[i].input), i);
  }
}

TEST(Inputs, AreKeysFromZeroToOneAndTheSameForTheSameSeed) {
  for (const InputEntry& entry : inputs) {
    EXPECT_THAT(whole(entry.input, 500), Each(testing::AllOf(Ge(0), Lt(1)))) << entry.name;
    EXPECT_EQ(whole(entry.input, 20), whole(entry.input, 20)) << entry.name;
  }
  EXPECT_NE(whole(Input::uniform, 20, 1), whole(Input::uniform, 20, 2));
}

TEST(Inputs, AreWhatTheirNamesSay) {
  const std::vector<double> sorted = whole(Input::sorted, 50);
  EXPECT_TRUE(std::ranges::is_sorted(sorted));
  EXPECT_EQ(std::set(sorted.begin(), sorted.end()).size(), sorted.size());
  EXPECT_TRUE(std::ranges::is_sorted(whole(Input::reverse, 50), std::ranges::greater{}));
  EXPECT_THAT(whole(Input::all_equal, 10), Each(0.5));
  const std::vector<double> few = whole(Input::few_distinct, 100);
  EXPECT_EQ(std::set(few.begin(), few.end()).size(), 8u);
  const std::vector<double> zipf = whole(Input::zipf, 1000);
  EXPECT_GT(std::ranges::count(zipf, 0.0), std::ranges::count(zipf, 1.0 / 65536));
}

TEST(Inputs, AreStaggered) {
  std::vector<int> parts;
  for (int rank = 0; rank < 5; ++rank) {
    const auto own = make_input<double>(Input::staggered, rank, 5, 100, 1);
    parts.push_back(static_cast<int>(*std::ranges::min_element(own) * 5));
    EXPECT_EQ(static_cast<int>(*std::ranges::max_element(own) * 5), parts.back());
  }
  EXPECT_THAT(parts, ElementsAre(1, 3, 0, 2, 4));
}

TEST(Inputs, KeepTheirOrderAsOtherTypes) {
  const std::vector<double> keys{0, 0.25, 0.5, 0.999999999};
  std::vector<int> bytes;
  std::vector<std::uint64_t> wide;
  std::vector<std::int64_t> with_sign;
  for (const double key : keys) {
    bytes.push_back(element_of<std::int8_t>(key, 0));
    wide.push_back(element_of<std::uint64_t>(key, 0));
    with_sign.push_back(element_of<std::int64_t>(key, 0));
  }
  EXPECT_THAT(bytes, ElementsAre(-128, -64, 0, 127));
  EXPECT_TRUE(std::ranges::is_sorted(wide));
  EXPECT_EQ(wide[2], std::uint64_t{1} << 63);
  EXPECT_EQ(with_sign[0], std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(with_sign[2], 0);
  EXPECT_EQ(element_of<float>(0.25, 0), 0.25f);
}

TEST(Samples, AreAsManyAsTheLargestOfThreeNumbers) {
  SortOptions options;
  options.samples_per_log_rank = 2;
  options.samples_per_element = 0.5;
  options.fewest_samples = 9;
  EXPECT_EQ(number_of_samples(options, 4, 4), 9);
  EXPECT_EQ(number_of_samples(options, 1024, 1024), 20);
  EXPECT_EQ(number_of_samples(options, 4, 400), 50);
}

TEST(Samples, AreOfTheGroupAndDifferFromLevelToLevel) {
  const SortOptions options;
  const std::vector<long long> first = sample_positions(options, 4, 1, {10, 50});
  EXPECT_THAT(first, Each(testing::AllOf(Ge(10), Lt(50))));
  EXPECT_EQ(first, sample_positions(options, 4, 1, {10, 50}));
  EXPECT_NE(first, sample_positions(options, 4, 2, {10, 50}));
  EXPECT_GT(std::set(first.begin(), first.end()).size(), 2u);
}

}  // namespace
}  // namespace regroup::sorting::sorting_test
