// SPDX-License-Identifier: BSD-3-Clause
//
// Measures creations in flight, and the communicators available after a storm of creations.
#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "engines/mpi/surroundings.hpp"
#include "engines/mpi/tags.hpp"
#include "kernel/clocks/sleep.hpp"
#include "kernel/numbers/statistics.hpp"
#include "measurements/creation.hpp"
#include "regroup/numbers.hpp"

namespace regroup {
namespace {

// Several simultaneous nonblocking creations. Each sample has three parts with common starts:
//
//   alone   all creations are started, then waited for
//   work    slices of work alone, together as long as the slowest warm-up of the first part
//   both    all creations are started; each slice of work is followed by a test of all creations;
//           then incomplete creations are waited for
//
// The hidden fraction is the time that the third part saves over the sum of the others, relative to
// the first. Work is sleep, because many ranks may share a core.

constexpr int slices = 10;

/// A creation in progress. Its destructor frees the created communicator.
class Creation {
 public:
  Creation() = default;
  Creation(const Creation&) = delete;
  Creation& operator=(const Creation&) = delete;
  virtual ~Creation() = default;
  /// Makes progress; returns whether the creation is complete.
  virtual bool test() = 0;
};

/// A creation by MPI_Comm_idup.
class Copy final : public Creation {
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

/// A creation by range::icreate_group.
class Agreement final : public Creation {
 public:
  Agreement(Site& parent, const std::vector<int>& ranks, int tag)
      : creation_(icreate_group(parent.all(), ranks, tag)) {}
  bool test() override { return creation_.test(); }

 private:
  range::GroupCreation creation_;
};

class InFlight {
 public:
  InFlight(Bench& bench, std::span<const Layer> layers, int at_once)
      : bench_(bench), world_(bench.world()) {
    const bool copies = bench.strategy().name == "idup";
    for (const Layer& layer : layers) {
      for (const Members& group : layer) {
        if (group.index_of(bench.rank()) < 0) continue;
        for (int number = 0; number < at_once; ++number) {
          if (copies) {
            starts_.emplace_back([this] { return std::make_unique<Copy>(world_); });
          } else {
            starts_.emplace_back([this, ranks = group.ranks(), tag = tag_communicator + number] {
              return std::make_unique<Agreement>(world_, ranks, tag);
            });
          }
        }
      }
    }
  }

  Samples measure() {
    double slice_s = 0;
    for (int i = 0; i < Bench::warm_ups; ++i) {
      const double took = bench_.largest(part(true, 0).value_s);
      slice_s = std::max(slice_s, took / slices);
    }
    window_s_ = 3 * slices * slice_s;
    Samples samples;
    for (int i = 0; i < bench_.integer("samples"); ++i) {
      samples["in_flight_s"].push_back(part(true, 0));
      samples["in_flight_work_s"].push_back(part(false, slice_s));
      samples["in_flight_both_s"].push_back(part(true, slice_s));
    }
    for (auto& [name, all] : samples) all = bench_.slowest(std::move(all));
    return samples;
  }

 private:
  using Creations = std::vector<std::unique_ptr<Creation>>;

  static bool test(const Creations& creations) {
    bool all = true;
    for (const auto& creation : creations) all = creation->test() && all;
    return all;
  }

  /// Executes a part of a sample: creations, slices of work of `slice_s` seconds, or both.
  Sample part(bool create, double slice_s) {
    return bench_.once(window_s_, [&](double) {
      if (starts_.empty()) return 0.0;
      const double begin = bench_.now();
      Creations creations;
      if (create) {
        for (const auto& start : starts_) creations.push_back(start());
      }
      for (int slice = 0; slice_s > 0 && slice < slices; ++slice) {
        sleep_for(slice_s);
        test(creations);
      }
      world_.waiter().until([&] { return test(creations); });
      const double took = bench_.now() - begin;
      world_.waiter().blocking([&] { creations.clear(); });
      return took;
    });
  }

