// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/launch/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "jobs/catalog/catalog.hpp"
#include "jobs/launch/simgrid_job.hpp"

namespace regroup {
namespace {

using Busy = std::function<std::optional<double>()>;

std::optional<double> real_wall_s(int ranks, const Busy& busy_s) {
  const std::optional<double> busy = busy_s();
  if (!busy) return std::nullopt;
  return usual_launching_s(ranks) + *busy;
}

std::string virtual_lacks(const Scenario& task) {
  if (task.may_end_early()) {
    return "virtual time executes no walkers, and so cannot know when they have observed enough";
  }
  if (!find_entry(standard_catalog().walkers, task.walker.name)->open_end) return {};
  return fmt::format("the walker {} ends by itself, and virtual time executes no walkers",
                     task.walker.name);
}

constexpr std::array rows{
    Execution{"mpi", mpi_lacks, check_launcher, mpi_job, real_wall_s},
    Execution{"virtual", virtual_lacks, [](const Configuration&) {}, nullptr,
              [](int ranks, const Busy&) { return std::optional(1e-5 * ranks); }},
    // Up to 10 ms for each rank were measured, with asynchronous.
    Execution{"simgrid", simgrid_lacks, check_simgrid, simgrid_job,
              [](int ranks, const Busy&) { return std::optional(0.2 + 0.01 * ranks); }},
};

}  // namespace

double usual_launching_s(int ranks) {
  return 0.3 + 0.012 * ranks;  // 0.9 s for 64 ranks and 2.4 s for 128 on 2 cores
}

const Execution& execution(std::string_view engine) {
  return *std::ranges::find(rows, engine, &Execution::engine);
}

}  // namespace regroup
