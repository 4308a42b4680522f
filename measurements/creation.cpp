// SPDX-License-Identifier: BSD-3-Clause
#include <mpi.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "engines/mpi/shared_clock.hpp"
#include "kernel/clocks/sleep.hpp"
#include "measurements/bench.hpp"
#include "measurements/formation.hpp"

namespace regroup {
namespace {

/// So many attributes of `comm`, which go to its copies: what the libraries of a program keep on a
/// communicator. They are gone with this object. Source: MPI 4.1, section 7.7.2.
class CopiedAttributes {
 public:
  CopiedAttributes(MPI_Comm comm, int number) : comm_(comm) {
    for (int i = 0; i < number; ++i) {
      int key = MPI_KEYVAL_INVALID;
      MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, &key, nullptr);
      MPI_Comm_set_attr(comm, key, this);
      keys_.push_back(key);
    }
  }
  CopiedAttributes(const CopiedAttributes&) = delete;
  CopiedAttributes& operator=(const CopiedAttributes&) = delete;
  ~CopiedAttributes() {
    for (int key : keys_) {
      MPI_Comm_delete_attr(comm_, key);
      MPI_Comm_free_keyval(&key);
    }
  }

 private:
  static int copy(MPI_Comm, int, void*, void* value, void* new_value, int* copied) {
    *static_cast<void**>(new_value) = value;
    *copied = 1;
    return MPI_SUCCESS;
  }

  MPI_Comm comm_;
  std::vector<int> keys_;
};

// What forming communicators costs. Each sample begins at a common start (common_start.hpp), and
// its time is the largest that a member took, from its own entry into the call to its return. Who
// has nothing to do, or is done, sleeps for twice what the slowest warm-up took, but 2 ms at least:
// ranks that polled for the next sample would take the cores from those that are being timed.
//
//   create, free   all other ranks are idle, or do nothing but enter the call where they must
//   bystander      ranks outside execute items of item_ms, and enter the call after the first one
//                  where they must; the members come in the middle of that item. What an outsider
//                  loses is what its items and the call take longer than the same items without it
//   late           one member comes late_ms after the start; the time counts from when it came
//
// Creations that do not block, and several at once: in_flight.cpp. What is left after a storm of
// them: storm.cpp.

constexpr int items = 3;  // of an outsider, in a sample of its loss

double processor_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

class CreationBench {
 public:
  explicit CreationBench(const Bench& bench)
      : bench_(bench),
        world_(bench.world),
        clock_(bench.clock),
        number_(bench.integer("samples")),
        item_s_(bench.subject.options.real("item_ms") / 1000),
        late_s_(bench.subject.options.real("late_ms") / 1000),
        attributes_(bench.world.comm(), bench.integer("attributes")),
        formation_(bench.subject, bench.world) {
    comms_.reserve(2 * most_in_a_row);
  }

  Findings run() {
    figures_["communicators_alive_before"] = largest(world_.communicators().alive);
    figures_["formed_groups"] = formation_.groups();
    warm_up();
    count_messages();
    measure_creating_and_freeing();
    if (formation_.outsiders() > 0 && item_s_ > 0) measure_bystanders();
    if (formation_.late_rank() >= 0 && late_s_ > 0) measure_late_member();
    if (const int at_once = bench_.integer("in_flight"); at_once > 0) {
      samples_.merge(measure_in_flight(bench_, at_once));
    }
    figures_["communicators_alive_max"] = largest(world_.communicators().alive_max);
    if (const int regroupings = bench_.integer("storm_regroupings"); regroupings > 0) {
      figures_.merge(measure_storm(bench_.subject, world_, regroupings));
    }
    figures_["communicators_alive_after"] = largest(world_.communicators().alive);
    return {std::move(samples_), std::move(figures_)};
  }

 private:
  static constexpr int most_in_a_row = 500;

  /// Of one value of every rank, on all ranks.
  double largest(double value) { return largest_of_all({value}, world_).front(); }
  double sum(double value) {
    world_.waiter().blocking(
        [&] { MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, world_.comm()); });
    return value;
  }

  void sleep_until(double time) {
    if (const double left = time - clock_.now(); left > 0) sleep_for(left);
  }

  void free_all() {
    world_.waiter().blocking([&] { comms_.clear(); });
  }

  /// Finds out besides what is formed, and whether it takes so short a time that only many in a row
  /// make one that a clock can tell.
  void warm_up() {
    double shortest = std::numeric_limits<double>::infinity();
    for (int time = 0; time < warm_ups; ++time) {
      common_start(world_, clock_);
      const double begin = clock_.now();
      formation_.form(comms_);
      const double took = clock_.now() - begin;
      const double slowest = largest(formation_.joins() ? took : 0);
      shortest = std::min(shortest, slowest);
      window_s_ = std::max(window_s_, 2 * slowest);
      formation_.check(comms_);
      double smallest = std::numeric_limits<double>::infinity();
      double biggest = 0;
      for (const GroupComm& comm : comms_) {
        if (!comm) continue;
        smallest = std::min<double>(smallest, comm.size());
        biggest = std::max<double>(biggest, comm.size());
      }
      figures_["formed_ranks_max"] = largest(biggest);
      smallest = -largest(-smallest);
      figures_["formed_ranks_min"] = std::isfinite(smallest) ? smallest : 0;
      free_all();
    }
    batch_ = formation_.local() || shortest < 10e-6 ? most_in_a_row : 1;
    figures_["creations_per_sample"] = batch_;
  }

