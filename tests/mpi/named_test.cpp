// SPDX-License-Identifier: BSD-3-Clause
#include "regroup/named.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "kernel/text/plain_text.hpp"
#include "tests/mpi/strategy_fixture.hpp"

namespace regroup::named_test {
namespace {

using testing::ElementsAreArray;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

/// Divides the world into two communicators HALF, each with its ranks in reverse order. The lower
/// one has a child FIRST, and the intercommunicator BRIDGE connects the two.
class Named : public testing::TestWithParam<std::string> {
 protected:
  Named() : named_(Definitions::parse(text(), "file"), MPI_COMM_WORLD) {}

  static int first_of_upper() { return (world().ranks + 1) / 2; }
  static bool in_lower() { return world().rank < first_of_upper(); }

  static std::vector<int> half() {
    std::vector<int> ranks;
    const int lo = in_lower() ? 0 : first_of_upper();
    const int hi = in_lower() ? first_of_upper() : world().ranks;
    for (int rank = hi - 1; rank >= lo; --rank) ranks.push_back(rank);
    return ranks;
  }

  static std::string text() {
    const auto reversed = [](int lo, int hi) {
      std::string list;
      for (int rank = hi - 1; rank >= lo; --rank) list += fmt::format("{},", rank);
      return list;
    };
    const int half = first_of_upper();
    std::string all = fmt::format(
        "communicators:\n- name: HALF\n  members: [{}]\n  communicators: [{{name: FIRST, members: "
        "[0]}}]\n",
        reversed(0, half));
    if (half < world().ranks) {
      all += fmt::format("- name: HALF\n  members: [{}]\n", reversed(half, world().ranks));
      all +=
          "- {intercommunicator: BRIDGE, first: {name: HALF, color: 0}, second: {name: HALF, "
          "color: 1}}\n";
    }
    return all;
  }

