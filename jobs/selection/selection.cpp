// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/selection/selection.hpp"

#include <fmt/format.h>

#include "jobs/launch/command_line.hpp"
#include "jobs/selection/shard_directories.hpp"
#include "jobs/words/describe.hpp"
#include "kernel/files/user_error.hpp"
#include "kernel/numbers/hash.hpp"

namespace regroup {
namespace {

Places with_text(const Experiment& experiment, const std::string& text) {
  Places places;
  for (std::size_t i = 0; i < experiment.size(); ++i) {
    if (text.empty() || holds(describe(experiment.at(i)), text)) places.push_back(i);
  }
  if (!places.empty()) return places;
  throw UserError(
      fmt::format("--only '{}': no description of the {} holds it; 'regroup plan {}' shows them",
                  text, experiment.noun(), experiment.file));
}

Places named(const Experiment& experiment, std::string name) {
  for (char& letter : name) {
    if (letter >= 'A' && letter <= 'F') letter += 'a' - 'A';
  }
  if (!hash_from(name)) {
    throw UserError(fmt::format(
        "--one '{}': is no name of a run, which is sixteen hexadecimal digits; 'regroup plan {} "
        "--format json' tells them",
        name, experiment.file));
  }
  for (std::size_t i = 0; i < experiment.size(); ++i) {
    if (fingerprint(experiment.at(i)) == name) return {i};
  }
  throw UserError(fmt::format(
      "--one '{}': none of the {} has this name; 'regroup plan {} --format json' tells them", name,
      experiment.noun(), experiment.file));
}

}  // namespace

Places selected(const Experiment& experiment, const Selection& selection) {
  if (!selection.one.empty()) {
    if (!selection.only.empty() || !selection.shard.empty()) {
      throw UserError("--one names what is to be done; --only and --shard have no place beside it");
    }
    return named(experiment, selection.one);
  }
  if (selection.shard.empty()) return with_text(experiment, selection.only);
  const Shard shard = shard_from(selection.shard);
  const std::size_t number = static_cast<std::size_t>(shard.number);
  return divide(experiment, with_text(experiment, selection.only), shard.of)[number - 1];
}

std::string place_of_shard(const Selection& selection) {
  if (selection.shard.empty()) return {};
  return fmt::format("/{}", shard_directory(shard_from(selection.shard)));
}

std::string options_of(const Selection& selection) {
  std::string line;
  if (!selection.only.empty()) line += " --only " + quoted(selection.only);
  if (!selection.shard.empty()) line += " --shard " + quoted(selection.shard);
  if (!selection.one.empty()) line += " --one " + quoted(selection.one);
  return line;
}

}  // namespace regroup
