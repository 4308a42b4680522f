// SPDX-License-Identifier: BSD-3-Clause
//
// What a measurement works with on every rank: the ranks, a clock that all share, and how samples
// are taken.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "regroup/communicator.hpp"
#include "regroup/measurement.hpp"

namespace regroup {

class SharedClock;

/// One measurement in progress. Functions marked as collective are called by all ranks.
///
/// A sample begins at a common start and ends with the last rank that counts: the time of one rank
/// says little, since it may come when everything is there. Ranks that have nothing to do, or are
/// done, sleep until the window of the sample ends: polling for the next one would take the cores
/// from others.
class Bench {
 public:
  /// `clock` and `world` outlive this.
  Bench(const Measurement& measurement, std::uint64_t stream, Site& world, SharedClock& clock)
      : measurement_(measurement), stream_(stream), world_(world), clock_(clock) {}

  const Measurement& measurement() const { return measurement_; }
  int integer(std::string_view option) const;
  double real(std::string_view option) const { return measurement_.options.real(option); }
  const std::string& text(std::string_view option) const {
    return measurement_.options.text(option);
  }
  std::uint64_t stream() const { return stream_; }  ///< of random numbers, by seed and repetition

  Site& world() const { return world_; }
  int rank() const { return world_.rank(); }
  int ranks() const { return world_.size(); }

  /// The communicator of `members` by the strategy of the measurement; an empty one on other ranks,
  /// which only enter the call if the strategy wants them to. Throws std::runtime_error if it has
  /// another number of ranks. Collective.
  GroupComm communicator(const Members& members) const;

  /// Calls the function of the strategy, with tag `tag_of_communicators`.
  GroupComm form(const Members& members) const;

  /// Seconds since the common start of the measurement, on the clock that all share.
  double now() const;
  void sleep_until(double time) const;

  /// Waits until all ranks have come, and for a moment that lies ahead for all; returns that moment.
  /// Collective.
  double common_start() const;

  /// Over all ranks, on all ranks. Collective.
  double largest(double value) const;
  std::vector<double> largest(const std::vector<double>& values) const;
  double sum(double value) const;

  /// One sample of this rank: a common start, `act`, which gets the start and returns this rank's
  /// time, and sleep until `window_s` after the start. Collective.
  Sample once(double window_s, const std::function<double(double start)>& act) const;

  /// As many samples; their times are the largest over the ranks. Collective; the same on all ranks.
  std::vector<Sample> take(int samples, double window_s,
                           const std::function<double(double start)>& act) const;

  /// `samples`, which are numbered from 1 on, with the largest time over the ranks in each.
  /// Collective.
  std::vector<Sample> slowest(std::vector<Sample> samples) const;

  /// Times `act`: warm-ups first, whose longest gives the window. `counts`: whether this rank's time
  /// does. Collective; the same on all ranks.
  std::vector<Sample> time(int samples, bool counts, const std::function<void()>& act) const;

  static constexpr int warm_ups = 3;

 private:
  const Measurement& measurement_;
  std::uint64_t stream_;
  Site& world_;
  SharedClock& clock_;
};

}  // namespace regroup
