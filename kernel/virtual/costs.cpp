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

constexpr auto measured_options = [] {
  const auto base = options("1.2", "24000", "0.05", "1.2", "1.5", "0", "0", "0");
  std::array<OptionSpec, base.size() + 1> all{
      OptionSpec{"costs_file", Type::file, "", 0, 0, "",
                 "a creation.csv: what forming communicators costs on a real machine"}};
  std::copy(base.begin(), base.end(), all.begin() + 1);
  return all;
}();

constexpr std::array entries{
    Entry{"free", "communication takes no time", free_options},
    Entry{"cluster", "a present-day InfiniBand cluster", cluster_options},
    Entry{"bluegene_p", "the paper's machine", bluegene_p_options},
    Entry{"measured", "forming communicators as measured on a real machine, the rest as given",
          measured_options},
};

double log2_of(double number) { return number > 1 ? exact::log2(number) : 0; }

/// On the line between the two nearest points; beyond the last one, on through the last two.
double interpolated(std::span<const std::pair<double, double>> points, double x) {
  if (points.size() == 1 || x <= points.front().first) return points.front().second;
  auto right = std::ranges::lower_bound(points, x, {}, [](const auto& p) { return p.first; });
  if (right == points.end()) --right;
  const auto left = right - 1;
  const double slope = (right->second - left->second) / (right->first - left->first);
  return std::max(0.0, left->second + slope * (x - left->first));
}

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
  const double bandwidth = options_.real("bandwidth_mb_s") * 1e6;
  message_ = per_level("latency_us") + 32 / bandwidth;
  look_ = per_level("look_us");
  const Strategy* strategy = find_entry(strategies, scenario.communicator);
  if (strategy == nullptr || strategy->local) return;  // balancers form ranges
  const bool parent = strategy->caller == Caller::parent;
  shape_ = parent                                ? Shape::log_parent
           : strategy->name == "intercomm_merge" ? Shape::log_squared_members
                                                 : Shape::log_members;
  if (options_.has("costs_file")) {
    measured_ = read_measured_costs(options_.text("costs_file"), scenario.communicator, parent);
  }
}

double Costs::tell(int ranks) const { return per_level("tell_us") * log2_of(ranks); }

double Costs::exchange(std::size_t leaders) const {
  const double number = static_cast<double>(leaders);
  return per_level("exchange_us") * log2_of(number) +
         8 * number / (options_.real("bandwidth_mb_s") * 1e6);
}

double Costs::create(int members) const {
  const double levels = log2_of(members);
  const double size = shape_ == Shape::log_parent ? log2_of(ranks_) : levels;
  if (!measured_.empty()) return interpolated(measured_, size);
  switch (shape_) {
    case Shape::none:
      return 0;
    case Shape::log_parent:
      return per_level("parent_us") * size;
    case Shape::log_members:
      return per_level("group_us") * size;
    case Shape::log_squared_members:
      return per_level("algorithm1_us") * size * size;
  }
  return 0;
}

}  // namespace regroup
