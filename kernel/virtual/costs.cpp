// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/virtual/costs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "communicators/strategies.hpp"
#include "kernel/exact_math.hpp"
#include "kernel/virtual/measured_costs.hpp"

namespace regroup {
namespace {

using Type = OptionSpec::Type;

constexpr double largest_us = 1e9;

/// The options of a cost model with the fallbacks of one machine.
constexpr std::array<OptionSpec, 8> options(std::string_view latency_us,
                                            std::string_view bandwidth_mb_s,
                                            std::string_view look_us, std::string_view tell_us,
                                            std::string_view exchange_us,
                                            std::string_view parent_us, std::string_view group_us,
                                            std::string_view algorithm1_us) {
  return {OptionSpec{"latency_us", Type::real, latency_us, 0, largest_us, "", "of a message"},
          OptionSpec{"bandwidth_mb_s", Type::real, bandwidth_mb_s, 1e-3, 1e12, "", "of a message"},
          OptionSpec{"look_us", Type::real, look_us, 0, largest_us, "", "looking for a request"},
          OptionSpec{"tell_us", Type::real, tell_us, 0, largest_us, "",
                     "telling g members, times log2 g"},
          OptionSpec{"exchange_us", Type::real, exchange_us, 0, largest_us, "",
                     "exchanging loads among n leaders, times log2 n"},
          OptionSpec{"parent_us", Type::real, parent_us, 0, largest_us, "",
                     "a parent-collective strategy on p ranks, times log2 p"},
          OptionSpec{"group_us", Type::real, group_us, 0, largest_us, "",
                     "a group-collective strategy with g members, times log2 g"},
          OptionSpec{"algorithm1_us", Type::real, algorithm1_us, 0, largest_us, "",
                     "the paper's Algorithm 1 with g members, times (log2 g)^2"}};
}

constexpr auto free_options = options("0", "1e12", "0", "0", "0", "0", "0", "0");

// A present-day cluster with HDR InfiniBand (200 Gb/s). Latency and bandwidth are what small and
// large messages commonly reach with the OSU benchmarks there: 1.2 µs, 24 GB/s. A look is a probe
// that finds nothing, 0.05 µs. The rest is derived, not measured: a level of a tree costs a
// message; a level of an exchange costs a message and its handling; forming a communicator agrees
// on a context by an allreduce (two messages a level) and sets up its tables (about as long again);
// the parent-collective calls gather colours and keys first. Algorithm 1 does two such steps a
// round.
constexpr auto cluster_options = options("1.2", "24000", "0.05", "1.2", "1.5", "7", "5", "5");

// The paper's machine, Blue Gene/P. IBM's system overview gives 425 MB/s for a link of the torus in
// each direction, and MPI latencies of 3 µs to the nearest and 10 µs to the farthest node; 6 is
// between. Its cores run at 850 MHz, so software steps take some four times as long as on the
// cluster above: looking 0.2 µs. Levels are derived from the latency as for the cluster.
constexpr auto bluegene_p_options = options("6", "425", "0.2", "6", "7", "35", "25", "25");

constexpr std::array measured_options{
    OptionSpec{"costs_file", Type::file, "", 0, 0, "",
               "a creation.csv: what forming communicators costs on a real machine"},
    OptionSpec{"steps_file", Type::file, "", 0, 0, "",
               "a steps.csv: what messages, orders and exchanges cost there"}};

constexpr std::array entries{
    Entry{"free", "communication takes no time", free_options},
    Entry{"cluster", "a present-day InfiniBand cluster", cluster_options},
    Entry{"bluegene_p", "the paper's machine", bluegene_p_options},
    Entry{"measured", "as `regroup creation` and `regroup steps` measured it on a real machine",
          measured_options},
};

double log2_of(double number) { return number > 1 ? exact::log2(number) : 0; }

}  // namespace

std::span<const Entry> cost_models() { return entries; }

Costs::Costs(const Scenario& scenario) : ranks_(scenario.ranks) {
  // A scenario of another engine has no costs: simulated, its communication is free.
  const std::string name = scenario.costs.name.empty() ? "free" : scenario.costs.name;
  const Entry* entry = find_entry(cost_models(), name);
  if (entry == nullptr) {
    throw std::invalid_argument(fmt::format("unknown costs '{}'", name));
  }
  options_ = with_fallbacks(*entry).options;
  for (const auto& [option, value] : scenario.costs.options) options_.set(option, value);
  const Strategy* strategy = find_entry(strategies, scenario.communicator);
  if (strategy != nullptr && !strategy->local) {  // balancers form ranges
    shape_ = strategy->caller == Caller::parent    ? Shape::log_parent
             : strategy->name == "intercomm_merge" ? Shape::log_squared_members
                                                   : Shape::log_members;
  }
  if (options_.has("costs_file")) {
    measured_ = read_measured_costs(scenario);
    message_ = measured_->message;
    look_ = measured_->look;
    return;
  }
  message_ = per_level("latency_us") + 32 / bytes_per_s();
  look_ = per_level("look_us");
}

double Costs::tell(int ranks) const {
  if (measured_) return ranks > 1 ? at(measured_->tell, log2_of(ranks)) : 0;
  return per_level("tell_us") * log2_of(ranks);
}

double Costs::exchange(std::size_t leaders) const {
  const double number = static_cast<double>(leaders);
  if (measured_) return leaders > 1 ? at(measured_->exchange, log2_of(number)) : 0;
  return per_level("exchange_us") * log2_of(number) + 8 * number / bytes_per_s();
}

double Costs::create(int members) const {
  if (shape_ == Shape::none) return 0;
  const double levels = log2_of(shape_ == Shape::log_parent ? ranks_ : members);
  if (measured_) return at(measured_->create, levels);
  switch (shape_) {
    case Shape::log_parent:
      return per_level("parent_us") * levels;
    case Shape::log_members:
      return per_level("group_us") * levels;
    case Shape::log_squared_members:
      return per_level("algorithm1_us") * levels * levels;
    case Shape::none:
      break;
  }
  return 0;
}

}  // namespace regroup
