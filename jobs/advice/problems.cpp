// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/advice/problems.hpp"

#include <fmt/format.h>

#include "kernel/files/user_error.hpp"

namespace regroup {

std::vector<Problem> problems(const Experiment& experiment, const std::optional<Choice>& costs) {
  const Grid<Scenario>& grid = experiment.grid();
  std::vector<std::size_t> axes;
  for (const char* axis : {"workload", "wants", "walkers_per_group", "walkers_in_all", "speedup",
                           "jitter", "ranks", "group_size", "item_ms", "groups"}) {
    axes.push_back(grid.axis(axis));
  }
  if (!costs) axes.push_back(grid.axis("costs"));
  std::size_t number = 1;
  for (const std::size_t axis : axes) number = product(number, grid.values(axis));
  if (number > most_problems) {
    throw UserError(
        fmt::format("{}: {} combinations of workload, wants, walkers, speedup, jitter, ranks, "
                    "group_size, item_ms and costs; allowed: {}, since each is advised on its own",
                    experiment.file, number, most_problems));
  }

  std::vector<std::pair<std::uint64_t, int>> streams;
  const std::vector<std::size_t> repeated{grid.axis("seed"), grid.axis("repetitions")};
  grid.each(0, repeated, [&](std::size_t place) {
    if (streams.size() == most_streams) return;
    const Scenario run = grid.at(place);
    streams.emplace_back(run.seed, run.repetition);
  });

  std::vector<Problem> all;
  grid.each(0, axes, [&](std::size_t place) {
    Problem problem{grid.at(place), streams};
    if (problem.run.groups != equal_groups) {
      throw UserError(fmt::format(
          "{}: advice is about groups of equal size; leave out 'groups', and give group_size",
          experiment.file));
    }
    problem.run.engine = "virtual";
    if (costs) problem.run.costs = *costs;
    all.push_back(std::move(problem));
  });
  return all;
}

}  // namespace regroup
