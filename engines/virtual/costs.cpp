// SPDX-License-Identifier: BSD-3-Clause
#include "regroup/costs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "kernel/files/measured_rows.hpp"
#include "kernel/text/plain_text.hpp"
#include "regroup/numbers.hpp"

namespace regroup {
namespace {

/// Keeps the rows whose number of ranks is nearest to `ranks` on a logarithmic scale.
void keep_nearest(MeasuredRows& rows, int ranks) {
  const auto distance = [&](std::size_t row) {
    return std::abs(levels_of(rows.size(row, "ranks")) - levels_of(ranks));
  };
  if (rows.kept().empty()) throw UserError(fmt::format("{}: no row ended well", rows.path()));
  const double least = distance(*std::ranges::min_element(rows.kept(), {}, distance));
  rows.keep([&](std::size_t row) { return distance(row) <= least; });
}

/// Returns the curve of the column `figure` over `size` of the rows. Of several rows with the same
/// size, the last one counts; rows without a value are skipped.
template <class Size>
CostCurve curve(const MeasuredRows& rows, std::string_view figure, Size size) {
  std::map<double, double> points;
  for (const std::size_t row : rows.kept()) {
    // The upper limit is the same as for costs in a configuration.
    if (rows.text(row, figure).empty()) continue;
    points[levels_of(size(row))] = rows.number(row, real_option(figure, "", 0, 1000, ""));
  }
  if (points.empty()) {
    throw UserError(fmt::format("{}: no row has a {}", rows.path(), figure));
  }
  return {points.begin(), points.end()};
}

}  // namespace

double at(const CostCurve& curve, double log2_size) {
  if (curve.size() == 1 || log2_size <= curve.front().first) return curve.front().second;
  auto right =
      std::ranges::lower_bound(curve, log2_size, {}, [](const auto& p) { return p.first; });
  if (right == curve.end()) --right;
  const auto left = right - 1;
  const double slope = (right->second - left->second) / (right->first - left->first);
  return std::max(0.0, left->second + slope * (log2_size - left->first));
}

double levels_of(double size) {
  static const auto of_small = [] {  // most groups are small
    std::array<double, 257> levels{};
    for (std::size_t n = 2; n < levels.size(); ++n) levels[n] = exact::log2(static_cast<double>(n));
    return levels;
  }();
  if (size <= 1) return 0;
  const bool is_small = size < of_small.size() && size == std::floor(size);
  return is_small ? of_small[static_cast<std::size_t>(size)] : exact::log2(size);
}

MeasuredCosts read_measured_costs(const Options& options, int ranks, const Strategy* strategy) {
  MeasuredCosts costs;
  MeasuredRows steps(options.text("steps_file"));
  keep_nearest(steps, ranks);
  const auto members = [](const MeasuredRows& rows) {
    return [&rows](std::size_t row) { return rows.size(row, "group_size"); };
  };
  costs.look = curve(steps, "look_for_request_s", members(steps)).front().second;
  costs.message = curve(steps, "message_s", members(steps)).front().second;
  costs.tell = curve(steps, "tell_members_s", members(steps));
  costs.exchange = curve(steps, "exchange_loads_s", [&](std::size_t row) {
    return std::ceil(1.0 * steps.size(row, "ranks") / steps.size(row, "group_size"));
  });

  if (strategy == nullptr || strategy->local()) return costs;
  MeasuredRows creation(options.text("costs_file"));
  creation.keep("communicator", strategy->name);
  creation.keep("pattern", "one_group");
  if (strategy->caller == Caller::parent) {
    costs.create = curve(creation, "create_median_s",
                         [&](std::size_t row) { return creation.size(row, "ranks"); });
  } else {
    keep_nearest(creation, ranks);
    costs.create = curve(creation, "create_median_s", members(creation));
  }
  return costs;
}

namespace {

constexpr double largest_us = 1e9;

/// The options of a cost model, with the defaults for one machine.
constexpr std::array<OptionSpec, 10> options(
    std::string_view latency_us, std::string_view bandwidth_mb_s,
    std::string_view look_for_request_us, std::string_view tell_members_us,
    std::string_view exchange_loads_us, std::string_view parent_creation_us,
    std::string_view group_creation_us, std::string_view algorithm1_creation_us) {
  return {
      real_option("latency_us", latency_us, 0, largest_us, "latency of a message, in microseconds"),
      real_option("bandwidth_mb_s", bandwidth_mb_s, 1e-3, 1e12,
                  "bandwidth, in 10^6 bytes per second"),
      real_option("look_for_request_us", look_for_request_us, 0, largest_us,
                  "time that the leader of a group (its lowest rank) needs to check whether "
                  "another group has sent it a message"),
      real_option("tell_members_us", tell_members_us, 0, largest_us,
                  "coefficient in µs: a leader needs this value times log2(group size) to send its "
                  "decision to the members of its group"),
      real_option("exchange_loads_us", exchange_loads_us, 0, largest_us,
                  "coefficient in µs: the leaders of all groups need this value times log2(number "
                  "of groups) to exchange their loads"),
      real_option("parent_creation_us", parent_creation_us, 0, largest_us,
                  "coefficient in µs: a parent-collective strategy needs this value times "
                  "log2(number of all ranks) to create communicators"),
      real_option("group_creation_us", group_creation_us, 0, largest_us,
                  "coefficient in µs: a group-collective strategy needs this value times "
                  "log2(group size) to create a communicator"),
      real_option("algorithm1_creation_us", algorithm1_creation_us, 0, largest_us,
                  "coefficient in µs: the strategy `intercomm_merge` needs this value times the "
                  "square of log2(group size) to create a communicator"),
      real_option("intranode_latency_ratio", "1", 0, 1e6,
                  "factor by which the options in µs, except `look_for_request_us`, are "
                  "multiplied for communication within a node. Needs `ranks_per_node`."),
      real_option("intranode_bandwidth_ratio", "1", 1e-6, 1e6,
                  "factor by which `bandwidth_mb_s` is multiplied for communication within a "
                  "node. Needs `ranks_per_node`.")};
}

constexpr auto free_options = options("0", "1e12", "0", "0", "0", "0", "0", "0");

// A present-day cluster with HDR InfiniBand (200 Gb/s). Latency and bandwidth are typical results
// of the OSU benchmarks there, 1.2 µs and 24 GB/s. A look is a probe that finds no message,
// 0.05 µs. The other values are derived, not measured: a level of a tree costs one message; a level
// of an exchange costs one message and its handling; the creation of a communicator agrees on a
// context by an allreduce (two messages per level) and sets up its tables (about the same time
// again); parent-collective calls first gather colours and keys. Algorithm 1 takes two such steps
// per round.
constexpr auto cluster_options = options("1.2", "24000", "0.05", "1.2", "1.5", "7", "5", "5");

// The paper's machine, Blue Gene/P. IBM's system overview gives 425 MB/s for a link of the torus in
// each direction, and MPI latencies of 3 µs to the nearest and 10 µs to the farthest node; 6 µs
// lies between. Its cores run at 850 MHz, so software steps take about four times as long as on the
// cluster above: 0.2 µs for a look. Costs per level are derived as for the cluster.
constexpr auto bluegene_p_options = options("6", "425", "0.2", "6", "7", "35", "25", "25");

constexpr std::array measured_options{
    file_option(
        "costs_file",
        "file creation.csv, written by `measure: creation`, with times to create communicators"),
    file_option("steps_file",
                "file steps.csv, written by `measure: steps`, with times of messages between "
                "groups, of decisions sent to members, and of exchanges of loads")};

Costs by_levels(const Options& options, int ranks, const Strategy* strategy) {
  return {options, ranks, strategy};
}

Costs as_measured(const Options& options, int ranks, const Strategy* strategy) {
  return {read_measured_costs(options, ranks, strategy), ranks, strategy};
}

constexpr std::array entries{
    CostModel{{"free", "communication takes no time", free_options}, by_levels},
    CostModel{{"cluster", "a present-day InfiniBand cluster", cluster_options}, by_levels},
    CostModel{{"bluegene_p", "Blue Gene/P, the machine of Dinan et al. (EuroMPI 2011)",
               bluegene_p_options},
              by_levels},
    CostModel{{"measured",
               "costs measured on a real machine, with `measure: creation` and `measure: steps`",
               measured_options},
              as_measured},
};

/// Returns the name of the option for the cost of creating a communicator.
const char* option_of(Growth growth) {
  switch (growth) {
    case Growth::log_parent:
      return "parent_creation_us";
    case Growth::log_members:
      return "group_creation_us";
    case Growth::log_squared_members:
      return "algorithm1_creation_us";
    case Growth::none:
      break;
  }
  return nullptr;
}

Growth growth_of(const Strategy* strategy) {
  return strategy == nullptr ? Growth::none : strategy->growth;
}

}  // namespace

std::span<const CostModel> cost_models() { return entries; }

Costs::Costs(const Options& options, int ranks, const Strategy* strategy)
    : ranks_(ranks), growth_(growth_of(strategy)) {
  const auto microseconds = [&](std::string_view option) { return options.real(option) * 1e-6; };
  bytes_per_s_ = options.real("bandwidth_mb_s") * 1e6;
  message_ = microseconds("latency_us") + 32 / bytes_per_s_;
  inside_latency_ = options.real("intranode_latency_ratio");
  inside_bandwidth_ = options.real("intranode_bandwidth_ratio");
  message_inside_ =
      microseconds("latency_us") * inside_latency_ + 32 / (bytes_per_s_ * inside_bandwidth_);
  look_ = microseconds("look_for_request_us");
  tell_ = microseconds("tell_members_us");
  exchange_ = microseconds("exchange_loads_us");
  if (growth_ != Growth::none) create_ = strategy->trees * microseconds(option_of(growth_));
}

Costs::Costs(MeasuredCosts measured, int ranks, const Strategy* strategy)
    : message_(measured.message),
      message_inside_(measured.message),
      look_(measured.look),
      ranks_(ranks),
      growth_(growth_of(strategy)),
      measured_(std::move(measured)) {}

Costs Costs::on(NodeMap nodes) const {
  Costs placed = *this;
  placed.nodes_ = std::move(nodes);
  return placed;
}

double Costs::levels(double size, int nodes) const {
  const double all = levels_of(size);
  if (!differ()) return all;
  const int used = nodes > 0 ? nodes : nodes_.fewest(static_cast<int>(size));
  return all - (1 - inside_latency_) * std::max(0.0, all - levels_of(used));
}

double Costs::tell(int ranks, int nodes) const {
  if (measured_) return ranks > 1 ? at(measured_->tell, levels_of(ranks)) : 0;
  return tell_ * levels(ranks, nodes);
}

double Costs::exchange(std::size_t leaders) const {
  const double number = static_cast<double>(leaders);
  if (measured_) return leaders > 1 ? at(measured_->exchange, levels_of(number)) : 0;
  // Leaders are assumed to be on as many nodes as possible.
  const int nodes = std::min(nodes_.nodes(), static_cast<int>(leaders));
  return exchange_ * levels(number, nodes) + 8 * number / bytes_per_s_;
}

double Costs::create(int members, bool range, int nodes) const {
  if (growth_ == Growth::none) return range ? 0 : create_factor_ * tell(members, nodes);
  const bool by_all = growth_ == Growth::log_parent;
  const double levels = levels_of(by_all ? ranks_ : members);
  if (measured_) return create_factor_ * at(measured_->create, levels);
  const double steps = by_all ? this->levels(ranks_, 0) : this->levels(members, nodes);
  return create_factor_ * create_ *
         (growth_ == Growth::log_squared_members ? steps * levels : steps);
}

// The best broadcast of a long message is a scatter and an allgather, in which each member
// transfers twice the bytes of the message, regardless of the number of members.
// Source: Thakur, Rabenseifner, Gropp, Int. J. High Performance Computing Applications 19, 2005.
double Costs::hand_over(int members, std::int64_t bytes, bool from_elsewhere, int nodes) const {
  if (bytes == 0 || (members == 1 && !from_elsewhere)) return 0;
  const double once = static_cast<double>(bytes) / bytes_per_s_;
  const double steps = levels(members, nodes);
  const bool inside = differ() && (nodes > 0 ? nodes : nodes_.fewest(members)) == 1;
  const double spread = std::min(levels_of(members), 2.0) * once;
  const double here = 3 * steps * message_ + (inside ? spread / inside_bandwidth_ : spread);
  return from_elsewhere ? here + 2 * steps * message_ + message_ + once : here;
}

Costs Costs::with_dearer_creation(double factor) const {
  Costs dearer = *this;
  dearer.create_factor_ *= factor;
  return dearer;
}

Forecast forecast_of(const ItemTime& time, const Costs& costs, std::int64_t state_bytes) {
  return {[&time](int ranks) { return time.seconds(ranks); },
          [&costs](int ranks) { return costs.look() + costs.tell(ranks); },
          [&costs, state_bytes](int ranks) {
            return 2 * costs.message() + costs.tell(ranks) + costs.create(ranks) +
                   costs.hand_over(ranks, state_bytes);
          }};
}

}  // namespace regroup
