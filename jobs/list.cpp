// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "balancers/balancers.hpp"
#include "communicators/strategies.hpp"
#include "jobs/commands.hpp"
#include "kernel/speedup.hpp"
#include "kernel/virtual/costs.hpp"
#include "kernel/walker.hpp"
#include "kernel/workload.hpp"

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
    print_options(row.options);
  }
  fmt::print("\n");
}

}  // namespace

int print_lists() {
  const auto nothing = [](const Entry&) { return ""; };
  print("engines", engines(), nothing);
  print("balancers", balancers(), nothing);
  print("communicator strategies", strategies, [](const Strategy& strategy) {
    return strategy.caller == Caller::parent
               ? " [parent-collective: serves balancers that regroup in exchanges]"
               : " [group-collective: serves every balancer]";
  });
  print("workloads", workloads(), nothing);
  print("speed-up models", speedups(), nothing);
  print("walkers", walkers(), nothing);
  print("cost models of virtual time", cost_models(), nothing);
  fmt::print("parameters of a configuration (each may be a list)\n");
  print_options(parameters());
  return 0;
}

}  // namespace regroup
