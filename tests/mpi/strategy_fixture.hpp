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

/// Returns whether the MPI library has the functions that the strategy calls.
inline bool available(std::string_view strategy) {
  return find_entry(strategies(), strategy)->make != nullptr;
}

/// Returns the names of the available strategies for which `fit` holds.
inline std::vector<std::string> strategies_that(const std::function<bool(const Strategy&)>& fit) {
  std::vector<std::string> names;
  for (const Strategy& strategy : strategies()) {
    if (available(strategy.name) && fit(strategy)) names.emplace_back(strategy.name);
  }
  return names;
}

/// Returns whether the strategy forms requested groups as MPI communicators with own contexts.
inline bool has_a_context(const Strategy& strategy) {
  return strategy.serves_balancers() && !strategy.local();
}

inline const auto parameter_name = [](const auto& test) { return test.param; };

/// Returns the communicator that `make(MPI_Comm* out)` creates.
template <class Make>
CommHandle made(CommunicatorCount& count, Make make) {
  MPI_Comm comm = MPI_COMM_NULL;
  world().waiter.blocking([&] { make(&comm); });
  return CommHandle(comm, count);
}

/// Communicators created by the MPI library.
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

/// Returns the caller's group if the world is divided into groups of `size` consecutive ranks.
inline Members neighbours(int size) {
  const int first = world().rank / size * size;
  return Members::range(first, std::min(size, world().ranks - first));
}

inline bool joins(const Members& members) { return members.index_of(world().rank) >= 0; }

/// Returns the ranks of the world in `comm`, as MPI reports them, in the order of `comm`.
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

/// Sends `value` to the next member of `comm`; returns the value from the previous member.
inline int pass_round(const GroupComm& comm, int value, int tag) {
  const int next = comm.translate((comm.rank() + 1) % comm.size());
  const int before = comm.translate((comm.rank() + comm.size() - 1) % comm.size());
  int came = -1;
  const MPI_Request received = receive_from(before, came, tag, comm.comm());
  complete(send_to(next, value, tag, comm.comm()));
  complete(received);
  return came;
}

/// A strategy and its own parent, which counts the communicators that are left alive.
class StrategyTest : public testing::TestWithParam<std::string> {
 protected:
  static constexpr int tag = 11;

  const Strategy& strategy() const { return *find_entry(strategies(), GetParam()); }
  bool parent_collective() const { return strategy().caller == Caller::parent; }
  bool forms(const Members& members) const {
    return strategy().forms == Forms::any || members.is_range();
  }
  /// Open MPI 4.1 creates it with messages on the parent that have the creation's tag and may match
  /// receives of the user, and copies attributes; the MPI standard forbids both.
  bool calls_create_group_of_open_mpi() const {
    return mpi_is_open_mpi && (GetParam() == "create_group" || GetParam() == "multicommunicator");
  }
  /// The leaders in MPI_Intercomm_create use the parent and the creation's tag, as MPI specifies.
  bool leaders_talk_on_parent() const {
    return GetParam() == "intercomm_merge" || GetParam() == "multicommunicator";
  }
  const CommunicatorCount& count() { return parent_.communicators(); }

  GroupComm make_one(const Members& members) {
    GroupComm comm;
    world().waiter.blocking([&] { comm = strategy().make(parent_, members, tag); });
    return comm;
  }

  /// Creates the communicator of `members`. All ranks call it; only ranks that must take part call
  /// the strategy.
  GroupComm form(const Members& members) {
    if (joins(members)) return make_one(members);
    return parent_collective() ? make_one({}) : GroupComm();
  }

  /// Checks that `comm` has exactly `members`, in their order, and passes a message round.
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
