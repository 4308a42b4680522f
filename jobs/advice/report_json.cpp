// SPDX-License-Identifier: BSD-3-Clause
#include <nlohmann/json.hpp>

#include "jobs/advice/report.hpp"
#include "jobs/words/describe.hpp"
#include "kernel/files/schema.hpp"

namespace regroup {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Choice& choice) {
  Json options = Json::object();
  for (const auto& [name, value] : choice.options) options[name] = value;
  return {{"kind", choice.name}, {"options", options}};
}

Json json_of(const Standing& standing) {
  return {{"choice", words(standing.entrant)},
          {"balancer", json_of(standing.entrant.balancer)},
          {"communicator", standing.entrant.communicator},
          {"makespan_s", standing.makespan_s},
          {"of_bound", standing.of_bound}};
}

Json json_of(const Standing* other, const Advice& advice) {
  if (other == nullptr) return nullptr;
  const Saving saved = saving(advice.best(), *other, advice.problem.run.ranks);
  return {{"choice", words(other->entrant)},
          {"seconds", saved.seconds},
          {"part", saved.part},
          {"core_hours", saved.core_hours}};
}

Json json_of(const std::optional<BreakEven>& found) {
  if (!found) return nullptr;
  return {{"holds", found->holds},
          {"winner", found->winner ? Json(words(*found->winner)) : Json(nullptr)}};
}

Json json_of_communicators(const Advice& advice) {
  if (!advice.communicators) return nullptr;
  Json value = json_of(*advice.communicators);
  value["members"] = advice.members;
  value["price_s"] = advice.price_s();
  value["dearer"] = json_of(advice.dearer);
  return value;
}

Json json_of(const GroupSize& size) {
  return {{"ranks", size.ranks},
          {"walkers", size.walkers},
          {"makespan_s", size.makespan_s},
          {"core_ms_per_item", size.core_ms_per_item}};
}

Json json_of(const Advice& advice);

template <class All>
Json list_of(const All& all) {
  Json list = Json::array();
  for (const auto& one : all) list.push_back(json_of(one));
  return list;
}

Json json_of(const Advice& advice) {
  const Scenario& run = advice.problem.run;
  Json as_good = Json::array();
  for (const Contender& contender : advice.as_good()) as_good.push_back(words(contender));
  return {{"problem", describe_problem(run)},
          {"ranks", run.ranks},
          {"item_ms", run.item_ms},
          {"workload", json_of(run.workload)},
          {"speedup", json_of(run.speedup)},
          {"jitter", run.jitter},
          {"costs", json_of(run.costs)},
          {"streams", advice.problem.streams.size()},
          {"choices", list_of(advice.standings)},
          {"saves",
           {{"none", json_of(advice.none(), advice)},
            {"runner_up", json_of(advice.runner_up(), advice)}}},
          {"as_good", as_good},
          {"communicators", json_of_communicators(advice)},
          {"shortest_item_ms", json_of(advice.item_ms)},
          {"group_sizes", list_of(advice.group_sizes)},
          {"configured_group_size", run.group_size},
          {"group_size", advice.group_size},
          {"not_measured", advice.not_measured},
          {"failures", advice.failures},
          {"yaml", lines_to_paste(advice)}};
}

}  // namespace

std::string as_json(const Configuration& configuration, const Prices& prices,
                    const std::vector<Advice>& advice) {
  const Json all{{"schema", schema},
                 {"experiment", configuration.name},
                 {"costs", prices.source},
                 {"hint", prices.hint},
                 {"problems", list_of(advice)}};
  return all.dump(2) + "\n";
}

}  // namespace regroup
