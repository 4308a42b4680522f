// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/configuration/input_files.hpp"

#include "kernel/files/files.hpp"
#include "kernel/numbers/hash.hpp"

namespace regroup {

std::vector<std::string> InputFiles::of(const Scenario& scenario) {
  std::vector<std::string> files;
  const auto add = [&](const Options& options, std::string_view option) {
    if (options.has(option)) files.push_back(options.text(option));
  };
  add(scenario.workload.options, "file");
  add(scenario.wants.options, "wants_file");
  add(scenario.speedup.options, "items_file");
  add(scenario.costs.options, "costs_file");
  add(scenario.costs.options, "steps_file");
  return files;
}

std::optional<std::string> InputFiles::hash(const Scenario& scenario) {
  std::string all;
  for (const std::string& file : of(scenario)) {
    const auto [known, is_new] = hashes_.try_emplace(file);
    if (is_new && input_complaint(file).empty()) {
      if (const auto content = read_file(file)) known->second = hash_text(*content);
    }
    if (!known->second) return std::nullopt;
    all += *known->second;
  }
  return all;
}

}  // namespace regroup
