// SPDX-License-Identifier: BSD-3-Clause
//
// Whether communicators that come and go leave room for more. MPI libraries number communicators,
// from a small set (MPICH: 2,048 for each process), and all members must agree on a number that is
// free on each of them: where many groups overlap, numbers are left that are free on each process,
// but on no two the same.
//
//   limit    communicators are made until that fails: of every process alone, and of all together
//   storm    time and again one of `slots` groups is dissolved, and random neighbours form another
//   count    with the groups of the storm's end still there, the same as at first
//   leak     … and with all of them freed
#include "kernel/mpi/measurement/creation/storm.hpp"

#include <algorithm>

#include "kernel/mpi/stage/tags.hpp"
#include "kernel/numbers/random.hpp"

namespace regroup {
namespace {

constexpr int most_counted = 4096;  // Open MPI has 65,532: nobody need wait for the end of them
constexpr int slots = 256;          // groups that are alive at a time
constexpr std::uint64_t storm_seed = 1;

/// Has errors on `comm` returned, while it lives.
class ReturnedErrors {
 public:
  explicit ReturnedErrors(MPI_Comm comm) : comm_(comm) {
    MPI_Comm_get_errhandler(comm, &before_);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  }
  ReturnedErrors(const ReturnedErrors&) = delete;
  ReturnedErrors& operator=(const ReturnedErrors&) = delete;
  ~ReturnedErrors() {
    MPI_Comm_set_errhandler(comm_, before_);
    MPI_Errhandler_free(&before_);
  }

 private:
  MPI_Comm comm_;
  MPI_Errhandler before_ = MPI_ERRHANDLER_NULL;
};

class Storm {
 public:
  Storm(const Subject& subject, Site& world)
      : world_(world), strategy_(subject.strategy), make_(subject.make), groups_(slots) {}

  std::map<std::string, double> run(int regroupings) {
    std::map<std::string, double> figures;
    figures["communicators_limit_local"] = room_of_each();
    const int limit = room_of_all();
    figures["communicators_limit_common"] = limit;
    world_.waiter().blocking([&] {
      for (int time = 0; time < regroupings; ++time) regroup(static_cast<std::uint64_t>(time));
    });
    const int alive = reduced(world_.communicators().alive, MPI_MAX);
    figures["storm_alive"] = alive;
    figures["storm_limit_local"] = room_of_each();
    const int room = room_of_all();
    figures["storm_limit_common"] = room;
    // Of an MPI library with more of them than are counted, nothing is known.
    if (limit < most_counted) figures["storm_lost"] = limit - alive - room;
    world_.waiter().blocking([&] {
      for (GroupComm& group : groups_) group = {};
    });
    figures["storm_leaked"] = limit - room_of_all();
    return figures;
  }

 private:
  int reduced(int value, MPI_Op op) const {
    world_.waiter().blocking(
        [&] { MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, op, world_.comm()); });
    return value;
  }

  /// How many more copies of `comm` can be alive, as this process sees it.
  static int room(MPI_Comm comm) {
    const ReturnedErrors returned(comm);
    CommunicatorCount count;
    std::vector<CommHandle> made;
    while (count.alive < most_counted) {
      MPI_Comm copy = MPI_COMM_NULL;
      if (MPI_Comm_dup(comm, &copy) != MPI_SUCCESS || copy == MPI_COMM_NULL) break;
      made.emplace_back(copy, count);
    }
    return count.alive_max;
  }

  int room_of_each() const { return reduced(room(MPI_COMM_SELF), MPI_MIN); }
  int room_of_all() const {
    int most = 0;
    world_.waiter().blocking([&] { most = room(world_.comm()); });
    return reduced(most, MPI_MIN);
  }

  /// All ranks draw the same, so those that meet do so in the same order.
  void regroup(std::uint64_t time) {
    const auto draw = [&](std::uint64_t count, int below) {
      const std::uint64_t bits = random_bits(storm_seed, Purpose::subset, time, count);
      return static_cast<int>(bits % static_cast<std::uint64_t>(below));
    };
    GroupComm& group = groups_[static_cast<std::size_t>(draw(0, slots))];
    group = {};
    const bool any = strategy_.serves_balancers();
    const int one = any ? draw(1, world_.size()) : 0;
    const int other = any ? draw(2, world_.size()) : world_.size() - 1;
    const Members members(RankRange{std::min(one, other), std::max(one, other)});
    if (members.place_of(world_.rank()) >= 0) {
      group = make_(world_, members, tag_communicator);
    } else if (strategy_.caller == Caller::parent) {
      group = make_(world_, {}, tag_communicator);
    }
  }

  Site& world_;
  const Strategy strategy_;
  MakeCommunicator make_;
  std::vector<GroupComm> groups_;
};

}  // namespace

std::map<std::string, double> measure_storm(const Subject& subject, Site& world, int regroupings) {
  return Storm(subject, world).run(regroupings);
}

}  // namespace regroup
