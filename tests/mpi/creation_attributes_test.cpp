// SPDX-License-Identifier: BSD-3-Clause
//
// Attributes and hints of a new communicator (MPI 4.1, "Communicator Constructors"): only copies
// inherit attributes from their parent; a copy has the hints that it is given. Nonblocking copies
// do not block other messages.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <optional>
#include <string>

#include "communicators/constructors.hpp"
#include "tests/mpi/strategy_fixture.hpp"

namespace regroup::creation_attributes_test {
namespace {

struct Callbacks {
  int copies = 0;
  int deletions = 0;
};

int copy(MPI_Comm, int, void* callbacks, void* value, void* new_value, int* copied) {
  ++static_cast<Callbacks*>(callbacks)->copies;
  *static_cast<void**>(new_value) = value;
  *copied = 1;
  return MPI_SUCCESS;
}

int forget(MPI_Comm, int, void*, void* callbacks) {
  ++static_cast<Callbacks*>(callbacks)->deletions;
  return MPI_SUCCESS;
}

/// Sets two attributes: one that is copied with the communicator, and one that is not.
class EveryAttribute : public StrategyTest {
 protected:
  EveryAttribute() {
    MPI_Comm_create_keyval(copy, forget, &copied_, &calls_);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &kept_, &calls_);
    MPI_Comm_set_attr(MPI_COMM_WORLD, copied_, &calls_);
    MPI_Comm_set_attr(MPI_COMM_WORLD, kept_, &calls_);
  }
  ~EveryAttribute() override {
    MPI_Comm_delete_attr(MPI_COMM_WORLD, copied_);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, kept_);
    MPI_Comm_free_keyval(&copied_);
    MPI_Comm_free_keyval(&kept_);
  }

  static bool has(MPI_Comm comm, int key, const void* expected) {
    void* value = nullptr;
    int found = 0;
    MPI_Comm_get_attr(comm, key, &value, &found);
    EXPECT_TRUE(found == 0 || value == expected);
    return found != 0;
  }

  Callbacks calls_;
  int copied_ = MPI_KEYVAL_INVALID;
  int kept_ = MPI_KEYVAL_INVALID;
};

TEST_P(EveryAttribute, IsCopiedByCopiesOnlyAndAsItsKeySays) {
  if (calls_create_group_of_open_mpi()) GTEST_SKIP() << "Open MPI 4.1 copies them all the same";
  const bool copies = strategy().forms == Forms::whole;
  {
    const GroupComm comm = make_one(everybody());
    if (!comm) GTEST_SKIP() << "the machine has no such part";
    EXPECT_EQ(has(comm.comm(), copied_, &calls_), copies);
    EXPECT_FALSE(has(comm.comm(), kept_, &calls_));
    EXPECT_EQ(calls_.copies, copies ? 1 : 0);
    EXPECT_EQ(calls_.deletions, 0);
  }
  EXPECT_EQ(calls_.deletions, copies ? 1 : 0);
}

TEST_P(EveryAttribute, OfTheCallerItselfIsNotThatOfAGroupOfOne) {
  if (strategy().forms != Forms::any) return;
  if (calls_create_group_of_open_mpi()) GTEST_SKIP() << "Open MPI 4.1 copies them all the same";
  MPI_Comm_set_attr(MPI_COMM_SELF, copied_, &calls_);
  {
    const GroupComm comm = make_one(Members::range(world().rank, 1));
    EXPECT_EQ(comm.size(), 1);
    EXPECT_FALSE(has(comm.comm(), copied_, &calls_));
    EXPECT_EQ(calls_.copies, 0);
  }
  MPI_Comm_delete_attr(MPI_COMM_SELF, copied_);
}

INSTANTIATE_TEST_SUITE_P(Strategies, EveryAttribute,
                         testing::ValuesIn(strategies_that([](auto& strategy) {
                           return !strategy.local();
                         })),
                         parameter_name);

/// A hint defined by MPI 4, which libraries may keep.
constexpr const char* hint = "mpi_assert_no_any_tag";

