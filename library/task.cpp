// SPDX-License-Identifier: BSD-3-Clause
#include "library/task.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "regroup/catalog.hpp"
#include "regroup/numbers.hpp"

namespace regroup {

std::string_view name(EventDetail detail) {
  return event_words[static_cast<std::size_t>(detail) + 1];
}

std::optional<EventDetail> event_detail_named(std::string_view text) {
  for (std::size_t word = 1; word < event_words.size(); ++word) {
    if (event_words[word] == text) return static_cast<EventDetail>(word - 1);
  }
  return std::nullopt;
}

EventDetail event_detail(std::string_view asked, int ranks) {
  const EventDetail by_size =
      ranks <= most_ranks_with_events ? EventDetail::all : EventDetail::summary;
  return event_detail_named(asked).value_or(by_size);
}

using nlohmann::json;

static void to_json(json& value, const Options& options) {
  value = json::object();
  for (const auto& [name, text] : options) value[name] = text;
}

static void from_json(const json& value, Options& options) {
  options = {};
  for (const auto& [name, text] : value.items()) options.set(name, text.get<std::string>());
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Choice, name, options)

namespace {

/// Calls `visit` with the key and the member of each parameter of `scenario`. What is measured has
/// keys of its own, which tell the two kinds of tasks apart.
template <class S, class Visit>
void each_member(S& scenario, Visit visit) {
  visit("experiment", scenario.experiment);
  if (scenario.is_run()) {
    visit("inputs", scenario.inputs);
  } else {
    visit("kind", scenario.measure.name);
    visit("parameters", scenario.measure.options);
  }
  for (const Parameter& parameter : parameters()) {
    if (parameter.spec.name == "measure" || !parameter.applies(scenario.kind())) continue;
    std::visit([&](auto member) { visit(parameter.spec.name, scenario.*member); },
               parameter.member);
  }
}

json as_json(const Scenario& scenario) {
  json value;
  each_member(scenario,
              [&](std::string_view key, const auto& member) { value[std::string(key)] = member; });
  return value;
}

/// A file may be damaged: what nobody looks up later must be such that it can be executed.
void check_executable(const Scenario& scenario) {
  for (const Parameter& parameter : parameters()) {
    if (!parameter.applies(scenario.kind())) continue;
    const std::string text = text_of(parameter, scenario);
    if (parameter.list == nullptr) {
      const std::string wrong = complaint(parameter.spec, text);
      if (!wrong.empty()) throw std::invalid_argument(wrong);
    } else if (!(text.empty() && parameter.may_be_empty) &&
               find_entry(parameter.list(), text) == nullptr) {
      throw std::invalid_argument(fmt::format("unknown {} '{}'", parameter.spec.name, text));
    }
  }
  if (scenario.is_run()) return;
  check_options(*find_entry(standard_catalog().measurements, scenario.measure.name),
                scenario.measure.options);
}

}  // namespace

std::string to_json(const Scenario& scenario) { return as_json(scenario).dump(); }

Scenario scenario_from_json(const std::string& text) {
  const json value = json::parse(text);
  Scenario scenario;
  if (value.contains("kind")) value.at("kind").get_to(scenario.measure.name);
  each_member(scenario, [&](std::string_view key, auto& member) {
    value.at(std::string(key)).get_to(member);
  });
  check_executable(scenario);
  return scenario;
}

std::string fingerprint(const Scenario& scenario) {
  // Keys are sorted, so the text is canonical. The time limit is no property of the result: raising
  // it and resuming keeps what was measured.
  json value = as_json(scenario);
  value.erase("timeout_s");
  // Younger than results that should keep their names.
  const Scenario usual;
  if (scenario.ranks_per_node == usual.ranks_per_node) value.erase("ranks_per_node");
  if (scenario.order == usual.order) value.erase("rank_order");
  if (scenario.groups == usual.groups) value.erase("groups");
  if (json* measured = value.contains("parameters") ? &value["parameters"] : nullptr) {
    for (const char* option : {"storm_regroupings", "attributes", "in_flight"}) {
      if (measured->value(option, "") == "0") measured->erase(option);
    }
  }
  return hash_text(value.dump());
}

}  // namespace regroup
