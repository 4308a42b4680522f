// SPDX-License-Identifier: BSD-3-Clause
//
// What the code of a measurement works with on every rank: the ranks, a clock that all share, and
// functions that take samples.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "regroup/collective.hpp"
#include "regroup/communicator.hpp"
#include "regroup/measurement.hpp"

namespace regroup {

class SharedClock;

/// What random numbers of a measurement are drawn by.
struct Seeds {
  std::uint64_t seed = 1;    ///< of the configuration: the same in all repetitions
  std::uint64_t stream = 1;  ///< of this repetition
};

/// One call of a CollectiveOperation on one member. `comm.comm()` and `comm.translate(member)` are
/// the communicator and the rank for messages to a member, whatever kind of communicator it is.
struct CollectiveCall {
  const GroupComm& comm;
  const Waiter& waiter;  ///< for requests of MPI: `waiter.wait_in_mpi(request)`
  Participants participants;
  int count = 0;      ///< elements of each part
  MPI_Datatype type;  ///< of elements: MPI_DOUBLE, or MPI_UNSIGNED_CHAR if 8 bytes do not divide it
  const void* data = nullptr;   ///< part after part, with the values of collective_datum
  void* result = nullptr;       ///< part after part
  const int* counts = nullptr;  ///< `count` for each member, as functions like MPI_Gatherv need it
  const int* begins = nullptr;  ///< the first element of the part of each member
};

/// A measurement in progress. Functions marked as collective are called by all ranks.
///
/// A sample begins at a common start and ends with the last rank that counts. Ranks that are done
/// sleep until the window of the sample ends: polling, they would take the cores from the others.
class Bench {
 public:
  /// `world` and `clock` outlive this.
  Bench(const Measurement& measurement, Seeds seeds, Site& world, SharedClock& clock)
      : measurement_(measurement), seeds_(seeds), world_(world), clock_(clock) {}

  const Measurement& measurement() const { return measurement_; }
  int integer(std::string_view option) const {
    return static_cast<int>(measurement_.options.integer(option));
  }
  double real(std::string_view option) const { return measurement_.options.real(option); }
  const std::string& text(std::string_view option) const {
    return measurement_.options.text(option);
  }
  std::uint64_t seed() const { return seeds_.seed; }
  std::uint64_t stream() const { return seeds_.stream; }

  Site& world() const { return world_; }
  int rank() const { return world_.rank(); }
  int ranks() const { return world_.size(); }

  /// The strategy of the measurement, which has one.
  const Strategy& strategy() const { return *measurement_.strategy; }

  /// The communicator of `members`, by the strategy; empty on other ranks. Throws
  /// std::runtime_error if it has another number of ranks. Collective.
  GroupComm communicator(const Members& members) const;

  void free(GroupComm& comm) const;
  void free(std::vector<GroupComm>& comms) const;

  /// Calls the strategy for `members`, which are none on ranks that only enter the call. Within
  /// Waiter::blocking.
  GroupComm form(const Members& members) const {
    return strategy().make(world_, members, communicator_tag);
  }

  /// Seconds since the common start of the measurement, on the clock that all share.
  double now() const;
  void sleep_until(double time) const;

  /// Over all ranks, on all ranks. Collective.
  double largest(double value) const;
  std::vector<double> largest(const std::vector<double>& values) const;
  double smallest(double value) const { return -largest(-value); }
  double sum(double value) const { return sums({value}).front(); }
  std::vector<double> sums(const std::vector<double>& values) const;

  /// Acts from a common start on, `start`, and returns a time, that of this rank.
  using Act = std::function<double(double start)>;

  /// One sample of this rank: waits for all ranks and for a moment that lies ahead for all of them,
  /// acts, and sleeps until `window_s` after the start. Collective.
  Sample once(double window_s, const Act& act) const;

  /// `samples` samples; the time of each is the largest over the ranks. Collective; the same on all
  /// ranks.
  std::vector<Sample> take(int samples, double window_s, const Act& act) const;

  /// `samples` of this rank, numbered and with the largest time over the ranks. Collective.
  std::vector<Sample> slowest(std::vector<Sample> samples) const;

  /// Durations over the ranks that count, in each sample.
  struct Durations {
    std::vector<Sample> smallest;
    std::vector<Sample> mean;
    std::vector<Sample> largest;
  };

  /// Samples of the duration of `act`, after warm-ups, twice the longest of which is the window.
  /// `counts`: whether this rank's duration counts; at least one does. Collective; the same on all
  /// ranks.
  Durations durations(int samples, bool counts, const std::function<void()>& act) const;

  /// The largest of `durations`, or 0 if no rank counts.
  std::vector<Sample> time(int samples, bool counts, const std::function<void()>& act) const;

  static constexpr int warm_ups = 3;
  static constexpr int communicator_tag = 7;

 private:
  /// Samples of this rank.
  std::vector<Sample> own(int samples, double window_s, const Act& act) const;
  /// … of the duration of `act`, after warm-ups.
  std::vector<Sample> own_durations(int samples, bool counts,
                                    const std::function<void()>& act) const;

  const Measurement& measurement_;
  Seeds seeds_;
  Site& world_;
  SharedClock& clock_;
};

}  // namespace regroup
