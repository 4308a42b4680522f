// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/catalog/scenario.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "kernel/items/walker.hpp"
#include "kernel/numbers/hash.hpp"

namespace regroup {
namespace {

using nlohmann::json;

json to_json(const Choice& choice) {
  json options = json::object();
  for (const auto& [name, value] : choice.options) options[name] = value;
  return {{"name", choice.name}, {"options", std::move(options)}};
}

Choice choice_from(const json& value) {
  Choice choice{value.at("name").get<std::string>(), {}};
  for (const auto& [name, option] : value.at("options").items()) {
    choice.options.set(name, option.get<std::string>());
  }
  return choice;
}

json as_json(const Scenario& s) {
  return {{"experiment", s.experiment},
          {"engine", s.engine},
          {"ranks", s.ranks},
          {"group_size", s.group_size},
          {"item_ms", s.item_ms},
          {"speedup", to_json(s.speedup)},
          {"jitter", s.jitter},
          {"workload", to_json(s.workload)},
          {"walker", s.walker},
          {"balancer", to_json(s.balancer)},
          {"communicator", s.communicator},
          {"costs", to_json(s.costs)},
          {"waiting", s.waiting},
          {"repetition", s.repetition},
          {"seed", s.seed},
          {"timeout_s", s.timeout_s},
          {"inputs", s.inputs}};
}

/// A file may be damaged: what nobody looks up later must be such that it can be executed.
void check_executable(const Scenario& s) {
  if (find_entry(walkers(), s.walker) == nullptr) {
    throw std::invalid_argument(fmt::format("unknown walker '{}'", s.walker));
  }
  const bool fine = s.ranks >= 1 && s.ranks <= largest_world && s.group_size >= 1 &&
                    std::isfinite(s.item_ms) && s.item_ms > 0 && std::isfinite(s.jitter) &&
                    s.jitter >= 0;
  if (fine) return;
  throw std::invalid_argument(
      fmt::format("there are no {} ranks in groups of {} with items of {} ms and jitter {}",
                  s.ranks, s.group_size, s.item_ms, s.jitter));
}

}  // namespace

std::string to_json(const Scenario& scenario) { return as_json(scenario).dump(); }

Scenario scenario_from_json(const std::string& text) {
  const json value = json::parse(text);
  Scenario s;
  value.at("experiment").get_to(s.experiment);
  value.at("engine").get_to(s.engine);
  value.at("ranks").get_to(s.ranks);
  value.at("group_size").get_to(s.group_size);
  value.at("item_ms").get_to(s.item_ms);
  s.speedup = choice_from(value.at("speedup"));
  value.at("jitter").get_to(s.jitter);
  s.workload = choice_from(value.at("workload"));
  value.at("walker").get_to(s.walker);
  s.balancer = choice_from(value.at("balancer"));
  value.at("communicator").get_to(s.communicator);
  s.costs = choice_from(value.at("costs"));
  value.at("waiting").get_to(s.waiting);
  value.at("repetition").get_to(s.repetition);
  value.at("seed").get_to(s.seed);
  value.at("timeout_s").get_to(s.timeout_s);
  value.at("inputs").get_to(s.inputs);
  check_executable(s);
  return s;
}

std::string fingerprint(const Scenario& scenario) {
  // Keys are sorted, so the text is canonical. The time limit is no property of the result: raising
  // it and resuming keeps what was measured.
  json value = as_json(scenario);
  value.erase("timeout_s");
  return hash_text(value.dump());
}

}  // namespace regroup
