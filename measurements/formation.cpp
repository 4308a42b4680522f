// SPDX-License-Identifier: BSD-3-Clause
#include "measurements/formation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "engines/mpi/shared_clock.hpp"
#include "engines/mpi/tags.hpp"
#include "kernel/clocks/sleep.hpp"
#include "measurements/bench.hpp"
#include "regroup/numbers.hpp"

namespace regroup {

Formation::Formation(const Subject& subject, Site& world)
    : world_(world), strategy_(subject.strategy), make_(subject.make) {
  std::vector<bool> inside(static_cast<std::size_t>(world.size()));
  for (const Layer& layer : subject.layers) {
    Members own;
    for (const Members& group : layer) {
      ++groups_;
      all_ranges_ = all_ranges_ && group.is_range();
      if (group.index_of(world.rank()) >= 0) own = group;
      for (int place = 0; place < group.size(); ++place) {
        inside[static_cast<std::size_t>(group[place])] = true;
      }
    }
    if (!own.empty() || strategy_.caller == Caller::parent) calls_.push_back(own);
  }
  joins_ = inside[static_cast<std::size_t>(world.rank())];
  outsiders_ = static_cast<int>(std::ranges::count(inside, false));
  const Members& first = subject.layers.front().front();
  if (first.size() > 1) late_rank_ = first[first.size() - 1];
}

void Formation::form(std::vector<GroupComm>& comms, int times) const {
  world_.waiter().blocking([&] {
    for (int time = 0; time < times; ++time) {
      for (const Members& members : calls_)
        comms.push_back(make_(world_, members, tag_communicator));
    }
  });
}

void Formation::check(const std::vector<GroupComm>& comms) const {
  for (std::size_t i = 0; i < comms.size(); ++i) {
    const Members& members = calls_[i % calls_.size()];
    const bool follows_machine = strategy_.forms == Forms::shared;
    const bool right = members.empty() ? !comms[i]
                                       : comms[i].size() == members.size() &&
                                             comms[i].rank() == members.index_of(world_.rank());
    if (right || follows_machine) continue;
    throw std::runtime_error(
        fmt::format("{} formed a communicator of {} ranks with the caller as rank {}; {} and {} "
                    "were asked for",
                    strategy_.name, comms[i].size(), comms[i].rank(), members.size(),
                    members.index_of(world_.rank())));
  }
}

namespace {

// Creations that do not block, several at once, each sample in three parts from a common start:
//
//   alone   all are started, then waited for
//   work    slices of work alone, together as long as the slowest warm-up of the first part
//   both    all are started, the slices are worked off with a test of all after each, and what is
//           still under way is waited for
//
// Hidden is what the third part takes less than the first two together, relative to the first. Work
// is sleep, as are the items of the walker `sleep`: a core computes for one rank what many wait
// for.

constexpr int slices = 10;

/// A creation under way. It frees what it has made.
class Creation {
 public:
  virtual ~Creation() = default;
  /// Complete?
  virtual bool test() = 0;
};

class Copy : public Creation {
 public:
  explicit Copy(Site& parent) : parent_(parent) { MPI_Comm_idup(parent.comm(), &comm_, &request_); }
  bool test() override {
    int done = 0;
    MPI_Test(&request_, &done, MPI_STATUS_IGNORE);
    if (done != 0 && !made_) made_ = CommHandle(comm_, parent_.communicators());
    return done != 0;
  }

 private:
  Site& parent_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  MPI_Request request_ = MPI_REQUEST_NULL;
  CommHandle made_;
};

class Agreement : public Creation {
 public:
  Agreement(Site& parent, const std::vector<int>& ranks, int tag)
      : creation_(icreate_group(parent.all(), ranks, tag)) {}
  bool test() override { return creation_.test(); }

