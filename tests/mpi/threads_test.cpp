// SPDX-License-Identifier: BSD-3-Clause
//
// Four threads of each process form communicators at the same time (MPI_THREAD_MULTIPLE), with
// different tags. This is a separate program because it must request threads when MPI starts.
#include <algorithm>
#include <array>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "tests/mpi/run_tests.hpp"
#include "tests/mpi/strategy_fixture.hpp"

namespace regroup::threads_test {
namespace {

constexpr int threads = 4;

/// Calls `work(thread)` in all threads at once.
template <class Work>
void in_threads(Work work) {
  // The wrapper of MPICH's progress is not aware of threads: it stays on while they run.
  world().waiter.blocking([&] {
    std::array<std::thread, threads> all;
    for (int i = 0; i < threads; ++i) all[static_cast<std::size_t>(i)] = std::thread(work, i);
    for (std::thread& thread : all) thread.join();
  });
}

class FourThreads : public testing::TestWithParam<std::string> {
 protected:
  const Strategy& strategy() const { return *find_entry(strategies(), GetParam()); }

  Members random_members(std::mt19937& random) const {
    std::vector<int> ranks = as_list(everybody());
    if (strategy().forms == Forms::any) std::ranges::shuffle(ranks, random);
    const std::size_t size = 1 + random() % ranks.size();
    ranks.erase(ranks.begin(), ranks.end() - static_cast<std::ptrdiff_t>(size));
    return Members::list(ranks);
  }

  /// Forms random groups, the same on all processes for each thread, and checks each.
  void form_many(Site& parent, int thread) const {
    std::mt19937 random(static_cast<unsigned>(thread));
    const int rounds = world().ranks <= 3 ? 200 : 50;
    for (int round = 0; round < rounds; ++round) {
      const Members members = random_members(random);
      if (!joins(members)) {
        if (strategy().caller == Caller::parent) strategy().make(parent, {}, thread);
        continue;
      }
      const GroupComm comm = strategy().make(parent, members, thread);
      ASSERT_EQ(comm.size(), members.size());
      EXPECT_EQ(comm.rank(), members.index_of(world().rank));
      EXPECT_EQ(content(comm), members);
      const int before = members[(comm.rank() + comm.size() - 1) % comm.size()];
      const int value = 1000 * thread + world().rank;
      EXPECT_EQ(pass_round(comm, value, threads + thread), 1000 * thread + before);
    }
  }
};

/// Strategies that several threads may use at once on one communicator, with different tags.
class FourThreadsOfOneParent : public FourThreads {};

TEST_P(FourThreadsOfOneParent, FormTheirGroupsAtTheSameTime) {
  std::vector<std::unique_ptr<Site>> parents;
  for (int i = 0; i < threads; ++i) {
    parents.push_back(std::make_unique<Site>(MPI_COMM_WORLD, world().waiter));
  }
  in_threads([&](int thread) { form_many(*parents[static_cast<std::size_t>(thread)], thread); });
  for (const auto& parent : parents) EXPECT_EQ(parent->communicators().alive, 0);
}

/// All other strategies; each thread has its own communicator and Site.
class FourThreadsWithAParentEach : public FourThreads {};

TEST_P(FourThreadsWithAParentEach, FormTheirGroupsAtTheSameTime) {
  CommunicatorCount count;
  std::vector<CommHandle> comms;
  std::vector<std::unique_ptr<Site>> parents;
  for (int i = 0; i < threads; ++i) {
    MPI_Comm comm = MPI_COMM_NULL;
    world().waiter.blocking([&] { MPI_Comm_dup(MPI_COMM_WORLD, &comm); });
    comms.emplace_back(comm, count);
    parents.push_back(std::make_unique<Site>(comm, world().waiter));
  }
  in_threads([&](int thread) { form_many(*parents[static_cast<std::size_t>(thread)], thread); });
  for (const auto& parent : parents) EXPECT_EQ(parent->communicators().alive, 0);
}

INSTANTIATE_TEST_SUITE_P(Strategies, FourThreadsOfOneParent,
                         testing::ValuesIn(strategies_that([](auto& strategy) {
                           return strategy.name == "create_group" ||
                                  strategy.name == "create_from_group";
                         })),
                         parameter_name);

// Excludes intercomm_merge, since only one thread at a time may copy MPI_COMM_SELF, and
// intercomm_create_from_groups and multicommunicator, since MPICH 4.0 confuses the messages of
// different threads.
INSTANTIATE_TEST_SUITE_P(Strategies, FourThreadsWithAParentEach,
                         testing::ValuesIn(strategies_that([](auto& strategy) {
                           return strategy.serves_balancers() &&
                                  strategy.name != "intercomm_merge" &&
                                  strategy.name != "multicommunicator" &&
                                  strategy.name != "intercomm_create_from_groups";
                         })),
                         parameter_name);

}  // namespace
}  // namespace regroup::threads_test

int main(int argc, char** argv) {
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  testing::InitGoogleTest(&argc, argv);
  constexpr int unsupported = 77;
  int result = unsupported;
  if (provided == MPI_THREAD_MULTIPLE) {
    result = regroup::run_tests();
  } else {
    fmt::print(stderr, "unsupported: the MPI library provides no MPI_THREAD_MULTIPLE\n");
  }
  MPI_Finalize();
  return result;
}
