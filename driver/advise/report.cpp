// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "driver/advise/advice.hpp"
#include "kernel/files/schema.hpp"
#include "kernel/text/units.hpp"
#include "library/describe.hpp"

namespace regroup {
namespace {

/// Rounds a break-even to two digits, which are as many as are known.
std::string two_digits(double number) {
  const double unit = std::pow(10, std::floor(std::log10(number)) - 1);
  return fmt::format("{:.15g}", std::round(number / unit) * unit);
}

std::string line(std::string_view title, const std::string& text) {
  return fmt::format("  {:<16} {}\n", title, text);
}

std::string told(const Standing& standing) {
  return fmt::format("{}: {}, {:.2f} × bound", words(standing.entrant),
                     in_fitting_unit(standing.makespan_s), standing.of_bound);
}

std::string told(const Saving& saving) {
  return fmt::format("{} ({} %), {:.2g} core-hours a run", in_fitting_unit(saving.seconds),
                     rounded(100 * saving.part, 1), saving.core_hours);
}

std::string savings(const Advice& advice) {
  const int ranks = advice.problem.run.ranks;
  const bool regroups = advice.best().entrant.strategy != nullptr;
  std::string text;
  if (const Standing* none = advice.none(); none != nullptr && regroups) {
    text += line("saves", told(saving(advice.best(), *none, ranks)) + ", compared with none");
  }
  if (const Standing* other = advice.runner_up()) {
    text += line(text.empty() ? "saves" : "",
                 fmt::format("{}, compared with the runner-up, {}",
                             told(saving(advice.best(), *other, ranks)), words(other->entrant)));
  }
  return text;
}

/// Lists at most three choices.
std::string as_good(const Advice& advice) {
  constexpr std::size_t most = 3;
  std::vector<std::string> names;
  for (const Contender& contender : advice.as_good()) names.push_back(words(contender));
  if (names.empty()) return {};
  const std::size_t more = names.size() > most ? names.size() - most : 0;
  names.resize(names.size() - more);
  return line(fmt::format("within {:g} %", 100 * margin),
              fmt::format("{}{}", fmt::join(names, "; "),
                          more == 0 ? "" : fmt::format("; and {} more", more)));
}

std::string communicators(const Advice& advice) {
  const Entrant& best = advice.best().entrant;
  if (forms_communicators(best) || best.strategy == nullptr) return {};
  if (!advice.communicators) {
    return line("communicators",
                "the best choice creates no MPI communicators; if they are needed, none is best");
  }
  const Standing& other = *advice.communicators;
  const double slower = other.makespan_s / advice.best().makespan_s - 1;
  return line(
      "communicators",
      fmt::format("the best choice creates no MPI communicators; if they are needed: {}, {}",
                  words(other.entrant),
                  slower < 5e-4 ? "as fast" : fmt::format("{:.1f} % slower", 100 * slower)));
}

std::string break_even(const Advice& advice) {
  std::string text;
  const auto add = [&](const std::string& one) {
    text += line(text.empty() ? "break-even" : "", one);
  };
  if (advice.dearer) {
    const std::string price =
        fmt::format("(now {} for {} ranks)", in_fitting_unit(advice.price_s()), advice.members);
    const BreakEven& dearer = *advice.dearer;
    add(dearer.winner
            ? fmt::format("communicator cost × {} {}; beyond that, {} is better",
                          two_digits(dearer.holds), price, words(*dearer.winner))
            : fmt::format(
                  "communicator cost {}: up to {:.0f} times that, no other choice is better", price,
                  dearer.holds));
  } else if (advice.communicators) {
    add("communicator cost: zero in this cost model");
  } else {
    add("communicator cost: none is best with any cost");
  }
  if (advice.item_ms) {
    const BreakEven& items = *advice.item_ms;
    add(items.winner
            ? fmt::format("item time {} ms (now {:g}); below that, {} is better",
                          two_digits(items.holds), advice.problem.run.run().item_ms,
                          words(*items.winner))
            : fmt::format("item time: down to {:g} ms, no other choice is better", items.holds));
  }
  return text;
}

std::string group_size(const Advice& advice) {
  const int configured = advice.problem.run.run().group_size;
  const auto& sizes = advice.group_sizes;
  if (sizes.size() < 2) {
    return line("ranks per group", fmt::format("{}: no other number is possible", configured));
  }
  if (advice.group_size == configured) {
    return line(
        "ranks per group",
        fmt::format("{}, as configured: no other number saves {:g} % of the core time per item",
                    configured, 100 * margin));
  }
  const auto of = [&](int ranks) { return *std::ranges::find(sizes, ranks, &GroupSize::ranks); };
  const GroupSize other = of(advice.group_size);
  std::string text =
      fmt::format("{} walkers, {}", other.walkers, in_fitting_unit(other.makespan_s));
  if (std::ranges::find(sizes, configured, &GroupSize::ranks) != sizes.end()) {
    const GroupSize now = of(configured);
    text = fmt::format(
        "{:.1f} % less core time per item; {} walkers instead of {}, {} a run "
        "instead of {}",
        100 * (1 - other.core_ms_per_item / now.core_ms_per_item), other.walkers, now.walkers,
        in_fitting_unit(other.makespan_s), in_fitting_unit(now.makespan_s));
  }
  return line("ranks per group",
              fmt::format("{} instead of {}: {}", other.ranks, configured, text));
}

std::string notes(const Advice& advice) {
  std::string text;
  if (!advice.not_measured.empty()) {
    text += line("left out",
                 fmt::format("no costs of {} are known", fmt::join(advice.not_measured, ", ")));
  }
  for (const std::string& failure : advice.failures) text += line("left out", failure);
  return text;
}

}  // namespace

Saving saving(const Standing& best, const Standing& other, int ranks) {
  const double seconds = other.makespan_s - best.makespan_s;
  return {seconds, other.makespan_s > 0 ? seconds / other.makespan_s : 0, seconds * ranks / 3600};
}

std::string lines_to_paste(const Advice& advice) {
  std::string text = fmt::format("balancers:\n  - {}\n", yaml(advice.best().entrant));
  if (advice.group_size != advice.problem.run.run().group_size) {
    text += fmt::format("group_size: {}\n", advice.group_size);
  }
  return text;
}

std::string as_text(const Advice& advice) {
  std::string best = told(advice.best());
  if (advice.best().entrant.strategy == nullptr) {
    const double none_s = advice.best().makespan_s;
    constexpr double clearly = 1.05;
    const auto slower = std::ranges::find_if(
        advice.standings, [&](const Standing& one) { return one.makespan_s > clearly * none_s; });
    best += slower == advice.standings.end()
                ? "; never regroup"
                : fmt::format("; with regrouping, a run would take {:.3g} times as long ({})",
                              slower->makespan_s / none_s, words(slower->entrant));
  }
  return line("best choice", best) + savings(advice) + as_good(advice) + communicators(advice) +
         break_even(advice) + group_size(advice) + notes(advice);
}

namespace {

using Json = nlohmann::ordered_json;

template <class Row>
Json json_of(const Chosen<Row>& chosen) {
  Json options = Json::object();
  for (const auto& [name, value] : chosen.options) options[name] = value;
  return {{"kind", chosen->name}, {"options", options}};
}

Json json_of(const Standing& standing) {
  return {
      {"choice", words(standing.entrant)},
      {"balancer", json_of(standing.entrant.balancer)},
      {"communicator", standing.entrant.strategy == nullptr ? "" : standing.entrant.strategy->name},
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
  const Task& task = advice.problem.run;
  const Run& run = task.run();
  Json as_good = Json::array();
  for (const Contender& contender : advice.as_good()) as_good.push_back(words(contender));
  return {{"problem", describe_problem(task)},
          {"ranks", task.ranks},
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
