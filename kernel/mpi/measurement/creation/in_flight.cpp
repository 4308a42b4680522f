// SPDX-License-Identifier: BSD-3-Clause
//
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
#include "kernel/mpi/measurement/creation/in_flight.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "kernel/items/sleep.hpp"
#include "kernel/measurement/sampled.hpp"
#include "kernel/mpi/measurement/samples.hpp"
#include "kernel/mpi/stage/common_start.hpp"
#include "kernel/mpi/stage/tags.hpp"

namespace regroup {
namespace {

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
        if (group.place_of(world_.rank()) < 0) continue;
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

}  // namespace regroup
