// SPDX-License-Identifier: BSD-3-Clause
//
// The environment of a measurement on every rank: the ranks, a common clock, and functions that
// take samples.
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

/// Seeds of the random numbers of a measurement.
struct Seeds {
  std::uint64_t seed = 1;    ///< seed of the configuration, equal in all repetitions
  std::uint64_t stream = 1;  ///< stream of this repetition
};

/// One call of a CollectiveOperation on one member. For every kind of communicator, `comm.comm()`
/// and `comm.translate(member)` are the MPI communicator and the rank for messages to a member.
struct CollectiveCall {
  const GroupComm& comm;
  const Waiter& waiter;  ///< for requests of MPI: `waiter.wait_in_mpi(request)`
  Participants participants;
  int count = 0;      ///< elements of each part
  MPI_Datatype type;  ///< MPI_DOUBLE, or MPI_UNSIGNED_CHAR if a part is not a multiple of 8 bytes
  const void* data = nullptr;   ///< consecutive parts, with the values of collective_datum
  void* result = nullptr;       ///< consecutive parts
  const int* counts = nullptr;  ///< `count` for each member, as functions like MPI_Gatherv need it
  const int* begins = nullptr;  ///< the first element of the part of each member
};

/// A measurement in progress. All ranks must call the functions marked as collective.
///
/// A sample starts at the same time on all ranks and ends with the last rank that counts. Ranks
/// that finish earlier sleep until the window of the sample ends, so that they do not compete for
/// cores.
class Bench {
 public:
  /// `world` and `clock` must outlive this object.
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

  /// The strategy of the measurement, which must have one.
  const Strategy& strategy() const { return *measurement_.strategy; }

  /// Creates the communicator of `members` with the strategy; empty on other ranks. Throws
  /// std::runtime_error if the result has another number of ranks. Collective.
  GroupComm communicator(const Members& members) const;

  void free(GroupComm& comm) const;
  void free(std::vector<GroupComm>& comms) const;

  /// Calls the strategy for `members`, which are empty on ranks that only enter the call. Call it
  /// within Waiter::blocking.
  GroupComm form(const Members& members) const {
    return strategy().make(world_, members, communicator_tag);
  }

  /// Seconds since the common start of the measurement, on the common clock.
  double now() const;
  void sleep_until(double time) const;

  /// Reduction over all ranks; all ranks get the result. Collective.
  double largest(double value) const;
  std::vector<double> largest(const std::vector<double>& values) const;
  double smallest(double value) const { return -largest(-value); }
  double sum(double value) const { return sums({value}).front(); }
  std::vector<double> sums(const std::vector<double>& values) const;

  /// Function that is executed from the common start `start` and returns the time of this rank.
  using Act = std::function<double(double start)>;

  /// One sample of this rank: waits for all ranks and for the common start, calls the function, and
  /// sleeps until `window_s` after the start. Collective.
  Sample once(double window_s, const Act& act) const;

  /// Takes `samples` samples; the time of each is the maximum over the ranks. Collective; equal on
  /// all ranks.
  std::vector<Sample> take(int samples, double window_s, const Act& act) const;

  /// Numbers the `samples` of this rank and replaces their times by the maximum over the ranks.
  /// Collective.
  std::vector<Sample> slowest(std::vector<Sample> samples) const;

  /// Durations of the samples, over the ranks that count.
  struct Durations {
    std::vector<Sample> smallest;
    std::vector<Sample> mean;
    std::vector<Sample> largest;
  };

  /// Takes samples of the duration of `act`, after warm-ups; the window is twice the longest
  /// warm-up. `counts`: whether the duration of this rank counts, which must hold for at least one
  /// rank. Collective; equal on all ranks.
  Durations durations(int samples, bool counts, const std::function<void()>& act) const;

  /// As durations(), but each sample is the maximum over the ranks that count; 0 if no rank counts.
  std::vector<Sample> time(int samples, bool counts, const std::function<void()>& act) const;

  static constexpr int warm_ups = 3;
  static constexpr int communicator_tag = 7;

 private:
  /// Takes samples of this rank.
  std::vector<Sample> own(int samples, double window_s, const Act& act) const;
  /// Takes samples of the duration of `act` on this rank, after warm-ups.
  std::vector<Sample> own_durations(int samples, bool counts,
                                    const std::function<void()>& act) const;

  const Measurement& measurement_;
  Seeds seeds_;
  Site& world_;
  SharedClock& clock_;
};

}  // namespace regroup
