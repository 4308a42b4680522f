// SPDX-License-Identifier: BSD-3-Clause
#include "regroup/pool.hpp"

#include <gmock/gmock.h>

#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "regroup/team_communicator.hpp"
#include "tests/mpi/fixtures.hpp"
#include "tests/mpi/world.hpp"

namespace regroup::mpi_pool_test {
namespace {

using testing::HasSubstr;

template <class Number>
State state_of(Number number) {
  State state;
  Packer(state).put(number);
  return state;
}

template <class Number>
Number number_in(std::span<const std::byte> state) {
  return Unpacker(state).take<Number>();
}

std::vector<State> numbers(int count) {
  std::vector<State> all;
  for (int i = 0; i < count; ++i) all.push_back(state_of(i));
  return all;
}

/// Calls `use` on rank 0, with a pool that the other ranks serve.
void with_pool(Pool::Function function, int group_size, const std::function<void(Pool&)>& use) {
  Pool pool(MPI_COMM_WORLD, std::move(function), {group_size, crowded_waiting()});
  if (!pool.is_master()) return pool.serve();
  use(pool);
  pool.close();
}

/// Returns the square of a number; the members compute it together.
State square(std::span<const std::byte> task, Team& team) {
  const int number = number_in<int>(task);
  std::int64_t sum = 0;
  for (int i = team.rank(); i < number; i += team.size()) sum += number;
  return state_of(team.sum(sum));
}

void expect_squares(Pool& pool, int count) {
  const std::vector<State> results = pool.map(numbers(count));
  ASSERT_EQ(results.size(), static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    EXPECT_EQ(number_in<std::int64_t>(results[static_cast<std::size_t>(i)]), i * i);
  }
}

TEST(Pool, GivesResultsInTheOrderOfTheTasks) {
  for (int group_size = 1; group_size <= world().ranks; group_size += group_size) {
    with_pool(square, group_size, [](Pool& pool) {
      for (const int count : {32, 1, 0, 2, 33, 33, 33}) expect_squares(pool, count);
      EXPECT_EQ(pool.last_round().tasks, 33u);
    });
  }
}

TEST(Pool, ExecutesATaskOnAllMembersOfItsGroup) {
  const int ranks = world().ranks;
  for (int group_size = 1; group_size <= ranks; ++group_size) {
    with_pool([](std::span<const std::byte>, Team& team) { return state_of(team.sum(1)); },
              group_size,
              [&](Pool& pool) {
                for (const State& result : pool.map(numbers(20))) {
                  const auto members = number_in<std::int64_t>(result);
                  EXPECT_TRUE(members == group_size || members == ranks % group_size) << members;
                }
              });
  }
}

TEST(Pool, ExecutesFewTasksInWideGroups) {
  with_pool([](std::span<const std::byte>, Team& team) { return state_of(team.sum(1)); }, 1,
            [&](Pool& pool) {
              const std::vector<State> results = pool.map(numbers(1));
              EXPECT_EQ(number_in<std::int64_t>(results[0]), pool.size());
              EXPECT_EQ(pool.last_round().wide, pool.size() > 1 ? 1u : 0u);
            });
}

TEST(Pool, TakesTasksAndResultsOfAnySize) {
  const auto doubled = [](std::span<const std::byte> task, Team&) {
    State twice(task.begin(), task.end());
    twice.insert(twice.end(), task.begin(), task.end());
    return twice;
  };
  with_pool(doubled, 1, [](Pool& pool) {
    for (const std::size_t bytes : {0, 1, 4000, 4100, 1'000'000}) {
      const std::vector<State> tasks(5, State(bytes, std::byte{7}));
      const std::vector<State> results = pool.map(tasks);
      for (const State& result : results) EXPECT_EQ(result, State(2 * bytes, std::byte{7}));
    }
  });
}

TEST(Pool, SharesDataWithAllRanks) {
  Pool* own = nullptr;
  const auto shared = [&](std::span<const std::byte>, Team& team) {
    return state_of(team.sum(number_in<int>(own->shared())) + 1000 * own->times_shared());
  };
  Pool pool(MPI_COMM_WORLD, shared, {1, crowded_waiting()});
  own = &pool;
  if (!pool.is_master()) return pool.serve();
  for (const int number : {5, 6}) {
    pool.share(state_of(number));
    const State result = pool.map(numbers(1)).front();
    EXPECT_EQ(number_in<std::int64_t>(result), number * pool.size() + 1000 * (number - 4));
  }
}

/// Returns the message of the exception that map() throws.
std::string failure(Pool& pool, int tasks) {
  try {
    pool.map(numbers(tasks));
  } catch (const Pool::TaskFailed& error) {
    return error.what();
  }
  return "";
}

TEST(Pool, NamesATaskThatThrowsAndGoesOn) {
  const auto throwing = [](std::span<const std::byte> task, Team& team) {
    const int number = number_in<int>(task);
    if (number == 11 || number == 3) throw std::runtime_error("no such " + std::to_string(number));
    return square(task, team);
  };
  with_pool(throwing, 1, [](Pool& pool) {
    for (int round = 0; round < 3; ++round) {
      EXPECT_EQ(failure(pool, 20), "task 3: no such 3");
      expect_squares(pool, 3);
    }
  });
}

TEST(Pool, FailsATaskThatThrowsOnOneMember) {
  const auto throwing = [](std::span<const std::byte> task, Team& team) {
    if (number_in<int>(task) == 1 && team.rank() == team.size() - 1) {
      throw std::runtime_error("of the last member");
    }
    return square(task, team);
  };
  with_pool(throwing, world().ranks, [](Pool& pool) {
    for (int round = 0; round < 3; ++round) {
      EXPECT_EQ(failure(pool, 3), "task 1: of the last member");
    }
    EXPECT_EQ(failure(pool, 1), "");
  });
}

TEST(Pool, FailsATaskWhoseMembersReturnAtDifferentOperations) {
  if (world().ranks == 1) return;
  const auto uneven = [](std::span<const std::byte> task, Team& team) {
    if (number_in<int>(task) == 0 && team.rank() == 0) return State();
    return square(task, team);
  };
  with_pool(uneven, world().ranks, [](Pool& pool) {
    EXPECT_THAT(failure(pool, 2), HasSubstr("did not call the same operations"));
    EXPECT_EQ(failure(pool, 0), "");
  });
}

TEST(Pool, GivesGroupsAnMpiCommunicator) {
  const auto size = [](std::span<const std::byte>, Team& team) {
    int members = 0;
    MPI_Comm_size(communicator(team), &members);
    return state_of(members - team.size());
  };
  with_pool(size, 1, [](Pool& pool) {
    for (const int tasks : {1, 20, 1, 20}) {
      for (const State& result : pool.map(numbers(tasks))) EXPECT_EQ(number_in<int>(result), 0);
    }
  });
}

/// Sleeps for the given number of microseconds, divided by the number of members.
State nap(std::span<const std::byte> task, Team& team) {
  std::this_thread::sleep_for(std::chrono::microseconds(number_in<int>(task) / team.size()));
  return {};
}

TEST(Pool, LearnsThatTasksGainByMoreRanks) {
  if (world().ranks == 1) return;
  with_pool(nap, 1, [](Pool& pool) {
    std::vector<State> tasks(static_cast<std::size_t>(2 * pool.size()), state_of(10'000));
    tasks.push_back(state_of(100'000));
    std::size_t wide = 0;
    for (int round = 0; round < 6; ++round) {
      pool.map(tasks);
      wide = pool.last_round().wide;
    }
    EXPECT_GE(wide, 1u);
    EXPECT_GT(pool.last_round().expected_s, 0);
  });
}

TEST(Pool, RefusesRoundsWithinTasks) {
  Pool* own = nullptr;
  const auto nested = [&](std::span<const std::byte>, Team& team) {
    if (team.rank() == 0 && own->is_master()) own->map({});
    return State();
  };
  Pool pool(MPI_COMM_WORLD, nested, {1, crowded_waiting()});
  own = &pool;
  if (!pool.is_master()) return pool.serve();
  EXPECT_THAT(failure(pool, 1), HasSubstr("within a task"));
}

TEST(Pool, RefusesWhatItCannotDo) {
  EXPECT_THROW(Pool(MPI_COMM_WORLD, square, {1, "Direct"}), std::invalid_argument);
  for (const int group_size : {0, -1, world().ranks + 1}) {
    EXPECT_THROW(Pool(MPI_COMM_WORLD, square, {group_size, crowded_waiting()}),
                 std::invalid_argument);
  }
  Pool pool(MPI_COMM_WORLD, square, {1, crowded_waiting()});
  if (!pool.is_master()) {
    EXPECT_THROW(pool.map({}), std::logic_error);
    return pool.serve();
  }
  EXPECT_THROW(pool.serve(), std::logic_error);
  EXPECT_THROW(pool.map(numbers(3), std::vector<double>{1, 2}), std::invalid_argument);
  EXPECT_THROW(pool.map(numbers(2), std::vector<double>{1, -2}), std::invalid_argument);
  EXPECT_EQ(pool.map(numbers(2), std::vector<double>{1, 2}).size(), 2u);
  pool.close();
  pool.close();
  EXPECT_THROW(pool.map(numbers(1)), std::logic_error);
}

}  // namespace
}  // namespace regroup::mpi_pool_test
