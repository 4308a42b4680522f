// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/sweep/states.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "jobs/catalog/resolve.hpp"
#include "kernel/files/user_error.hpp"

namespace regroup {
namespace {

namespace fs = std::filesystem;

bool has_states(const std::string& directory) {
  std::error_code none;
  return fs::is_directory(directory, none) && !fs::is_empty(directory, none);
}

}  // namespace

void prepare_states(const Experiment& experiment, std::span<const std::size_t> places,
                    const std::string& logs, const std::string& given, bool resumed) {
  if (!given.empty() && !has_states(given)) {
    throw UserError(fmt::format("--states {}: there are none", given));
  }
  if (!experiment.writes_states()) places = {};  // there may be a million to look at
  const bool known = resumed && fs::is_directory(logs);
  std::vector<std::string> fresh;
  for (const std::size_t place : places) {
    const Scenario task = experiment.at(place);
    if (!task.is_run() || task.save_every == 0) continue;
    const std::string own = states_beside(fmt::format("{}/{}.task.json", logs, fingerprint(task)));
    const bool goes_on = known && has_states(own);
    if (!goes_on) fresh.push_back(own);
    const std::string from = goes_on ? own : given;
    if (!from.empty()) items_left(initial_items(task), state_files(task, from));
  }
  if (!given.empty() && fresh.empty()) {
    throw UserError("--states: none of the runs to do writes states: see the key 'save_every'");
  }
  for (const std::string& own : fresh) {
    fs::remove_all(own);
    if (given.empty()) continue;
    fs::create_directories(own);
    for (const fs::directory_entry& file : fs::directory_iterator(given)) {
      if (file.path().extension() == ".state")
        fs::copy(file.path(), fs::path(own) / file.path().filename());
    }
  }
}

}  // namespace regroup