std::optional<std::string> hint_of(MPI_Comm comm, const char* key = hint) {
  MPI_Info info = MPI_INFO_NULL;
  MPI_Comm_get_info(comm, &info);
  std::array<char, 16> value{};
  int found = 0;
  MPI_Info_get(info, key, static_cast<int>(value.size()) - 1, value.data(), &found);
  MPI_Info_free(&info);
  if (found == 0) return std::nullopt;
  return std::string(value.data());
}

class Hints {
 public:
  explicit Hints(const char* value) {
    MPI_Info_create(&info_);
    MPI_Info_set(info_, hint, value);
  }
  Hints(const Hints&) = delete;
  Hints& operator=(const Hints&) = delete;
  ~Hints() { MPI_Info_free(&info_); }
  MPI_Info get() const { return info_; }

 private:
  MPI_Info info_ = MPI_INFO_NULL;
};

/// A communicator of all ranks, to which the tests give a hint.
class Copies : public MadeByMpi {
 protected:
  CommHandle parent_ = made([](MPI_Comm* comm) { MPI_Comm_dup(MPI_COMM_WORLD, comm); });
};

TEST_F(Copies, HaveTheHintsThatTheyAreGiven) {
  const std::optional<std::string> otherwise = hint_of(parent_.get());
  const Hints yes("true");
  const Hints no("false");
  MPI_Comm_set_info(parent_.get(), yes.get());
  // MPI_Comm_dup is not tested: it copies hints until MPI 3.1, but not since MPI 4.0.
  if (hint_of(parent_.get()) != "true") GTEST_SKIP() << "the MPI library keeps no such hint";
  const CommHandle other =
      made([&](MPI_Comm* comm) { MPI_Comm_dup_with_info(parent_.get(), no.get(), comm); });
  EXPECT_EQ(hint_of(other.get()), "false");
  const CommHandle given =
      made([&](MPI_Comm* comm) { MPI_Comm_dup_with_info(MPI_COMM_WORLD, yes.get(), comm); });
  EXPECT_EQ(hint_of(given.get()), "true");
  const CommHandle none =
      made([&](MPI_Comm* comm) { MPI_Comm_dup_with_info(parent_.get(), MPI_INFO_NULL, comm); });
  EXPECT_EQ(hint_of(none.get()), otherwise);
  const CommHandle part =
      made([&](MPI_Comm* comm) { MPI_Comm_split(parent_.get(), 0, world().rank, comm); });
  EXPECT_EQ(hint_of(part.get()), otherwise);
}

/// Strategies that give hints to their copies.
class EveryHint : public StrategyTest {};

TEST_P(EveryHint, ArrivesWhereTheLibraryKeepsIt) {
  CommunicatorCount count;
  const CommHandle bare = made(count, [](MPI_Comm* comm) { MPI_Comm_dup(MPI_COMM_WORLD, comm); });
  const std::map<std::string, std::string> hints{{"mpi_assert_no_any_tag", "true"},
                                                 {"mpi_assert_no_any_source", "true"},
                                                 {"mpi_assert_exact_length", "true"},
                                                 {"mpi_assert_allow_overtaking", "false"}};
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  for (const auto& [key, value] : hints) MPI_Info_set(info, key.c_str(), value.c_str());
  MPI_Comm_set_info(bare.get(), info);
  MPI_Info_free(&info);
  const GroupComm copy = make_one(everybody());
  int kept = 0;
  for (const auto& [key, value] : hints) {
    SCOPED_TRACE(key);
    if (hint_of(bare.get(), key.c_str()) != value) continue;
    ++kept;
    EXPECT_EQ(hint_of(copy.comm(), key.c_str()), value);
  }
  if (kept == 0) GTEST_SKIP() << "the MPI library keeps no such hints";
}

INSTANTIATE_TEST_SUITE_P(Strategies, EveryHint,
                         testing::ValuesIn(strategies_that([](auto& strategy) {
                           return strategy.name.ends_with("_with_info");
                         })),
                         parameter_name);

class NonblockingCopies : public Copies {
 protected:
  void SetUp() override {
    if (!available("idup")) GTEST_SKIP() << "the MPI library has none";
  }
  const int next = (world().rank + 1) % world().ranks;
  const int before = (world().rank + world().ranks - 1) % world().ranks;

