// SPDX-License-Identifier: BSD-3-Clause
//
// No two live communicators from icreate_group on one process share a channel; otherwise the
// creation reports an error.
#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "communicators/range/operation.hpp"
#include "regroup/range.hpp"
#include "tests/mpi/mpi_calls.hpp"
#include "tests/mpi/range_fixture.hpp"

namespace regroup::range::isolation_test {
namespace {

std::vector<int> shuffled_ranks(int size, std::mt19937& random) {
  std::vector<int> ranks = all_ranks(size);
  std::ranges::shuffle(ranks, random);
  return ranks;
}

/// Checks that all members have the same channel.
void expect_one_channel(const Comm& comm, int tag) {
  const int mine = static_cast<int>(comm.channel());
  int largest = 0;
  int smallest = 0;
  allreduce(&mine, &largest, 1, MPI_INT, MPI_MAX, comm, tag);
  allreduce(&mine, &smallest, 1, MPI_INT, MPI_MIN, comm, tag);
  EXPECT_EQ(largest, smallest);
}

/// Makes new Parents assume that the largest tag of MPI is `largest`.
class FewTags {
 public:
  explicit FewTags(int largest) { pretend_largest_tag(largest); }
  FewTags(const FewTags&) = delete;
  FewTags& operator=(const FewTags&) = delete;
  ~FewTags() { pretend_largest_tag(0); }
};

constexpr int fewest_tags = 32767;

using RangeIsolation = RangeTest;

TEST_F(RangeIsolation, GroupsAgreeOnChannelsThatAreTheirOwn) {
  if (size < 2) return;
  std::vector<GroupCreation> alive;
  std::set<std::uint32_t> channels;
  for (int i = 0; i < 300; ++i) {
    GroupCreation creation = icreate_group(world, reversed_ranks(size), i);
    creation.wait();
    alive.push_back(std::move(creation));
    const Comm& comm = alive.back().comm();
    EXPECT_TRUE(channels.insert(comm.channel()).second) << i;
    expect_one_channel(comm, 0);
  }
}

TEST_F(RangeIsolation, CheckedRangesThatWouldShareAChannelAreRefused) {
  std::vector<GroupCreation> alive;
  std::set<std::uint32_t> channels;
  int refused = 0;
  for (int tag = 0; tag < 600; ++tag) {
    try {
      alive.push_back(icreate_group(world, 0, size - 1, 1, tag, Isolation::checked));
      EXPECT_TRUE(channels.insert(alive.back().comm().channel()).second) << tag;
    } catch (const NoChannel&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 0);
  EXPECT_LT(refused, 200);
  // They were refused only because of live communicators.
  alive.clear();
  for (int tag = 0; tag < 600; ++tag) {
    icreate_group(world, 0, size - 1, 1, tag, Isolation::checked);
  }
}

TEST_F(RangeIsolation, OneCheckedRangeCreatedAgainAndAgainHasChannelAfterChannel) {
  std::vector<GroupCreation> alive;
  for (int i = 0; i < 1500; ++i) {
    alive.push_back(icreate_group(world, 0, size - 1, 1, 0, Isolation::checked));
  }
  EXPECT_EQ(alive.size(), 1500U);
}

TEST_F(RangeIsolation, RangesAgreeUnlessTheyAreToldOtherwise) {
  std::vector<GroupCreation> alive;
  std::set<std::uint32_t> channels;
  const int first = rank < 2 ? 0 : 2;
  const int last = std::min(size - 1, rank < 2 ? 1 : size - 1);
  for (int tag = 0; tag < 600; ++tag) {
    alive.push_back(icreate_group(world, first, last, 1, tag));
  }
  for (GroupCreation& creation : alive) {
    creation.wait();
    EXPECT_TRUE(channels.insert(creation.comm().channel()).second);
  }
  for (const GroupCreation& creation : alive) expect_one_channel(creation.comm(), 0);
}

TEST_F(RangeIsolation, WhereAMemberHasNoChannelLeftAllOfThemAreTold) {
  const Channels::Pool agreed = parent.channels().agreed();
  for (std::uint32_t place = 0; rank == 0 && place < agreed.size; ++place) {
    parent.channels().take(agreed.at(place));
  }
  GroupCreation one = icreate_group(world, reversed_ranks(size), 0, Isolation::agreed);
  GroupCreation other = icreate_group(world, 0, size - 1, 1, 1, Isolation::agreed);
  Request request = other.take_request();
  EXPECT_THROW(one.wait(), NoChannel);
  EXPECT_THROW(one.test(), NoChannel);
  EXPECT_THROW(one.comm(), NoChannel);
  EXPECT_THROW(request.wait(), NoChannel);
  EXPECT_THROW(other.comm(), NoChannel);
}

TEST_F(RangeIsolation, IsRefusedWhereMpiHasTheFewestTags) {
  const FewTags few(fewest_tags);
  Parent poor{MPI_COMM_WORLD, test_waiter(), OverlapCheck::on};
  const Comm all = poor.all();
  EXPECT_THROW(icreate_group(all, 0, size - 1, 1, 0), NoChannel);
  EXPECT_THROW(icreate_group(all, 0, size - 1, 1, 0, Isolation::checked), NoChannel);
  const GroupCreation by_tags = icreate_group(all, 0, size - 1, 1, 0, Isolation::by_tags);
  EXPECT_EQ(by_tags.comm().channel(), 0U);
  // Without channels, messages have no more tags than collectives.
  EXPECT_EQ(poor.max_message_tag(), Parent::max_tag);
  int in = -1;
  sendrecv(&rank, 1, MPI_INT, rank, Parent::max_tag, &in, 1, MPI_INT, rank, Parent::max_tag, all);
  EXPECT_EQ(in, rank);
  if (size < 2) return;
  EXPECT_THROW(icreate_group(all, reversed_ranks(size), 0), NoChannel);
}

TEST_F(RangeIsolation, OfTheLastChannelIsFoundAndThenRefused) {
  if (size < 2) return;
  const FewTags few(2 * tags_of_channel - 1);
  Parent poor{MPI_COMM_WORLD, test_waiter(), OverlapCheck::on};
  const Comm all = poor.all();
  EXPECT_EQ(poor.channels().number(), 1U);
  for (int i = 0; i < 3; ++i) {
    GroupCreation one = icreate_group(all, 0, size - 1, 1, 0, Isolation::agreed);
    one.wait();
    EXPECT_EQ(one.comm().channel(), 1U);
    GroupCreation other = icreate_group(all, 0, size - 1, 1, 0, Isolation::agreed);
    EXPECT_THROW(other.wait(), NoChannel);
    EXPECT_THROW(other.comm(), NoChannel);
    EXPECT_THROW(other.test(), NoChannel);
    // No rank agrees on a channel again before all ranks have dropped this group.
    barrier(all);
  }
}

TEST_F(RangeIsolation, GroupsUnderWayTogetherShareFewChannels) {
  const FewTags few(16 * tags_of_channel - 1);
  Parent poor{MPI_COMM_WORLD, test_waiter(), OverlapCheck::on};
  const Comm all = poor.all();
  const int channels = static_cast<int>(poor.channels().agreed().size);
  EXPECT_EQ(channels, 5);
  std::mt19937 random(12);  // the same on all ranks
  for (int round = 0; round < 20; ++round) {
    std::vector<GroupCreation> pending;
    for (int i = 0; i < channels - 1; ++i) {
      std::vector<int> members = shuffled_ranks(size, random);
      members.resize(static_cast<std::size_t>(1 + (size - 1) * (i + 1) / channels));
      if (std::ranges::find(members, rank) == members.end()) continue;
      pending.push_back(icreate_group(all, members, i, Isolation::agreed));
    }
    if (rank % 2 != 0) std::ranges::reverse(pending);
    std::set<std::uint32_t> seen;
    for (GroupCreation& creation : pending) creation.wait();
    for (const GroupCreation& creation : pending) {
      EXPECT_TRUE(seen.insert(creation.comm().channel()).second);
    }
    barrier(all);
  }
}

TEST_F(RangeIsolation, HoldsForWhatIsCreatedFromAGroupThatIsNoMore) {
  std::mt19937 random(13);  // the same on all ranks
  const std::vector<int> members = shuffled_ranks(size, random);
  std::vector<GroupCreation> alive;
  {
    GroupCreation outer = icreate_group(world, members, 0);
    outer.wait();
    alive.push_back(icreate_group(outer.comm(), 0, size - 1, 1, 0));
    alive.back().wait();
  }
  const Comm& comm = alive.back().comm();
  for (int r = 0; r < size; ++r) {
    EXPECT_EQ(comm.parent_rank(r), members[static_cast<std::size_t>(r)]);
    EXPECT_EQ(comm.rank_of(members[static_cast<std::size_t>(r)]), r);
  }
}

/// Random creations, nested and overlapping, several at a time; the same on all processes.
class ManyCreations {
 public:
  enum class Ranges { by_default, mostly_checked };

  ManyCreations(const Comm& world, Ranges ranges) : all_(world), ranges_(ranges) {}

  void create(int number) {
    for (int i = 0; i < number; ++i) {
      if (alive_.size() >= 40) drop(draw(static_cast<int>(alive_.size())));
      create_one(i % 64);
    }
    while (!alive_.empty()) drop(alive_.size() - 1);
  }

  int shared = 0;
  int refused = 0;

 private:
  struct Made {
    std::vector<int> members;
    bool agreed;
    std::optional<GroupCreation> creation;  // on members only
  };

  std::size_t draw(std::size_t n) { return random_() % n; }

  void create_one(int tag) {
    // Checked ranges may be refused on some processes, so they have no children.
    std::vector<const Made*> parents{nullptr};
    for (const Made& made : alive_) {
      if (made.agreed) parents.push_back(&made);
    }
    const Made* parent = parents[draw(parents.size())];
    std::vector<int> numbers(parent == nullptr ? static_cast<std::size_t>(all_.size())
                                               : parent->members.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int>(i);
    const bool list = numbers.size() > 2 && draw(8) == 0;
    if (list) std::ranges::shuffle(numbers, random_);
    const std::size_t first = draw(numbers.size());
    const std::size_t last = first + draw(numbers.size() - first);
    numbers = {numbers.begin() + static_cast<std::ptrdiff_t>(first),
               numbers.begin() + static_cast<std::ptrdiff_t>(last) + 1};
    const bool agreed = list || draw(8) == 0 || ranges_ == Ranges::by_default;
    Made made{{}, agreed, std::nullopt};
    for (const int number : numbers) {
      made.members.push_back(parent == nullptr ? number
                                               : parent->members[static_cast<std::size_t>(number)]);
    }
    if (std::ranges::find(made.members, all_.rank()) != made.members.end()) {
      try {
        const Comm& within = parent == nullptr ? all_ : parent->creation->comm();
        if (ranges_ == Ranges::by_default) {
          made.creation = icreate_group(within, numbers, tag);
        } else {
          made.creation =
              icreate_group(within, numbers, tag, agreed ? Isolation::agreed : Isolation::checked);
        }
        made.creation->wait();
        const std::uint32_t channel = made.creation->comm().channel();
        for (const Made& other : alive_) {
          shared += other.creation && other.creation->comm().channel() == channel;
        }
      } catch (const NoChannel&) {
        made.creation.reset();
        ++refused;
      }
    }
    alive_.push_back(std::move(made));
  }

  void drop(std::size_t which) {
    alive_[which] = std::move(alive_.back());
    alive_.pop_back();
  }

  Comm all_;
  Ranges ranges_;
  std::mt19937 random_{14};
  std::vector<Made> alive_;
};

// REGROUP_CREATIONS=N sets the number of creations.
class RandomCreations : public RangeIsolation {
 protected:
  /// Returns the number of creations that were refused on this process.
  int create(ManyCreations::Ranges ranges) {
    ManyCreations many(world, ranges);
    many.create(number_ / 2);
    const auto before = mallinfo2().uordblks;
    many.create(number_ / 2);
    const auto after = mallinfo2().uordblks;
    EXPECT_EQ(many.shared, 0);
    EXPECT_LT(after, before + 100'000);
    if (wanted_ != nullptr) {
      std::printf("rank %d: %d creations, %d refused, %zu bytes halfway, %zu at the end\n", rank,
                  number_, many.refused, before, after);
    }
    return many.refused;
  }

  const char* wanted_ = std::getenv("REGROUP_CREATIONS");
  const int number_ = wanted_ != nullptr ? std::atoi(wanted_) : size > 8 ? 500 : 3000;
};

TEST_F(RandomCreations, AreAllThereByDefault) {
  EXPECT_EQ(create(ManyCreations::Ranges::by_default), 0);
}

TEST_F(RandomCreations, AreSeldomRefusedWhenChecked) {
  EXPECT_LT(create(ManyCreations::Ranges::mostly_checked), number_ / 10);
}

TEST(CreationLog, ForgetsChildrenWithTheirParent) {
  const Context world{0, 0, 0, 9, 1, 0};
  CreationLog log;
  const auto before = mallinfo2().uordblks;
  for (int i = 0; i < 10'000; ++i) {
    const Context child = log.child(world, {0, 0, 2, 5, 1, 0}, 7).context;
    log.child(child, {0, 0, 2, 3, 1, child.c}, 7);
    log.forget(child);
  }
  EXPECT_LT(mallinfo2().uordblks, before + 10'000);
}

}  // namespace
}  // namespace regroup::range::isolation_test
