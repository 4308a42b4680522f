// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "communicators/available.hpp"
#include "communicators/strategies.hpp"
#include "jobs/catalog/catalog.hpp"
#include "jobs/commands/commands.hpp"
#include "kernel/items/speedup.hpp"
#include "kernel/items/walker.hpp"
#include "kernel/measurement/measurement.hpp"
#include "kernel/measurement/patterns.hpp"
#include "kernel/virtual/costs.hpp"
#include "kernel/workloads/workload.hpp"

namespace regroup {
namespace {

void print_options(std::span<const OptionSpec> options) {
  for (const OptionSpec& spec : options) {
    fmt::print("      {}: {}; {}{}\n", spec.name, spec.help, allowed(spec),
               spec.fallback.empty() ? "" : fmt::format("; default {}", spec.fallback));
  }
}

template <class Rows, class Also>
void print(std::string_view title, const Rows& rows, Also also) {
  fmt::print("{}\n", title);
  for (const auto& row : rows) {
    fmt::print("  {:<16} {}{}\n", row.name, row.help, also(row));
    if constexpr (requires { row.options; }) print_options(row.options);
  }
  fmt::print("\n");
}

template <class Row>
std::string_view on_simgrid(const Row& row) {
  return row.smpi ? "" : " [unsupported on engine simgrid]";
}

}  // namespace

int print_lists() {
  const auto nothing = [](const auto&) { return ""; };
  print("engines", engines(), nothing);
  print("balancers", standard_catalog().balancers, nothing);
  print("communicator strategies", strategies, [](const Strategy& strategy) {
    std::string text =
        strategy.caller == Caller::parent ? " [parent-collective: " : " [group-collective: ";
    text += !strategy.serves_balancers()        ? "measured only, serves no balancer]"
            : strategy.caller == Caller::parent ? "serves balancers that regroup in exchanges]"
                                                : "serves every balancer]";
    if (!available(strategy.name)) text += " [unsupported: the MPI library lacks its calls]";
    return text + std::string(on_simgrid(strategy));
  });
  print("workloads", standard_catalog().workloads, nothing);
  print("speed-up models", standard_catalog().speedups, nothing);
  print("walkers", standard_catalog().walkers,
        [](const WalkerEntry& walker) { return on_simgrid(walker); });
  print("cost models of virtual time", standard_catalog().costs, nothing);
  print("patterns of groups, whose creation is measured", patterns(), nothing);
  print("kinds of measurement (regroup KIND CONFIG)", measurement_kinds(), nothing);
  fmt::print("parameters of a configuration (each may be a list)\n");
  print_options(parameters());
  return 0;
}

}  // namespace regroup
