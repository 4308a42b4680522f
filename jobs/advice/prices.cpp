// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/advice/prices.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "jobs/catalog/catalog.hpp"

namespace regroup {
namespace {

Prices measured(const std::string& creation, const std::string& steps) {
  return {Choice{"measured", {{"costs_file", creation}, {"steps_file", steps}}},
          fmt::format("measured, {} and {}", creation, steps),
          {}};
}

Prices modelled(std::string_view model) {
  return {with_fallbacks(*find_entry(standard_catalog().costs, model)), std::string(model), {}};
}

/// The newest file of that name in a directory of `results`; empty where there is none.
std::string newest(const std::string& results, const std::string& name) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::path found;
  fs::file_time_type when;
  for (const auto& directory : fs::directory_iterator(results, error)) {
    const fs::path file = directory.path() / name;
    if (!fs::is_regular_file(file, error)) continue;
    const fs::file_time_type written = fs::last_write_time(file, error);
    if (!found.empty() && written <= when) continue;
    found = file;
    when = written;
  }
  return found.string();
}

bool says_costs(const Experiment& experiment) {
  const Grid<Scenario>& grid = experiment.grid();
  const std::size_t axis = grid.axis("costs");
  return grid.values(axis) > 1 || grid.at(0).costs.name != "free";
}

}  // namespace

Prices prices(const AskedPrices& asked, const Experiment& experiment, const std::string& results) {
  if (!asked.creation.empty()) return measured(asked.creation, asked.steps);
  if (!asked.costs.empty()) return modelled(asked.costs);
  if (says_costs(experiment)) return {{}, "as the configuration says", {}};
  const std::string creation = newest(results, "creation.csv");
  const std::string steps = newest(results, "steps.csv");
  if (!creation.empty() && !steps.empty()) return measured(creation, steps);
  Prices cluster = modelled("cluster");
  cluster.source += ", a present-day InfiniBand cluster";
  cluster.hint = fmt::format(
      "nobody has measured this machine ({0}/*/{1} is missing):{2}{3}", results,
      creation.empty() ? "creation.csv" : "steps.csv",
      creation.empty() ? " build/regroup creation configs/creation.yaml" : "",
      steps.empty()
          ? fmt::format("{} build/regroup steps configs/steps.yaml", creation.empty() ? " and" : "")
          : "");
  return cluster;
}

}  // namespace regroup
