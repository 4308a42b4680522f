// SPDX-License-Identifier: BSD-3-Clause
//
// The kind of measurement `creation`: the cost of forming communicators, by strategy and by the
// pattern of the groups that are formed.
#include "measurements/creation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <utility>

#include "engines/mpi/surroundings.hpp"
#include "measurements/kinds.hpp"
#include "regroup/numbers.hpp"

namespace regroup {
namespace {

// ---- patterns

std::vector<Layer> one_group(int, int group_size, std::uint64_t) {
  return {{Members::range(0, group_size)}};
}

std::vector<Layer> disjoint(int ranks, int group_size, std::uint64_t) {
  Layer layer;
  for (int first = 0; first < ranks; first += group_size) {
    layer.push_back(Members::range(first, std::min(group_size, ranks - first)));
  }
  return {layer};
}

int half(int ranks) { return (ranks + 1) / 2; }

std::vector<Layer> halves(int ranks, int, std::uint64_t) { return disjoint(ranks, half(ranks), 0); }

int four(int ranks) { return std::min(ranks, 4); }

/// Returns groups of four ranks; neighbouring groups share one rank: 0-3, 3-6, 6-9, …
std::vector<Members> overlapping(int ranks) {
  std::vector<Members> groups;
  for (int first = 0; first == 0 || first + 1 < ranks; first += 3) {
    groups.push_back(Members::range(first, std::min(4, ranks - first)));
  }
  return groups;
}

std::vector<Layer> cascaded(int ranks, int, std::uint64_t) {
  std::vector<Layer> layers;
  for (const Members& group : overlapping(ranks)) layers.push_back({group});
  return layers;
}

std::vector<Layer> alternating(int ranks, int, std::uint64_t) {
  std::vector<Layer> layers(2);
  const std::vector<Members> groups = overlapping(ranks);
  for (std::size_t i = 0; i < groups.size(); ++i) layers[i % 2].push_back(groups[i]);
  if (layers[1].empty()) layers.pop_back();
  return layers;
}

std::vector<Layer> random_subset(int ranks, int group_size, std::uint64_t seed) {
  std::vector<int> all(static_cast<std::size_t>(ranks));
  std::iota(all.begin(), all.end(), 0);
  for (std::size_t i = 0; i < static_cast<std::size_t>(group_size); ++i) {
    const std::uint64_t bits = random_bits(seed, Purpose::subset, i, 0);
    std::swap(all[i], all[i + bits % (all.size() - i)]);
  }
  all.resize(static_cast<std::size_t>(group_size));
  std::ranges::sort(all);
  return {{Members::list(all)}};
}

/// Returns a group of pairs of ranks with gaps of one rank: 0, 1, 3, 4, 6, 7, …
std::vector<Layer> pairs(int ranks, int group_size, std::uint64_t) {
  std::vector<int> members;
  int outside = ranks - group_size;
  for (int rank = 0; std::ssize(members) < group_size; ++rank) {
    if (rank % 3 == 2 && outside > 0) {
      --outside;
    } else {
      members.push_back(rank);
    }
  }
  return {{Members::list(members)}};
}

/// Returns the ranks of each node, in ascending order.
std::vector<std::vector<int>> ranks_of_nodes(const NodeMap& nodes, int ranks) {
  std::vector<std::vector<int>> all(static_cast<std::size_t>(nodes.nodes()));
  for (int rank = 0; rank < ranks; ++rank) {
    all[static_cast<std::size_t>(nodes.of(rank))].push_back(rank);
  }
  return all;
}

std::vector<Layer> in_one_layer(Layer groups) {
  if (groups.empty()) return {};
  return {std::move(groups)};
}

std::vector<Layer> within_node(const NodeMap& nodes, int ranks, int group_size) {
  const auto size = static_cast<std::size_t>(group_size);
  Layer groups;
  for (const std::vector<int>& all : ranks_of_nodes(nodes, ranks)) {
    for (std::size_t first = 0; first + size <= all.size(); first += size) {
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
      groups.push_back(Members::list({begin, begin + group_size}));
    }
  }
  return in_one_layer(std::move(groups));
}

/// Each group takes one rank from each of the nodes with the most ranks left, which yields the
/// largest possible number of groups.
std::vector<Layer> across_nodes(const NodeMap& nodes, int ranks, int group_size) {
  const auto size = static_cast<std::size_t>(group_size);
  std::vector<std::vector<int>> left = ranks_of_nodes(nodes, ranks);
  for (std::vector<int>& all : left) std::ranges::reverse(all);  // the lowest is taken first
  Layer groups;
  while (left.size() >= size) {
    std::ranges::stable_sort(left, std::greater(), &std::vector<int>::size);
    if (left[size - 1].empty()) break;
    std::vector<int> members;
    for (std::size_t i = 0; i < size; ++i) {
      members.push_back(left[i].back());
      left[i].pop_back();
    }
    std::ranges::sort(members);
    groups.push_back(Members::list(members));
  }
  return in_one_layer(std::move(groups));
}

constexpr std::array all_patterns{
    Pattern{"one_group", "one group of the first `group_size` ranks. Other ranks are idle.",
            one_group},
    Pattern{
        "disjoint",
        "all ranks in groups of `group_size` consecutive ranks; all groups are created at the same "
        "time",
        disjoint},
    Pattern{
        "halves",
        "the lower and the upper half of the ranks, two groups that are created at the same time",
        halves, half},
    Pattern{"cascaded",
            "overlapping groups of four ranks: 0-3, 3-6, 6-9, …. A rank that belongs to two groups "
            "creates the lower one first.",
            cascaded, four},
    Pattern{"alternating",
            "the groups of `cascaded` in two steps: first 0-3, 6-9, …, then 3-6, 9-12, …",
            alternating, four},
    Pattern{"random_subset",
            "one group of `group_size` ranks, which the seed selects at random, in ascending order",
            random_subset, nullptr, true},
    Pattern{
        "pairs",
        "one group of `group_size` ranks in pairs with gaps of one rank: 0, 1, 3, 4, 6, 7, …. "
        "If the world has too few ranks for all gaps, the last ranks of the group are consecutive.",
        pairs},
    Pattern{"within_node",
            "groups of `group_size` ranks that share a node, as many as possible. All groups are "
            "created at the same time.",
            nullptr, nullptr, false, within_node},
    Pattern{"across_nodes",
            "groups of `group_size` ranks on different nodes, as many as possible. All groups are "
            "created at the same time.",
            nullptr, nullptr, false, across_nodes},
};

const Pattern& pattern_of(const Measurement& measurement) {
  return *find_entry(all_patterns, measurement.options.text("pattern"));
}

int group_size_of(const Measurement& measurement) {
  return static_cast<int>(measurement.options.integer("group_size"));
}

// ---- limits

std::string hindrance_by_groups(std::span<const Layer> layers, const Strategy& strategy,
                                int ranks) {
  for (const Layer& layer : layers) {
    for (const Members& group : layer) {
      const std::string reason = hindrance_by_strategy(strategy, group, ranks);
      if (!reason.empty()) return reason;
    }
  }
  return {};
}

void settle_creation(Measurement& measurement, int ranks) {
  if (settle_whole_groups(measurement, ranks)) measurement.options.set("pattern", "one_group");
  const auto own_size = pattern_of(measurement).own_size;
  if (own_size != nullptr) measurement.options.set("group_size", std::to_string(own_size(ranks)));
}

/// Does not check groups that depend on nodes: layers_of() does.
std::string hindrance_of_creation(const Measurement& measurement, int ranks, std::uint64_t seed) {
  const Pattern& pattern = pattern_of(measurement);
  const int group_size = group_size_of(measurement);
  const std::string reason = hindrance_by_size(group_size, ranks);
  if (!reason.empty() || pattern.layers == nullptr) return reason;
  return hindrance_by_groups(pattern.layers(ranks, group_size, seed), *measurement.strategy, ranks);
}

bool draws_groups(const Measurement& measurement) { return pattern_of(measurement).drawn; }

}  // namespace

std::span<const Pattern> patterns() { return all_patterns; }

std::string hindrance_on(const NodeMap& nodes, const Pattern& pattern, int group_size, int ranks,
                         const Strategy& strategy) {
  const std::vector<Layer> layers = pattern.layers_on(nodes, ranks, group_size);
  if (!layers.empty()) return hindrance_by_groups(layers, strategy, ranks);
  return fmt::format("no group of {} is {}: {} ranks are on {} node{}, at most {} on one",
                     group_size, pattern.name, ranks, nodes.nodes(), nodes.nodes() == 1 ? "" : "s",
                     nodes.most_ranks());
}

std::vector<Layer> layers_of(const Bench& bench) {
  const Pattern& pattern = pattern_of(bench.measurement());
  const int group_size = group_size_of(bench.measurement());
  if (pattern.layers != nullptr) return pattern.layers(bench.ranks(), group_size, bench.seed());
  NodeMap nodes;
  bench.world().waiter().blocking(
      [&] { nodes = NodeMap(find_nodes(own_location().host, bench.world().comm())); });
  const std::string reason =
      hindrance_on(nodes, pattern, group_size, bench.ranks(), bench.strategy());
  if (!reason.empty()) throw Unsupported(reason);
  return pattern.layers_on(nodes, bench.ranks(), group_size);
}

namespace {

// ---- the row

constexpr std::array options{
    strategy_option("communicator", "", {}, "communicator strategy"),
    choice_option<all_patterns>("pattern", "one_group", "which groups are created"),
    group_size_option,
    samples_option,
    real_option("item_ms", "2", 0, 1e4,
                "duration, in milliseconds, of items that ranks outside the group execute, in "
                "order to measure how much a creation delays them. If 0, this is not measured."),
    real_option("late_ms", "5", 0, 1e4,
                "delay, in milliseconds, with which one member joins a creation. The time from its "
                "arrival to the end of the creation is measured. If 0, this is not measured."),
    integer_option("attributes", "0", 0, 1000,
                   "number of attributes of the world communicator. Its copies (`dup`, `idup` and "
                   "their variants) inherit them."),
    integer_option(
        "in_flight", "0", 0, 1000,
        "number of communicators that each group creates at the same time. The creations "
        "are measured alone and overlapped with work. Only for `idup`, and for "
        "`icreate_group` if groups are not ranges. If 0, this is not measured."),
    integer_option("storm_regroupings", "0", 0, 1e9,
                   "number of random regroupings. Before and after them, Regroup counts how many "
                   "communicators can exist at the same time. The difference is the number of "
                   "communicators that can no longer be created. If 0, this is not measured."),
};

constexpr std::array times{
    SampledTime{"create_s", "time to create the communicator, maximum over the members"},
    SampledTime{"free_s", "time to free the communicator, maximum over the members"},
    SampledTime{"bystander_s",
                "time (a difference that may be negative) that a rank outside the group loses by a "
                "creation, mean over these ranks",
                Becomes::interval, true},
    SampledTime{"busy_create_s", "time to create the communicator while other ranks execute items",
                Becomes::median},
    SampledTime{
        "late_create_s",
        "time to create the communicator if one member enters the call late, minus its delay",
        Becomes::median, true},
    SampledTime{"in_flight_s",
                "time to create `in_flight` communicators of each group at the same time, maximum "
                "over the members",
                Becomes::interval},
    SampledTime{"in_flight_work_s", "duration of the simultaneous work without creations",
                Becomes::none},
    SampledTime{"in_flight_both_s", "duration of creations and work at the same time",
                Becomes::none},
};

constexpr bool count = true;

constexpr std::array figures{
    Figure{"hidden_fraction",
           "fraction of `in_flight_s` that is saved if the members work for the same time during "
           "the creations, and test them ten times: median"},
    Figure{"hidden_fraction_low", "… lower end of the 95 % confidence interval of the median"},
    Figure{"hidden_fraction_high", "… upper end"},
    Figure{"formed_groups", "number of groups formed", count},
    Figure{"formed_ranks_min", "ranks of the smallest communicator created", count},
    Figure{"formed_ranks_max", "ranks of the largest communicator created", count},
    Figure{"creations_per_sample",
           "number of consecutive creations in a sample. The sample is their mean time.", count},
    Figure{"mpi_messages", "messages that one creation sends by MPI calls, sum over all ranks",
           count},
    Figure{"mpi_bytes", "number of bytes in these messages", count},
    Figure{"transport_messages",
           "messages that MPI sends to the network for one creation, sum over all ranks (MPICH "
           "with UCX only)",
           count},
    Figure{"transport_bytes", "number of bytes in these messages", count},
    Figure{"communicators_alive_before",
           "number of communicators of a rank before the measurement, maximum over the ranks",
           count},
    Figure{"communicators_alive_max", "… at any time during the measurement", count},
    Figure{"communicators_alive_after", "… after the measurement", count},
    Figure{"communicators_limit_local",
           "number of additional communicators of one process alone that can exist at the same "
           "time, minimum over the ranks. 4096 means at least that number.",
           count},
    Figure{"communicators_limit_common", "… of all ranks together", count},
    Figure{"storm_alive",
           "number of communicators of a rank after random regroupings, maximum over the ranks",
           count},
    Figure{"storm_limit_local",
           "number of additional communicators of one process alone that can exist after random "
           "regroupings",
           count},
    Figure{"storm_limit_common", "… of all ranks together", count},
    Figure{"storm_lost",
           "communicators lost to fragmentation: `communicators_limit_common` minus `storm_alive` "
           "minus `storm_limit_common`",
           count},
    Figure{"storm_leaked", "communicators that cannot be created even after all have been freed",
           count},
};

constexpr std::array<std::string_view, 3> compared{"communicator", "pattern", "group_size"};

}  // namespace

MeasurementKind creation_kind() {
  MeasurementKind kind{{"creation", "cost of creating communicators", options}};
  kind.times = times;
  kind.figures = figures;
  kind.measure = measure_creation;
  kind.derive = hidden_fraction_of;
  kind.settle = settle_creation;
  kind.hindrance = hindrance_of_creation;
  kind.draws = draws_groups;
  kind.summarize = summarize_creation;
  kind.compared = compared;
  return kind;
}

}  // namespace regroup