  int pass_on_parent(int value) {
    int came = -1;
    const MPI_Request received = receive_from(before, came, 4, parent_.get());
    complete(send_to(next, value, 4, parent_.get()));
    complete(received);
    return came;
  }

  void expect_copy(const CommHandle& copy) {
    int alike = MPI_UNEQUAL;
    MPI_Comm_compare(parent_.get(), copy.get(), &alike);
    EXPECT_EQ(alike, MPI_CONGRUENT);
    int sum = -1;
    const int one = 1;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, copy.get(), &request);
    complete(request);
    EXPECT_EQ(sum, world().ranks);
  }
};

TEST_F(NonblockingCopies, LetMessagesOfTheParentAndOtherCollectivesGoOn) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Comm_idup(parent_.get(), &comm, &request);
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(pass_on_parent(100 * i + world().rank), 100 * i + before);
    barrier();
  }
  complete(request);
  expect_copy(CommHandle(comm, count_));
}

TEST_F(NonblockingCopies, LetCollectivesOfTheParentGoOn) {
  if (mpi_is_open_mpi) GTEST_SKIP() << "Open MPI 4.1 mistakes its own messages for those of others";
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Comm_idup(parent_.get(), &comm, &request);
  for (int i = 0; i < 20; ++i) barrier(parent_.get());
  complete(request);
  expect_copy(CommHandle(comm, count_));
}

TEST_F(NonblockingCopies, WaitForOneThatHasYetToReceiveAMessage) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Request request = MPI_REQUEST_NULL;
  int came = -1;
  if (world().rank == 0 && world().ranks > 1) {
    complete(receive_from(world().ranks - 1, came, 4, parent_.get()));
    EXPECT_EQ(came, world().ranks - 1);
  }
  MPI_Comm_idup(parent_.get(), &comm, &request);
  if (world().rank == world().ranks - 1 && world().ranks > 1) {
    complete(send_to(0, world().rank, 4, parent_.get()));
  }
  complete(request);
  expect_copy(CommHandle(comm, count_));
}

TEST_F(NonblockingCopies, MayBeUnderWayTogetherAndAreCommunicatorsApart) {
  constexpr int number = 8;
  std::array<MPI_Comm, number> comms{};
  std::array<MPI_Request, number> requests{};
  for (std::size_t i = 0; i < number; ++i) {
    MPI_Comm_idup(parent_.get(), &comms[i], &requests[i]);
  }
  EXPECT_EQ(pass_on_parent(world().rank), before);
  // Half of the ranks complete the requests in reverse order.
  for (std::size_t i = 0; i < number; ++i) {
    complete(requests[world().rank % 2 == 0 ? i : number - 1 - i]);
  }
  std::array<int, number> came{};
  std::array<MPI_Request, 2 * number> messages{};
  std::array<int, number> values{};
  for (std::size_t i = 0; i < number; ++i) {
    values[i] = static_cast<int>(i);
    messages[i] = send_to(next, values[i], 4, comms[i]);
  }
  for (std::size_t i = number; i-- > 0;) {
    messages[number + i] = receive_from(before, came[i], 4, comms[i]);
  }
  for (const MPI_Request message : messages) complete(message);
  EXPECT_EQ(came, values);
  for (const MPI_Comm comm : comms) expect_copy(CommHandle(comm, count_));
}

TEST_F(NonblockingCopies, TakeOverAttributesAsTheyWereAtTheStart) {
  Callbacks calls;
  Callbacks later;
  int key = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(copy, forget, &key, &calls);
  MPI_Comm_set_attr(parent_.get(), key, &calls);
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Comm_idup(parent_.get(), &comm, &request);
  MPI_Comm_set_attr(parent_.get(), key, &later);
  complete(request);
  void* value = nullptr;
  int found = 0;
  MPI_Comm_get_attr(comm, key, &value, &found);
  EXPECT_TRUE(found != 0 && value == &calls);
  expect_copy(CommHandle(comm, count_));
  MPI_Comm_delete_attr(parent_.get(), key);
  MPI_Comm_free_keyval(&key);
}

}  // namespace
}  // namespace regroup::creation_attributes_test