 private:
  range::GroupCreation creation_;
};

std::vector<int> listed(const Members& members) {
  std::vector<int> ranks;
  for (int place = 0; place < members.size(); ++place) ranks.push_back(members[place]);
  return ranks;
}

class InFlight {
 public:
  InFlight(const Bench& bench, int at_once)
      : world_(bench.world), clock_(bench.clock), samples_(bench.integer("samples")) {
    const bool copies = bench.subject.strategy.name == "idup";
    for (const Layer& layer : bench.subject.layers) {
      for (const Members& group : layer) {
        if (group.index_of(world_.rank()) < 0) continue;
        for (int time = 0; time < at_once; ++time) {
          if (copies) {
            starts_.emplace_back([this] { return std::make_unique<Copy>(world_); });
          } else {
            starts_.emplace_back([this, ranks = listed(group), tag = tag_communicator + time] {
              return std::make_unique<Agreement>(world_, ranks, tag);
            });
          }
        }
      }
    }
  }

  Samples run() {
    for (int time = 0; time < warm_ups; ++time) {
      const double took = largest_of_all({alone()}, world_).front();
      slice_s_ = std::max(slice_s_, took / slices);
    }
    window_s_ = 3 * slices * slice_s_;
    Samples samples;
    const auto take = [&](const char* name, double (InFlight::*part)()) {
      const double began = clock_.now();
      add(samples[name], began, (this->*part)());
    };
    for (int sample = 0; sample < samples_; ++sample) {
      take("in_flight_s", &InFlight::alone);
      take("in_flight_work_s", &InFlight::work);
      take("in_flight_both_s", &InFlight::both);
    }
    for (auto& [name, all] : samples) all = of_the_slowest(std::move(all), world_);
    return samples;
  }

 private:
  using Creations = std::vector<std::unique_ptr<Creation>>;

  Creations start() const {
    Creations creations;
    for (const auto& start : starts_) creations.push_back(start());
    return creations;
  }

  static bool test(const Creations& creations) {
    bool all = true;
    for (const auto& creation : creations) all = creation->test() && all;
    return all;
  }

  /// What `act` takes this rank from a common start on; nothing where it joins no group.
  template <class Act>
  double timed(Act act) {
    common_start(world_, clock_);
    if (starts_.empty()) return 0;
    const double begin = clock_.now();
    Creations creations = act();
    world_.waiter().until([&] { return test(creations); });
    const double took = clock_.now() - begin;
    world_.waiter().blocking([&] { creations.clear(); });
    // Who is done keeps no core from those that are not.
    if (took < window_s_) sleep_for(window_s_ - took);
    return took;
  }

  double alone() {
    return timed([&] { return start(); });
  }

  double work() {
    return timed([&] {
      for (int slice = 0; slice < slices; ++slice) sleep_for(slice_s_);
      return Creations();
    });
  }

  double both() {
    return timed([&] {
      Creations creations = start();
      for (int slice = 0; slice < slices; ++slice) {
        sleep_for(slice_s_);
        test(creations);
      }
      return creations;
    });
  }

  Site& world_;
  SharedClock& clock_;
  int samples_;
  std::vector<std::function<std::unique_ptr<Creation>()>> starts_;  // of the groups of this rank
  double slice_s_ = 0;
  double window_s_ = 0;  // of each part
};

}  // namespace

Samples measure_in_flight(const Bench& bench, int at_once) {
  if (!goes_on_beside_work(bench.subject.strategy.name, bench.subject.layers)) return {};
  return InFlight(bench, at_once).run();
}

namespace {

// Whether communicators that come and go leave room for more. MPI libraries number communicators,
// from a small set (MPICH: 2,048 for each process), and all members must agree on a number that is
// free on each of them: where many groups overlap, numbers are left that are free on each process,
// but on no two the same.
//
//   limit    communicators are made until that fails: of every process alone, and of all together
//   storm    time and again one of `slots` groups is dissolved, and random neighbours form another
//   count    with the groups of the storm's end still there, the same as at first
//   leak     … and with all of them freed

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
    if (members.index_of(world_.rank()) >= 0) {
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
