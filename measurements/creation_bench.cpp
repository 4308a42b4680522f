// SPDX-License-Identifier: BSD-3-Clause
//
// The time to form communicators: the maximum over the members, each from its own entry into the
// call to its return. The window of a sample is twice the slowest warm-up, but at least 2 ms.
//
//   create, free   ranks outside are idle, or only enter the call if they must
//   bystander      ranks outside execute items of item_ms and, if they must, enter the call after
//                  the first item; members enter in the middle of that item. The sample is the
//                  time of the outsider's items and call minus that of its items alone
//   late           one member enters late_ms after the start, when timing begins
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

#include "kernel/clocks/clock.hpp"
#include "kernel/clocks/sleep.hpp"
#include "measurements/creation.hpp"
#include "measurements/measure.hpp"

namespace regroup {
namespace {

/// Attributes of `comm` that copies of it inherit. Source: MPI 4.1, section 7.7.2.
class InheritedAttributes {
 public:
  InheritedAttributes(MPI_Comm comm, int number) : comm_(comm) {
    for (int i = 0; i < number; ++i) {
      int key = MPI_KEYVAL_INVALID;
      MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, &key, nullptr);
      MPI_Comm_set_attr(comm, key, this);
      keys_.push_back(key);
    }
  }
  InheritedAttributes(const InheritedAttributes&) = delete;
  InheritedAttributes& operator=(const InheritedAttributes&) = delete;
  ~InheritedAttributes() {
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

/// The groups of a measurement, and this rank's part in forming them.
class Formation {
 public:
  Formation(const Bench& bench, const std::vector<Layer>& layers)
      : bench_(bench), make_(maker(bench.strategy())) {
    std::vector<bool> inside(static_cast<std::size_t>(bench.ranks()));
    for (const Layer& layer : layers) {
      Members own;
      for (const Members& group : layer) {
        ++groups_;
        all_ranges_ = all_ranges_ && group.is_range();
        if (group.index_of(bench.rank()) >= 0) own = group;
        for (int member = 0; member < group.size(); ++member) {
          inside[static_cast<std::size_t>(group[member])] = true;
        }
      }
      if (!own.empty() || bench.strategy().caller == Caller::parent) calls_.push_back(own);
    }
    joins_ = inside[static_cast<std::size_t>(bench.rank())];
    outsiders_ = static_cast<int>(std::ranges::count(inside, false));
    const Members& first = layers.front().front();
    if (first.size() > 1) late_rank_ = first[first.size() - 1];
  }

  bool joins() const { return joins_; }
  /// Returns whether this rank must enter the calls.
  bool takes_part() const { return !calls_.empty(); }
  int outsiders() const { return outsiders_; }
  int groups() const { return groups_; }
  /// Returns whether the groups are formed without communication.
  bool is_local() const {
    return bench_.strategy().local() && (all_ranges_ || bench_.strategy().local_sets);
  }

  /// Returns the late member: the last of the first group; -1 if that group has only one member.
  int late_rank() const { return late_rank_; }

  /// Forms all groups of this rank, layer by layer, `times` times, and appends them to `comms`.
  void form(std::vector<GroupComm>& comms, int times = 1) const {
    bench_.world().waiter().blocking([&] {
      for (int time = 0; time < times; ++time) {
        for (const Members& members : calls_) {
          comms.push_back(make_(bench_.world(), members, Bench::communicator_tag));
        }
      }
    });
  }

  /// Throws std::runtime_error if a communicator does not match its group.
  void check(const std::vector<GroupComm>& comms) const {
    const Strategy& strategy = bench_.strategy();
    if (strategy.forms == Forms::shared) return;  // the machine determines the groups
    for (std::size_t i = 0; i < comms.size(); ++i) {
      const Members& members = calls_[i % calls_.size()];
      const int rank = members.index_of(bench_.rank());
      const bool right = members.empty()
                             ? !comms[i]
                             : comms[i].size() == members.size() && comms[i].rank() == rank;
      if (right) continue;
      throw std::runtime_error(fmt::format(
          "{} formed a communicator of {} ranks with the caller as rank {}, instead of {} and {}",
          strategy.name, comms[i].size(), comms[i].rank(), members.size(), rank));
    }
  }

 private:
  const Bench& bench_;
  MakeCommunicator make_;       // cached, because some creations take only nanoseconds
  std::vector<Members> calls_;  // of this rank; no members if it only enters the call
  bool joins_ = false;
  bool all_ranges_ = true;
  int outsiders_ = 0;
  int groups_ = 0;
  int late_rank_ = -1;
};

class CreationBench {
 public:
  explicit CreationBench(Bench& bench)
      : bench_(bench),
        samples_(bench.integer("samples")),
        item_s_(bench.real("item_ms") / 1000),
        late_s_(bench.real("late_ms") / 1000),
        layers_(layers_of(bench)),
        attributes_(bench.world().comm(), bench.integer("attributes")),
        formation_(bench, layers_) {
    comms_.reserve(2 * most_in_a_row);
  }

  Findings measure() {
    Figures& figures = findings_.figures;
    const CommunicatorCount& count = bench_.world().communicators();
    figures["communicators_alive_before"] = bench_.largest(count.alive);
    figures["formed_groups"] = formation_.groups();
    warm_up();
    count_messages();
    measure_creating_and_freeing();
    if (formation_.outsiders() > 0 && item_s_ > 0) measure_bystanders();
    if (formation_.late_rank() >= 0 && late_s_ > 0) measure_late_member();
    if (const int at_once = bench_.integer("in_flight"); at_once > 0) {
      findings_.samples.merge(measure_in_flight(bench_, layers_, at_once));
    }
    figures["communicators_alive_max"] = bench_.largest(count.alive_max);
    if (const int regroupings = bench_.integer("storm_regroupings"); regroupings > 0) {
      figures.merge(measure_storm(bench_, regroupings));
    }
    figures["communicators_alive_after"] = bench_.largest(count.alive);
    return std::move(findings_);
  }

 private:
  static constexpr int most_in_a_row = 500;
  static constexpr int items = 3;  // of an outsider, in a sample of its loss

  /// Returns `time` for members, and 0 for ranks outside.
  double counted(double time) const { return formation_.joins() ? time : 0; }

  double form_timed(double begin) {
    formation_.form(comms_);
    return bench_.now() - begin;
  }

  /// Also determines the number of creations per sample: short ones are timed many in a row.
  void warm_up() {
    double shortest = std::numeric_limits<double>::infinity();
    for (int time = 0; time < Bench::warm_ups; ++time) {
      const Sample sample =
          bench_.once(0, [&](double) { return counted(form_timed(bench_.now())); });
      const double slowest = bench_.largest(sample.value_s);
      shortest = std::min(shortest, slowest);
      window_s_ = std::max(window_s_, 2 * slowest);
      formation_.check(comms_);
      record_sizes();
      bench_.free(comms_);
    }
    in_a_row_ = formation_.is_local() || shortest < 10e-6 ? most_in_a_row : 1;
    findings_.figures["creations_per_sample"] = in_a_row_;
  }

  void record_sizes() {
    double smallest = std::numeric_limits<double>::infinity();
    double largest = 0;
    for (const GroupComm& comm : comms_) {
      if (!comm) continue;
      smallest = std::min<double>(smallest, comm.size());
      largest = std::max<double>(largest, comm.size());
    }
    smallest = bench_.smallest(smallest);
    findings_.figures["formed_ranks_max"] = bench_.largest(largest);
    findings_.figures["formed_ranks_min"] = std::isfinite(smallest) ? smallest : 0;
  }

  void count_messages() {
    std::optional<MessageCount> sent, sent_before, transported, transported_before;
    bench_.once(0, [&](double) {
      sent_before = profiled_messages();
      transported_before = transport_messages();
      formation_.form(comms_);
      sent = profiled_messages();
      transported = transport_messages();
      return 0;
    });
    const auto record = [&](const std::string& prefix, const auto& before, const auto& after) {
      if (!before || !after) return;
      const std::vector<double> sums =
          bench_.sums({static_cast<double>(after->messages - before->messages),
                       static_cast<double>(after->bytes - before->bytes)});
      findings_.figures[prefix + "_messages"] = sums[0];
      findings_.figures[prefix + "_bytes"] = sums[1];
    };
    record("mpi", sent_before, sent);
    record("transport", transported_before, transported);
    bench_.free(comms_);
  }

  void measure_creating_and_freeing() {
    // Local creations are timed by the thread's CPU clock: a wall clock would include the time in
    // which other ranks use the core.
    const bool local = formation_.is_local();
    const auto now = [&] { return local ? read_clock(CLOCK_THREAD_CPUTIME_ID) : bench_.now(); };
    std::vector<Sample> create;
    std::vector<Sample> free;
    for (int sample = 0; sample < samples_; ++sample) {
      double free_s = 0;
      create.push_back(bench_.once(window_s_, [&](double) {
        if (in_a_row_ > 1) {  // caches are cold after the sleep
          formation_.form(comms_, in_a_row_);
          bench_.free(comms_);
        }
        const double begin = now();
        formation_.form(comms_, in_a_row_);
        const double made = now();
        bench_.free(comms_);
        free_s = counted(now() - made) / in_a_row_;
        return counted(made - begin) / in_a_row_;
      }));
      free.push_back({1, create.back().began_s, free_s});
    }
    findings_.samples["create_s"] = bench_.slowest(std::move(create));
    findings_.samples["free_s"] = bench_.slowest(std::move(free));
  }

  /// Samples with and without a creation alternate, so that both see the same machine.
  void measure_bystanders() {
    const double window_s = items * item_s_;
    std::vector<Sample> create;
    std::vector<Sample> lost;
    for (int sample = 0; sample < samples_; ++sample) {
      const Sample without = bench_.once(window_s, [&](double) { return execute_items(false); });
      double create_s = 0;
      const Sample with = bench_.once(window_s, [&](double) {
        if (!formation_.joins()) return execute_items(true);
        sleep_for(item_s_ / 2);
        create_s = form_timed(bench_.now());
        bench_.free(comms_);
        return 0.0;
      });
      const double loss_s = bench_.sum(with.value_s - without.value_s);
      lost.push_back({sample + 1, without.began_s, loss_s / formation_.outsiders()});
      create.push_back({1, with.began_s, create_s});
    }
    findings_.samples["bystander_s"] = std::move(lost);
    findings_.samples["busy_create_s"] = bench_.slowest(std::move(create));
  }

  /// Executes items and returns the time in excess of their durations; 0 for members.
  double execute_items(bool with_creation) {
    if (formation_.joins()) return 0;
    const double begin = bench_.now();
    for (int item = 0; item < items; ++item) {
      sleep_for(item_s_);
      if (item == 0 && with_creation && formation_.takes_part()) formation_.form(comms_);
    }
    const double took = bench_.now() - begin;
    bench_.free(comms_);
    return took - items * item_s_;
  }

  void measure_late_member() {
    std::vector<Sample> create = bench_.take(samples_, late_s_ + window_s_, [&](double start) {
      if (bench_.rank() == formation_.late_rank()) bench_.sleep_until(start + late_s_);
      const double took = form_timed(start);
      bench_.free(comms_);
      return counted(took);
    });
    for (Sample& sample : create) sample.value_s -= late_s_;
    findings_.samples["late_create_s"] = std::move(create);
  }

  Bench& bench_;
  int samples_;
  double item_s_;
  double late_s_;
  std::vector<Layer> layers_;
  InheritedAttributes attributes_;
  Formation formation_;
  int in_a_row_ = 1;
  double window_s_ = 0.002;
  std::vector<GroupComm> comms_;
  Findings findings_;
};

}  // namespace

Findings measure_creation(Bench& bench) { return CreationBench(bench).measure(); }

}  // namespace regroup
