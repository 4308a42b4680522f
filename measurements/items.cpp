// SPDX-License-Identifier: BSD-3-Clause
//
// The time of an item as a function of group size.
//
// The first group_size ranks execute the items of a chain together, as in a run, but without orders
// of a leader (see steps.cpp). A sample is the mean of `items_per_sample` consecutive items. The
// chain, and so its items, depends only on the seed.
#include <fmt/format.h>

#include <array>
#include <optional>
#include <stdexcept>
#include <vector>

#include "engines/mpi/chains.hpp"
#include "kernel/numbers/parse.hpp"
#include "kernel/text/table.hpp"
#include "kernel/text/units.hpp"
#include "measurements/kinds.hpp"
#include "measurements/summary.hpp"
#include "regroup/bench.hpp"

namespace regroup {
namespace {

/// Throws std::runtime_error unless all members have equal chains: a wrong result is not measured.
void check_equal_chains(const LiveChain& chain, Team& team) {
  const auto hash = static_cast<std::int64_t>(chain.end().hash);
  std::array least{hash};
  std::array most{hash};
  team.min(least);
  team.max(most);
  if (least != most) throw std::runtime_error("members of the group have different chains");
}

Findings measure_items(Bench& bench) {
  const Measurement& measurement = bench.measurement();
  const WalkerSource source = source_of(*measurement.walker.row, measurement.walker.options);

  const Members group = Members::range(0, bench.integer("group_size"));
  const bool joins = group.index_of(bench.rank()) >= 0;
  const int items = bench.integer("items_per_sample");
  const double item_s = measurement.item_ms / 1000 / group.size();
  GroupComm comm = bench.communicator(group);
  TeamCommunicators communicators;
  std::optional<GroupTeam> team;
  std::optional<LiveChain> chain;
  if (joins) {
    team.emplace(comm, bench.world().waiter(), communicators);
    chain.emplace(source, ChainName{0, bench.stream()});
    chain->join(*team);
  }
  std::vector<Sample> times = bench.time(bench.integer("samples"), joins, [&] {
    for (int item = 0; joins && item < items; ++item) chain->execute(item_s, *team);
  });
  for (Sample& time : times) time.value_s /= items;
  if (joins) {
    if (source.reproducible) check_equal_chains(*chain, *team);
    chain->leave(*team);
    team.reset();
  }
  bench.free(comm);
  return {{{"time_s", std::move(times)}}, {}};
}

void settle_items(Measurement& measurement, int ranks) {
  settle_whole_groups(measurement, ranks);
  if (!measurement.walker->timed) measurement.item_ms = Measurement().item_ms;
}

double sample_s_of_items(const Measurement& measurement, int) {
  if (!measurement.walker->timed) return 0;
  const Options& options = measurement.options;
  // The window is twice the longest warm-up.
  return 2e-3 * measurement.item_ms * options.real("items_per_sample") / options.real("group_size");
}

/// Returns a table of the time of an item and the speed-up over one rank, by group size.
std::string summarize_items(const MeasuredSetting& setting) {
  const auto time_of = [&](const std::string& size) {
    return setting.median("time_median_s", {{"group_size", size}});
  };
  const auto alone = time_of("1");
  const int cores = setting.cores();
  bool exceeded = false;
  std::vector<Cells> rows{{"group_size", "time of an item", "speed-up", "efficiency", ""}};
  for (const std::string& size : setting.values("group_size")) {
    const auto time = time_of(size);
    if (!time) continue;
    const auto interval = setting.interval("time", {{"group_size", size}});
    Cells& row = rows.emplace_back(Cells{
        size, interval ? in_fitting_unit(*time, *interval) : in_fitting_unit(*time), "", "", ""});
    const int members = parse<int>(size).value();
    if (alone && *time > 0) {
      row[2] = rounded(*alone / *time, 2);
      row[3] = rounded(100 * *alone / *time / members, 0) + " %";
    }
    if (members > cores) row[4] = "more members than cores";
    exceeded = exceeded || members > cores;
  }
  std::string text = text_table(rows, {4});
  if (exceeded) {
    text += fmt::format(
        "Groups of more than {} members share cores: their times hold for this machine only, not "
        "for larger ones.\n",
        cores);
  }
  if (alone) {
    text +=
        fmt::format("In a run: item_ms {:.6g}, with the speed-up model measured\n", 1000 * *alone);
  }
  return text;
}

constexpr std::array options{
    group_size_option,
    strategy_option("communicator", "range", {},
                    "strategy that creates the communicator of the group"),
    integer_option("items_per_sample", "10", 1, 1e6, "number of consecutive items in a sample"),
    samples_option,
};
constexpr std::array times{
    SampledTime{"time_s", "time of an item, from the common start to the end of the last member"}};
constexpr std::array<std::string_view, 1> compared{"group_size"};

}  // namespace

MeasurementKind items_kind() {
  MeasurementKind kind{{"items", "time of an item as a function of group size", options}};
  kind.times = times;
  kind.measure = measure_items;
  kind.of_walkers = true;
  kind.settle = settle_items;
  kind.sample_s = sample_s_of_items;
  kind.summarize = summarize_items;
  kind.compared = compared;
  return kind;
}

}  // namespace regroup
