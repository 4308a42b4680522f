// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "communicators/make.hpp"
#include "communicators/site.hpp"
#include "communicators/strategies.hpp"
#include "kernel/chains/live_chain.hpp"
#include "kernel/measurement/patterns.hpp"
#include "kernel/mpi/stage/shared_clock.hpp"
#include "kernel/outcome.hpp"

namespace regroup {

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

}  // namespace regroup