  Bench& bench_;
  Site& world_;
  std::vector<std::function<std::unique_ptr<Creation>()>> starts_;  // of the groups of this rank
  double window_s_ = 0;                                             // of each part
};

}  // namespace

bool forms_beside_work(std::string_view strategy, std::span<const Layer> layers) {
  if (strategy == "idup") return true;
  return strategy == "icreate_group" && std::ranges::all_of(layers, [](const Layer& layer) {
           return std::ranges::none_of(layer, &Members::is_range);
         });
}

Samples measure_in_flight(Bench& bench, std::span<const Layer> layers, int at_once) {
  if (!forms_beside_work(bench.strategy().name, layers)) return {};
  return InFlight(bench, layers, at_once).measure();
}

Figures hidden_fraction_of(const Samples& samples) {
  const auto alone = samples.find("in_flight_s");
  const auto work = samples.find("in_flight_work_s");
  const auto both = samples.find("in_flight_both_s");
  if (alone == samples.end() || work == samples.end() || both == samples.end()) return {};
  const std::size_t number =
      std::min({alone->second.size(), work->second.size(), both->second.size()});
  std::vector<double> fractions;
  for (std::size_t i = 0; i < number; ++i) {
    const double alone_s = alone->second[i].value_s;
    fractions.push_back((alone_s + work->second[i].value_s - both->second[i].value_s) / alone_s);
  }
  if (fractions.empty()) return {};
  const Dispersion spread = dispersion_of(std::move(fractions));
  Figures figures{{"hidden_fraction", spread.median_s}};
  if (spread.interval) {
    figures["hidden_fraction_low"] = spread.interval->low_s;
    figures["hidden_fraction_high"] = spread.interval->high_s;
  }
  return figures;
}

namespace {

// Measures whether creating and freeing communicators exhausts their identifiers. MPI libraries
// have few of these (MPICH: 2,048 for each process), and all members must agree on one that is free
// on each of them; if many groups overlap, there may be none.
//
//   limit    communicators are created until that fails: of each process alone, of all together
//   storm    repeatedly replaces one of `slots` groups by a random range of ranks
//   count    repeats `limit` while the last groups of the storm are alive
//   leak     repeats `limit`, for all processes together, after all groups are freed

constexpr int slots = 256;  // maximum number of live groups
constexpr std::uint64_t storm_seed = 1;

class Storm {
 public:
  explicit Storm(Bench& bench) : bench_(bench), world_(bench.world()), groups_(slots) {}

  Figures measure(int regroupings) {
    Figures figures;
    figures["communicators_limit_local"] = room_of_each();
    const double limit = room_of_all();
    figures["communicators_limit_common"] = limit;
    world_.waiter().blocking([&] {
      for (int time = 0; time < regroupings; ++time) regroup(static_cast<std::uint64_t>(time));
    });
    const double alive = bench_.largest(world_.communicators().alive);
    figures["storm_alive"] = alive;
    figures["storm_limit_local"] = room_of_each();
    const double room = room_of_all();
    figures["storm_limit_common"] = room;
    // If the limit exceeds the count, the number of lost communicators is unknown.
    if (limit < most_counted) figures["storm_lost"] = limit - alive - room;
    world_.waiter().blocking([&] {
      for (GroupComm& group : groups_) group = {};
    });
    figures["storm_leaked"] = limit - room_of_all();
    return figures;
  }

 private:
  double room_of_each() const {
    return bench_.smallest(communicator_room(MPI_COMM_SELF, most_counted));
  }
  double room_of_all() const {
    int own = 0;
    world_.waiter().blocking([&] { own = communicator_room(world_.comm(), most_counted); });
    return bench_.smallest(own);
  }

  /// Replaces a group. All ranks draw the same numbers, so they form groups in the same order.
  void regroup(std::uint64_t time) {
    const auto draw = [&](std::uint64_t count, int below) {
      const std::uint64_t bits = random_bits(storm_seed, Purpose::subset, time, count);
      return static_cast<int>(bits % static_cast<std::uint64_t>(below));
    };
    GroupComm& group = groups_[static_cast<std::size_t>(draw(0, slots))];
    group = {};
    const bool any = bench_.strategy().serves_balancers();
    const int one = any ? draw(1, bench_.ranks()) : 0;
    const int other = any ? draw(2, bench_.ranks()) : bench_.ranks() - 1;
    const Members members(RankRange{std::min(one, other), std::max(one, other)});
    if (members.index_of(bench_.rank()) >= 0) {
      group = bench_.form(members);
    } else if (bench_.strategy().caller == Caller::parent) {
      group = bench_.form({});
    }
  }

  Bench& bench_;
  Site& world_;
  std::vector<GroupComm> groups_;
};

}  // namespace

Figures measure_storm(Bench& bench, int regroupings) { return Storm(bench).measure(regroupings); }

}  // namespace regroup
