// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "regroup/communicator.hpp"
#include "regroup/options.hpp"
#include "regroup/strategy.hpp"
#include "tests/mpi/world.hpp"

namespace regroup {

#ifdef OPEN_MPI
inline constexpr bool mpi_is_open_mpi = true;
#else
inline constexpr bool mpi_is_open_mpi = false;
#endif

/// Whether the MPI library has the calls of the strategy.
inline bool available(std::string_view strategy) {
  return find_entry(strategies(), strategy)->make != nullptr;
}

/// The names of the strategies that fit, of those whose calls the MPI library has.
inline std::vector<std::string> strategies_that(const std::function<bool(const Strategy&)>& fit) {
  std::vector<std::string> names;
  for (const Strategy& strategy : strategies()) {
    if (available(strategy.name) && fit(strategy)) names.emplace_back(strategy.name);
  }
  return names;
}

/// Forms the groups it is asked for, as communicators of MPI with contexts of their own.
inline bool has_a_context(const Strategy& strategy) {
  return strategy.serves_balancers() && !strategy.local();
}

inline const auto parameter_name = [](const auto& test) { return test.param; };

/// What `make(MPI_Comm* out)` makes.
template <class Make>
CommHandle made(CommunicatorCount& count, Make make) {
  MPI_Comm comm = MPI_COMM_NULL;
  world().waiter.blocking([&] { make(&comm); });
  return CommHandle(comm, count);
}

/// Communicators that the MPI library makes.
class MadeByMpi : public testing::Test {
 protected:
  template <class Make>
  CommHandle made(Make make) {
    return regroup::made(count_, make);
  }

  CommunicatorCount count_;
};

inline std::vector<int> as_list(const Members& members) {
  std::vector<int> ranks;
  for (int place = 0; place < members.size(); ++place) ranks.push_back(members[place]);
  return ranks;
}

inline Members everybody() { return Members::range(0, world().ranks); }

/// The `size` neighbours among whom the caller is, where the world is cut into such groups.
inline Members neighbours(int size) {
  const int first = world().rank / size * size;
  return Members::range(first, std::min(size, world().ranks - first));
}

inline bool joins(const Members& members) { return members.index_of(world().rank) >= 0; }

/// The ranks of the world that `comm` really holds, in its order.
inline Members content(const GroupComm& comm) {
  MPI_Group all = MPI_GROUP_NULL;
  MPI_Group own = MPI_GROUP_NULL;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Comm_group(comm.comm(), &own);
  const GroupHandle all_owner(all);
  const GroupHandle own_owner(own);
  std::vector<int> places;
  for (int member = 0; member < comm.size(); ++member) places.push_back(comm.translate(member));
  std::vector<int> ranks(places.size());
  MPI_Group_translate_ranks(own, comm.size(), places.data(), all, ranks.data());
  return Members::list(ranks);
}

/// Sends `value` from each member of `comm` to the next; answers what came from the one before.
inline int pass_round(const GroupComm& comm, int value, int tag) {
  const int next = comm.translate((comm.rank() + 1) % comm.size());
  const int before = comm.translate((comm.rank() + comm.size() - 1) % comm.size());
  int came = -1;
  const MPI_Request received = receive_from(before, came, tag, comm.comm());
  complete(send_to(next, value, tag, comm.comm()));
  complete(received);
  return came;
}

/// A strategy, and a parent of its own to count what it leaves alive.
class StrategyTest : public testing::TestWithParam<std::string> {
 protected:
  static constexpr int tag = 11;

  const Strategy& strategy() const { return *find_entry(strategies(), GetParam()); }
  bool parent_collective() const { return strategy().caller == Caller::parent; }
  bool forms(const Members& members) const {
    return strategy().forms == Forms::any || members.is_range();
  }
  /// Open MPI 4.1 forms it with messages on the parent that have the creation's tag, which the
  /// user's messages meet, and copies attributes; MPI says otherwise.
  bool calls_create_group_of_open_mpi() const {
    return mpi_is_open_mpi && (GetParam() == "create_group" || GetParam() == "multicommunicator");
  }
  /// MPI_Intercomm_create's leaders talk on the parent with the creation's tag: MPI says so.
  bool leaders_talk_on_parent() const {
    return GetParam() == "intercomm_merge" || GetParam() == "multicommunicator";
  }
  const CommunicatorCount& count() { return parent_.communicators(); }

  GroupComm make_one(const Members& members) {
    GroupComm comm;
    world().waiter.blocking([&] { comm = strategy().make(parent_, members, tag); });
    return comm;
  }

  /// Makes the communicator of `members`; called by all ranks, it passes on the call to those that
  /// must enter it.
  GroupComm form(const Members& members) {
    if (joins(members)) return make_one(members);
    return parent_collective() ? make_one({}) : GroupComm();
  }

  /// Exactly `members` are in `comm`, in their order, and a message goes round.
  void expect_is(const GroupComm& comm, const Members& members, bool with_message = true) {
    EXPECT_EQ(static_cast<bool>(comm), joins(members));
    if (!comm) return;
    EXPECT_EQ(comm.size(), members.size());
    EXPECT_EQ(comm.rank(), members.index_of(world().rank));
    if (!with_message) return;
    EXPECT_EQ(content(comm), members);
    const int before = (comm.rank() + comm.size() - 1) % comm.size();
    EXPECT_EQ(pass_round(comm, world().rank, tag), members[before]);
  }

  GroupComm expect_formed(const Members& members) {
    GroupComm comm = form(members);
    expect_is(comm, members);
    return comm;
  }

  Site parent_{MPI_COMM_WORLD, world().waiter};
};

}  // namespace regroup
