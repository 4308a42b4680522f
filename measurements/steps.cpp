// SPDX-License-Identifier: BSD-3-Clause
//
// What the steps of the engine cost beside forming communicators, with groups of group_size:
//
//   look       a leader looks for a request that is not there
//   message    from a leader that sends to the next leader, which waits
//   tell       what an item of a group takes longer because its leader orders each item; the
//              lateness of sleeps included, as it is part of a run, too
//   exchange   loads among the leaders of all groups, which begin together
//
// Who has nothing to do, or is done, sleeps, as in the measurement of creation.
#include <cmath>
#include <vector>

#include "engines/mpi/load_exchange.hpp"
#include "engines/mpi/mailbox.hpp"
#include "engines/mpi/orders.hpp"
#include "engines/mpi/shared_clock.hpp"
#include "engines/mpi/tags.hpp"
#include "kernel/clocks/sleep.hpp"
#include "kernel/starting_groups.hpp"
#include "measurements/bench.hpp"

namespace regroup {
namespace {

constexpr double item_s = 0.001;
constexpr int items = 50;
constexpr int looks = 1000;

class StepsBench {
 public:
  explicit StepsBench(const Bench& bench)
      : world_(bench.world),
        clock_(bench.clock),
        samples_(bench.integer("samples")),
        groups_(initial_groups(world_.size(), bench.integer("group_size"))),
        own_(group_of(world_.rank())),
        group_(world_.all().range(own_.lo, own_.hi)),
        mailbox_(world_.comm(), world_.waiter()) {
    for (const RankRange& ranks : groups_) known_.push_back({ranks, {ranks.lo, 0}, {}});
  }

  Samples run() {
    Samples samples;
    samples["look_for_request_s"] = taken([&] { return look(); });
    if (groups_.size() > 1) samples["message_s"] = taken([&] { return message(); });
    if (groups_.front().size() > 1) samples["tell_members_s"] = taken([&] { return tell(); });
    if (groups_.size() > 1) samples["exchange_loads_s"] = taken([&] { return exchange(); });
    return samples;
  }

 private:
  RankRange group_of(int rank) const {
    return groups_[static_cast<std::size_t>(rank / groups_.front().size())];
  }
  bool leading() const { return world_.rank() == own_.lo; }

  /// The samples of a step; each is the largest over the ranks.
  template <class Step>
  std::vector<Sample> taken(Step step) {
    std::vector<Sample> all;
    double window_s = 0;  // twice what the first sample takes all in all
    for (int sample = 0; sample <= samples_; ++sample) {
      const double start = common_start(world_, clock_);
      const double took = step();
      if (sample == 0) {
        window_s = largest_of_all({2 * (clock_.now() - start)}, world_).front();
        continue;
      }
      add(all, start, took);
      if (const double left = start + window_s - clock_.now(); left > 0) {
        sleep_for(left);
      }
    }
    return of_the_slowest(std::move(all), world_);
  }

  double look() {
    if (world_.rank() != 0) return 0;
    const double begin = clock_.now();
    for (int look = 0; look < looks; ++look) mailbox_.look();
    return (clock_.now() - begin) / looks;
  }

  /// The first leader sends, a while after the second has begun to wait; the time of sending goes
  /// with the message.
  double message() {
    double took = 0;
    if (world_.rank() == groups_[0].lo) {
      sleep_for(5 * item_s);
      sent_ = clock_.now();
      mailbox_.send({}, groups_[1].lo, outbox_);
      MPI_Request request = MPI_REQUEST_NULL;
      double arrived = 0;
      MPI_Irecv(&arrived, 1, MPI_DOUBLE, groups_[1].lo, tag_clock, world_.comm(), &request);
      world_.waiter().wait(request);
      took = arrived - sent_;
    } else if (world_.rank() == groups_[1].lo) {
      mailbox_.wait({});
      const double arrived = clock_.now();
      mailbox_.take();
      MPI_Request request = MPI_REQUEST_NULL;
      MPI_Isend(&arrived, 1, MPI_DOUBLE, groups_[0].lo, tag_clock, world_.comm(), &request);
      world_.waiter().wait(request);
    }
    outbox_.finish(world_.waiter());
    return took;
  }

  /// In the first group; the others are idle.
  double tell() {
    if (own_ != groups_[0]) return 0;
    const double begin = clock_.now();
    for (int item = 0; item < items; ++item) {
      outbox_.finish(world_.waiter());
      if (leading()) {
        give({Order::Kind::work, 1, {}}, group_, outbox_);
      } else {
        const Waiter waiter = world_.waiter().patient();
        NextOrder next(group_);
        mailbox_.pass_on_until(next.request(), own_.lo, outbox_, waiter);
        next.take(outbox_, waiter);
      }
      sleep_for(item_s);
    }
    outbox_.finish(world_.waiter());
    return (clock_.now() - begin) / items - item_s;
  }

  double exchange() {
    if (!leading()) return 0;
    const double begin = clock_.now();
    exchange_loads(known_, own_.lo, {own_.lo, 1}, false, world_.comm(), world_.waiter());
    return clock_.now() - begin;
  }

  Site& world_;
  SharedClock& clock_;
  int samples_;
  std::vector<RankRange> groups_;
  std::vector<Group> known_;
  RankRange own_;
  GroupComm group_;
  Outbox outbox_;
  Mailbox mailbox_;
  double sent_ = 0;
};

}  // namespace

Findings measure_steps(const Bench& bench) { return {StepsBench(bench).run(), {}}; }

}  // namespace regroup