  void count_messages() {
    common_start(world_, clock_);
    const auto profiled = profiled_messages();
    const auto transported = transport_messages();
    formation_.form(comms_);
    const auto difference = [&](const char* prefix, const std::optional<MessageCount>& before,
                                const std::optional<MessageCount>& after) {
      if (!before || !after) return;
      figures_[std::string(prefix) + "messages"] =
          sum(static_cast<double>(after->messages - before->messages));
      figures_[std::string(prefix) + "bytes"] =
          sum(static_cast<double>(after->bytes - before->bytes));
    };
    const auto profiled_after = profiled_messages();
    const auto transported_after = transport_messages();
    difference("mpi_", profiled, profiled_after);
    difference("transport_", transported, transported_after);
    free_all();
  }

  void measure_creating_and_freeing() {
    std::vector<Sample>& create = samples_["create_s"];
    std::vector<Sample>& free = samples_["free_s"];
    // Who waits for nobody is timed by the processor's clock: the wall's would count how long
    // others have the core.
    const auto now = [&] { return formation_.local() ? processor_time() : clock_.now(); };
    for (int sample = 0; sample < number_; ++sample) {
      const double start = common_start(world_, clock_);
      if (batch_ > 1) {  // caches are cold after the sleep
        formation_.form(comms_, batch_);
        free_all();
      }
      const double begin = now();
      formation_.form(comms_, batch_);
      const double made = now();
      free_all();
      const double freed = now();
      add(create, start, formation_.joins() ? (made - begin) / batch_ : 0);
      add(free, start, formation_.joins() ? (freed - made) / batch_ : 0);
      sleep_until(start + window_s_);
    }
    create = of_the_slowest(std::move(create), world_);
    free = of_the_slowest(std::move(free), world_);
  }

  /// Samples with and without a creation take turns, so that both see the same machine.
  void measure_bystanders() {
    std::vector<Sample>& create = samples_["busy_create_s"];
    for (int sample = 0; sample < number_; ++sample) {
      const double began = clock_.now();
      const double without = sum(look_on(false));
      double took = 0;
      const double with = sum(formation_.joins() ? interrupt(took) : look_on(true));
      add(create, began, took);
      add(samples_["bystander_s"], began, (with - without) / formation_.outsiders());
    }
    create = of_the_slowest(std::move(create), world_);
  }

  /// What this rank takes for its items beyond their time; a member has none.
  double look_on(bool created) {
    const double start = common_start(world_, clock_);
    if (formation_.joins()) {
      sleep_until(start + items * item_s_);
      return 0;
    }
    const double begin = clock_.now();
    for (int item = 0; item < items; ++item) {
      sleep_for(item_s_);
      if (item == 0 && created && formation_.takes_part()) formation_.form(comms_);
    }
    const double took = clock_.now() - begin;
    free_all();
    return took - items * item_s_;
  }

  /// A member's part; it loses nothing that counts.
  double interrupt(double& create) {
    const double start = common_start(world_, clock_);
    sleep_for(item_s_ / 2);
    const double begin = clock_.now();
    formation_.form(comms_);
    create = clock_.now() - begin;
    free_all();
    sleep_until(start + items * item_s_);
    return 0;
  }

  void measure_late_member() {
    std::vector<Sample>& create = samples_["late_create_s"];
    for (int sample = 0; sample < number_; ++sample) {
      const double start = common_start(world_, clock_);
      if (world_.rank() == formation_.late_rank()) sleep_until(start + late_s_);
      formation_.form(comms_);
      add(create, start, formation_.joins() ? clock_.now() - start : 0);
      free_all();
      sleep_until(start + late_s_ + window_s_);
    }
    create = of_the_slowest(std::move(create), world_);
    for (Sample& sample : create) sample.value_s -= late_s_;
  }

  const Bench& bench_;
  Site& world_;
  SharedClock& clock_;
  int number_;  // of samples
  double item_s_;
  double late_s_;
  CopiedAttributes attributes_;
  Formation formation_;
  int batch_ = 1;
  double window_s_ = 0.002;
  std::vector<GroupComm> comms_;
  Samples samples_;
  std::map<std::string, double> figures_;
};

}  // namespace

Findings measure_creation(const Bench& bench) { return CreationBench(bench).run(); }

}  // namespace regroup
