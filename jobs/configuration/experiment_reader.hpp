// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "jobs/configuration/experiment.hpp"
#include "jobs/configuration/reader.hpp"
#include "kernel/balancer.hpp"
#include "kernel/options.hpp"

namespace regroup {

/// The list of engines: what carries out the decisions of a balancer.
struct EngineEntry : Entry {
  std::string_view clock;  ///< that its times are read from
  int most_ranks;
};
std::span<const EngineEntry> engines();

/// The scalar parameters of a configuration that may be lists, with their limits.
std::span<const OptionSpec> parameters();

/// All keys of the configuration of an experiment.
std::vector<ConfigKey> experiment_keys();

/// The key `communicator` of `balancer`, where it ever regroups.
std::optional<ConfigKey> communicator_key(const BalancerEntry& balancer);

inline constexpr OptionSpec repetitions_parameter =
    integer_option("repetitions", "1", 1, 1e6, "how often each run is repeated");

/// Reads and checks the configuration of an experiment. Throws UserError with FILE:LINE for every
/// mistake.
Experiment read_experiment(const ConfigSource& source);

}  // namespace regroup
