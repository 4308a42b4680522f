// SPDX-License-Identifier: BSD-3-Clause
//
// The times that measurements take again and again, and the figures that come of them: where they
// are measured, and where results are checked.
#pragma once

#include <mpi.h>

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engines/mpi/shared_clock.hpp"
#include "kernel/chains/live_chain.hpp"
#include "regroup/communicator.hpp"
#include "regroup/groups.hpp"
#include "regroup/measurement.hpp"
#include "regroup/outcome.hpp"
#include "regroup/strategy.hpp"

namespace regroup {

/// What becomes of the samples of a time called NAME_s.
enum class Becomes {
  spread,      ///< NAME_min_s, NAME_median_s, NAME_low_s and NAME_high_s
  interval,    ///< NAME_s, the median, NAME_low_s and NAME_high_s
  middle,      ///< NAME_s, the median
  only_hidden  ///< nothing by itself
};

struct SampledTime {
  std::string_view name;
  std::string_view help;
  Becomes becomes;
  bool is_difference = false;  ///< so that it may be below 0
};
std::span<const SampledTime> sampled_times();

/// The figures that `samples`, which are whole, come to.
std::map<std::string, double> figures_of(const Samples& samples);

/// Those of one time; none where `samples` have none of it.
std::map<std::string, double> figures_of(const SampledTime& time, const Samples& samples);

/// Whether a figure of this name is made of samples.
bool comes_of_samples(std::string_view figure);

/// Adds the next one.
void add(std::vector<Sample>& samples, double began_s, double value_s);

/// So many samples of a time are kept at most; of more, every so many-th, from the first on.
inline constexpr std::size_t most_kept = 1000;
Samples kept_of(Samples samples);

/// Of so many, each how many-th is kept, and how many that are.
std::size_t kept_every(std::size_t samples);
std::size_t kept_of(std::size_t samples);

struct Bench;

/// What a measurement finds out: samples, and figures that do not come of them (sampled.hpp).
struct Findings {
  Samples samples;
  std::map<std::string, double> figures;
};

/// Makes a kind of measurement. Collective; what it answers is whole on rank 0.
using Find = Findings (*)(const Bench& bench);

/// A measurement, with every name resolved.
struct Subject {
  Find find = nullptr;
  int ranks = 1;
  std::string waiting = "auto";  ///< how processes are to wait: auto, wrapper, polite or direct
  Options options;               ///< those of its kind
  Strategy strategy{};           ///< where the kind has one
  MakeCommunicator make = nullptr;
  std::vector<Layer> layers;  ///< the groups that are formed, where its kind has patterns
  WalkerSource walkers;       ///< where the kind has a walker, whose items take a rank …
  double item_s = 0;          ///< … so long, by the configuration, and whose chain draws by …
  std::uint64_t stream = 1;   ///< … this stream of random numbers, as does what is sorted
  std::function<void()> on_start = nullptr;  ///< where given, rank 0 calls it at the common start
};

/// Makes the measurement with the processes of `world`, collectively. Its figures are whole on
/// rank 0. Throws std::invalid_argument where `world` has not the number of ranks that it wants.
Outcome measure(const Subject& subject, MPI_Comm world);

/// What every kind of measurement works with.
struct Bench {
  const Subject& subject;
  Site& world;
  SharedClock& clock;

  int integer(std::string_view option) const {
    return static_cast<int>(subject.options.integer(option));
  }
};

// The kinds.
Findings measure_creation(const Bench& bench);
Findings measure_collectives(const Bench& bench);
Findings measure_steps(const Bench& bench);
Findings measure_items(const Bench& bench);
Findings measure_sort(const Bench& bench);

// How groups are timed that some of the ranks form: each sample begins at a common start
// (common_start.hpp) and ends with the last member's end; the time that one member takes would say
// little, since it may come when all is there. Ranks outside, and who is done, sleep for as long as
// samples take: polling for the next one would take the cores from others.

/// The communicator of `members`, by the strategy of the measurement; none on other ranks, which do
/// nothing but what the strategy wants of them. Throws std::runtime_error where it has not got the
/// members' number of ranks. Called by all ranks.
GroupComm make_communicator(const Bench& bench, const Members& members);

/// Samples that do not count come first.
inline constexpr int warm_ups = 3;

/// The largest of all ranks, for each of `numbers`. Collective.
std::vector<double> largest_of_all(const std::vector<double>& numbers, Site& world);

/// `samples` with the largest value of all ranks in each. Collective.
std::vector<Sample> of_the_slowest(std::vector<Sample> samples, Site& world);

/// What the slowest of all ranks takes to `act`, in each of `samples` samples, after some that only
/// warm up. All ranks act in each of them; the time of those that are no members does not count.
/// Collective; all ranks learn the times.
std::vector<Sample> time_samples(const Bench& bench, int samples, bool is_member,
                                 const std::function<void()>& act);

/// Messages that this process has sent so far, and the bytes in them.
struct MessageCount {
  long long messages = 0;
  long long bytes = 0;
};

/// Those that were sent by calls of MPI (MPI_Send, MPI_Isend), seen through its profiling
/// interface. What MPI's own constructors and collectives send does not pass there. Only the
/// program regroup-mpi counts; elsewhere nothing is known.
std::optional<MessageCount> profiled_messages();

/// Calls of MPI's functions that make communicators, likewise.
std::optional<long long> profiled_constructors();

/// All that the MPI library handed to UCX; known where transport_count.c is in or preloaded.
std::optional<MessageCount> transport_messages();

}  // namespace regroup
