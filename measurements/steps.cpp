// SPDX-License-Identifier: BSD-3-Clause
//
// The cost of the steps of the engine other than forming communicators, with groups of group_size:
//
//   look_for_request   a leader checks for a request that has not arrived
//   message            a leader sends to the next leader, which waits
//   tell_members       additional time of an item because a leader orders it; includes the lateness
//                      of sleeps, as in a run
//   exchange_loads     the leaders of all groups exchange loads, from a common start
#include <array>
#include <vector>

#include "engines/mpi/load_exchange.hpp"
#include "engines/mpi/mailbox.hpp"
#include "engines/mpi/orders.hpp"
#include "engines/mpi/tags.hpp"
#include "kernel/clocks/sleep.hpp"
#include "kernel/starting_groups.hpp"
#include "measurements/kinds.hpp"
#include "regroup/bench.hpp"

namespace regroup {
namespace {

constexpr double item_s = 0.001;
constexpr int items = 50;
constexpr int looks = 1000;

class Steps {
 public:
  explicit Steps(Bench& bench)
      : bench_(bench),
        world_(bench.world()),
        ranks_(world_),
        groups_(initial_groups(bench.ranks(), bench.integer("group_size"))),
        own_(groups_[static_cast<std::size_t>(bench.rank() / groups_.front().size())]),
        group_(world_.all().range(own_.lo, own_.hi)),
        mailbox_(ranks_, outbox_) {
    for (const RankRange& ranks : groups_) known_.push_back({ranks, {ranks.lo, 0}, {}});
  }

  Samples measure() {
    Samples samples;
    samples["look_for_request_s"] = samples_of(&Steps::look);
    if (groups_.size() > 1) samples["message_s"] = samples_of(&Steps::message);
    if (groups_.front().size() > 1) samples["tell_members_s"] = samples_of(&Steps::tell);
    if (groups_.size() > 1) samples["exchange_loads_s"] = samples_of(&Steps::exchange);
    return samples;
  }

 private:
  bool leads() const { return bench_.rank() == own_.lo; }

  std::vector<Sample> samples_of(double (Steps::*step)()) {
    const auto act = [&](double) { return (this->*step)(); };
    const Sample warm_up = bench_.once(0, act);
    const double window_s = 2 * bench_.largest(bench_.now() - warm_up.began_s);
    return bench_.take(bench_.integer("samples"), window_s, act);
  }

  double look() {
    if (bench_.rank() != 0) return 0;
    const double begin = bench_.now();
    for (int look = 0; look < looks; ++look) mailbox_.look();
    return (bench_.now() - begin) / looks;
  }

  /// The first leader sends while the second waits; the second returns the time of arrival.
  double message() {
    double took = 0;
    if (bench_.rank() == groups_[0].lo) {
      sleep_for(5 * item_s);
      const double sent = bench_.now();
      mailbox_.send({}, groups_[1].lo);
      MPI_Request request = MPI_REQUEST_NULL;
      double arrived = 0;
      MPI_Irecv(&arrived, 1, MPI_DOUBLE, groups_[1].lo, tag_clock, world_.comm(), &request);
      world_.waiter().wait(request);
      took = arrived - sent;
    } else if (bench_.rank() == groups_[1].lo) {
      mailbox_.wait({});
      const double arrived = bench_.now();
      mailbox_.take();
      MPI_Request request = MPI_REQUEST_NULL;
      MPI_Isend(&arrived, 1, MPI_DOUBLE, groups_[0].lo, tag_clock, world_.comm(), &request);
      world_.waiter().wait(request);
    }
    outbox_.finish(world_.waiter());
    return took;
  }

  /// Only the first group works; the others are idle.
  double tell() {
    if (own_ != groups_[0]) return 0;
    const double begin = bench_.now();
    for (int item = 0; item < items; ++item) {
      outbox_.finish(world_.waiter());
      if (leads()) {
        give({Order::Kind::work, 1, {}}, group_, outbox_);
      } else {
        const Waiter waiter = world_.waiter().patient();
        NextOrder next(group_);
        mailbox_.pass_on_until(next.request(), own_.lo, waiter);
        next.take(outbox_, waiter);
      }
      sleep_for(item_s);
    }
    outbox_.finish(world_.waiter());
    return (bench_.now() - begin) / items - item_s;
  }

  double exchange() {
    if (!leads()) return 0;
    const double begin = bench_.now();
    exchange_loads(known_, own_.lo, {own_.lo, 1}, false, ranks_);
    return bench_.now() - begin;
  }

  Bench& bench_;
  Site& world_;
  World ranks_;
  std::vector<RankRange> groups_;
  std::vector<Group> known_;
  RankRange own_;
  GroupComm group_;
  Outbox outbox_;
  Mailbox mailbox_;
};

Findings measure_steps(Bench& bench) { return {Steps(bench).measure(), {}}; }

constexpr std::array options{group_size_option, samples_option};
constexpr std::array times{
    SampledTime{"look_for_request_s",
                "time in which a leader checks for a message of another group if there is none",
                Becomes::median},
    SampledTime{"message_s", "time of a message to a waiting leader", Becomes::median},
    SampledTime{"tell_members_s",
                "additional time (a difference that may be negative) of an item because the leader "
                "sends its decision to the members of its group",
                Becomes::median, true},
    SampledTime{"exchange_loads_s", "time in which the leaders of all groups exchange their loads",
                Becomes::median},
};
constexpr std::array<std::string_view, 1> compared{"group_size"};

}  // namespace

MeasurementKind steps_kind() {
  MeasurementKind kind{
      {"steps",
       "costs of the steps by which leaders of groups coordinate in the engine `mpi`: messages "
       "between groups, decisions sent to members, and exchanges of loads",
       options}};
  kind.times = times;
  kind.measure = measure_steps;
  kind.compared = compared;
  return kind;
}

}  // namespace regroup