  NamedCommunicators named_;
  Site whole_{MPI_COMM_WORLD, world().waiter};
};

const Strategy& strategy_of(const std::string& name) { return *find_entry(strategies(), name); }

TEST_P(Named, CommunicatorHasTheDefinedMembersInTheirOrder) {
  const GroupComm comm = named_.build("HALF", whole_, strategy_of(GetParam()));
  ASSERT_TRUE(comm);
  EXPECT_THAT(as_list(content(comm)), ElementsAreArray(half()));
  EXPECT_EQ(comm.size(), static_cast<int>(half().size()));
}

TEST_P(Named, ChildIsBuiltFromItsParentAndOthersGetNothing) {
  const GroupComm half = named_.build("HALF", whole_, strategy_of(GetParam()));
  Site parent(half.comm(), world().waiter);
  const GroupComm first = named_.build("FIRST", parent, strategy_of(GetParam()));
  EXPECT_EQ(static_cast<bool>(first), world().rank == 0);
}

INSTANTIATE_TEST_SUITE_P(Each, Named,
                         testing::ValuesIn(strategies_that([](const Strategy& strategy) {
                           return strategy.forms == Forms::any && has_a_context(strategy);
                         })),
                         parameter_name);

class NamedOnce : public Named {};

TEST_F(NamedOnce, GroupTellsMembersWithoutACall) {
  EXPECT_THAT(as_list(named_.group("HALF")), ElementsAreArray(half()));
  EXPECT_THAT(as_list(named_.group("NONE")), IsEmpty());
}

TEST_F(NamedOnce, NameThatNobodyDefinedIsNobodys) {
  EXPECT_FALSE(named_.build("NONE", whole_, strategy_of("create_group")));
  EXPECT_FALSE(named_.create("NONE", MPI_COMM_WORLD));
  EXPECT_FALSE(named_.connect("NONE", MPI_COMM_WORLD));
}

TEST_F(NamedOnce, ParentOfAnotherSizeIsRefused) {
  if (world().ranks < 2) GTEST_SKIP() << "all are one";
  Site alone(MPI_COMM_SELF, world().waiter);
  EXPECT_THROW(named_.build("HALF", alone, strategy_of("create_group")), std::invalid_argument);
}

TEST_F(NamedOnce, MakerMakesWhatTheNameDoesAsOftenAsItIsCalled) {
  const NamedMaker half = named_.maker("HALF", strategy_of("create_group"));
  for (int times = 0; times < 3; ++times) {
    EXPECT_THAT(as_list(content(half(whole_))), ElementsAreArray(Named::half()));
  }
  const NamedMaker nobodys = named_.maker("NONE", strategy_of("create_group"));
  EXPECT_FALSE(nobodys(whole_));
}

TEST_F(NamedOnce, IntercommunicatorJoinsBothGroups) {
  const CommHandle bridge = named_.connect("BRIDGE", MPI_COMM_WORLD);
  ASSERT_EQ(static_cast<bool>(bridge), world().ranks > 1);
  if (!bridge) return;
  int inter = 0;
  int remote = 0;
  MPI_Comm_test_inter(bridge.get(), &inter);
  MPI_Comm_remote_size(bridge.get(), &remote);
  EXPECT_EQ(inter, 1);
  EXPECT_EQ(remote, world().ranks - static_cast<int>(half().size()));
}

TEST_F(NamedOnce, RangeIsMadeOfARange) {
  const std::string text =
      fmt::format("communicators: [{{name: A, members: [0-{}]}}]", world().ranks - 1);
  const NamedCommunicators named(Definitions::parse(text, "file"), MPI_COMM_WORLD);
  const GroupComm all = named.build("A", whole_, strategy_of("range"));
  ASSERT_NE(all.as_range(), nullptr);
  EXPECT_EQ(all.rank(), world().rank);
}

/// Returns the processor of this rank: two consecutive ranks share a processor.
std::string own_processor() { return fmt::format("pd-{:02}", world().rank / 2); }

TEST(NamedByProcessor, ProcessesOfAProcessorAreItsMembers) {
  ASSERT_EQ(setenv(NamedCommunicators::processor_variable, own_processor().c_str(), 1), 0);
  NamedCommunicators named(
      Definitions::parse("<comm name='FIRST'><processor>pd-00</processor></comm>"
                         "<comm name='LEADERS'><processor>pd-.*:0</processor></comm>",
                         "file"),
      MPI_COMM_WORLD);
  const CommHandle first = named.create("FIRST", MPI_COMM_WORLD);
  const CommHandle leaders = named.create("LEADERS", MPI_COMM_WORLD);
  EXPECT_EQ(static_cast<bool>(first), world().rank < 2);
  EXPECT_EQ(static_cast<bool>(leaders), world().rank % 2 == 0);
  if (leaders) {
    int size = 0;
    MPI_Comm_size(leaders.get(), &size);
    EXPECT_EQ(size, (world().ranks + 1) / 2);
  }
  ASSERT_EQ(unsetenv(NamedCommunicators::processor_variable), 0);
}

TEST(NamedByProcessor, UnknownOneIsRefusedByEverybody) {
  EXPECT_THAT(
      [] {
        NamedCommunicators(
            Definitions::parse("communicators: [{name: A, members: [nowhere]}]", "file"),
            MPI_COMM_WORLD);
      },
      ThrowsMessage<UserError>(HasSubstr("file:1: no process is on a processor 'nowhere'")));
}

TEST(NamedByProcessor, DifferentFilesAreRefusedByEverybody) {
  if (world().ranks < 2) GTEST_SKIP() << "there is but one";
  const std::string text =
      fmt::format("communicators: [{{name: {}, members: [0]}}]", world().rank == 1 ? "A" : "B");
  EXPECT_THAT([&] { NamedCommunicators(Definitions::parse(text, "file"), MPI_COMM_WORLD); },
              ThrowsMessage<UserError>(HasSubstr("different files")));
}

// Holds also for parent-collective strategies: a late rank delays only its own parent.
TEST(NamedLate, RankHoldsUpOnlyItsOwnParent) {
  if (world().ranks < 4) GTEST_SKIP() << "needs two parents of two";
  const int half = world().ranks / 2;
  const std::string text = fmt::format(
      "communicators:\n"
      "- {{name: HALF, members: [0-{0}], communicators: [{{name: INNER, members: [0-{0}]}}]}}\n"
      "- {{name: HALF, members: [{1}-{2}], communicators: [{{name: INNER, members: "
      "[{1}-{2}]}}]}}\n",
      half - 1, half, 2 * half - 1);
  Site whole(MPI_COMM_WORLD, world().waiter);
  const NamedCommunicators named(Definitions::parse(text, "file"), MPI_COMM_WORLD);
  const GroupComm comm = named.build("HALF", whole, strategy_of("comm_split"));
  const bool odd_one = world().rank == 2 * half;
  std::optional<Site> parent;
  if (!odd_one) parent.emplace(comm.comm(), world().waiter);
  // Rank 0 comes late, after the first rank of the other half reports that it was not delayed.
  constexpr int told = 7;
  if (world().rank == 0) {
    MPI_Request message = MPI_REQUEST_NULL;
    MPI_Irecv(nullptr, 0, MPI_INT, half, told, MPI_COMM_WORLD, &message);
    complete(message);
  }
  if (!odd_one) {
    const GroupComm inner = named.build("INNER", *parent, strategy_of("comm_split"));
    EXPECT_EQ(inner.size(), half);
  }
  if (world().rank == half) MPI_Send(nullptr, 0, MPI_INT, 0, told, MPI_COMM_WORLD);
  barrier();
}

}  // namespace
}  // namespace regroup::named_test
