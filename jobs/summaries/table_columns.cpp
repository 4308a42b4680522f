// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/summaries/table_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "jobs/catalog/parameters.hpp"
#include "jobs/catalog/resolve.hpp"
#include "jobs/summaries/paper.hpp"
#include "jobs/words/describe.hpp"
#include "kernel/items/speedup.hpp"
#include "kernel/numbers/spread.hpp"
#include "kernel/virtual/costs.hpp"
#include "kernel/workloads/workload.hpp"

namespace regroup {
namespace {

/// "1.25-2.50", with `digits` decimals.
std::string range(const std::vector<double>& numbers, int digits) {
  const auto [low, high] = std::ranges::minmax(numbers);
  return fmt::format("{:.{}f}-{:.{}f}", low, digits, high, digits);
}

std::string median_of(const Line& line, std::string_view column, int digits) {
  const std::vector<double>& all = line.runs.of(column);
  return all.empty() ? "" : fmt::format("{:.{}f}", median(all), digits);
}

template <class Pick>
std::string extreme_of(const Line& line, std::string_view column, Pick pick) {
  const std::vector<double>& all = line.runs.of(column);
  return all.empty() ? "" : fmt::format("{:.0f}", pick(all));
}

std::string papers(const Line& line) {
  const PaperRow* row = paper_row(line.runs.scenario);
  if (row == nullptr) return {};
  return fmt::format("{:.2f} / {:.2f} / {} / {}", row->average, row->deviation, row->min, row->max);
}

std::string makespan(const Line& line) {
  const auto* problem = line.runs.only_problem();
  return problem == nullptr ? "" : fmt::format("{:.4f}", problem->makespan_s());
}

std::string makespans(const Line& line) {
  const auto* problem = line.runs.only_problem();
  return problem == nullptr ? "" : range(problem->makespans_s, 4);
}

/// Where the speed-up is perfect it would be of_ideal once more.
std::string of_bound(const Line& line) {
  const std::vector<double> ratios = line.runs.of_bound();
  const bool perfect = line.runs.scenario.speedup.name == "perfect";
  return perfect || ratios.empty() ? "" : fmt::format("{:.4f}", median(ratios));
}

std::string of_ideal(const Line& line) {
  const std::vector<double> ratios = line.runs.of_ideal();
  return ratios.empty() ? "" : fmt::format("{:.4f}", median(ratios));
}

std::string ideal_range(const Line& line) {
  const std::vector<double> ratios = line.runs.of_ideal();
  return ratios.size() < 2 ? "" : range(ratios, 4);
}

/// How far the virtual engine is off the same problems on real processes: "+1.2 %". Several values
/// where these met several conditions, in the order of their rows; empty where there are none.
std::string off_the_real(const Line& line) {
  std::string text;
  for (const double off : model_errors(line)) {
    text += fmt::format("{}{:+.1f} %", text.empty() ? "" : " / ", 100 * off);
  }
  return text;
}

std::string without_engine(Scenario scenario) {
  scenario.engine = {};
  scenario.costs = {};
  scenario.inputs = {};
  scenario.repetition = 0;
  scenario.seed = 0;
  return fingerprint(scenario);
}

/// A condition; not how nobody waited, as the engine says it.
Heading condition(std::string_view name, std::string_view help, bool left) {
  return {name, help, Kind::parameter, left, [name](const Line& line) {
            const std::string value = line.runs.condition(name);
            return value == "virtual" ? "" : value;
          }};
}

/// "4", and of several with how many ranks: "4 x 8", "4 x 7-8".
std::string nodes(const Line& line) {
  const std::string nodes = line.runs.condition("nodes");
  if (nodes.empty() || nodes == "1") return nodes;
  const std::string least = line.runs.condition("ranks_per_node_min");
  const std::string most = line.runs.condition("ranks_per_node_max");
  return fmt::format("{} x {}", nodes, least == most ? least : least + "-" + most);
}

/// A placement has its ranks: it tells something only where the same ranks were at several.
std::string placement(const Line& line) {
  return line.runs.elsewhere ? line.runs.condition("placement") : "";
}

/// Empty where nothing was counted.
std::string count(std::size_t number) { return number == 0 ? "" : std::to_string(number); }

const Scenario& run(const Line& line) { return line.runs.scenario; }

using enum Kind;

/// Those that stand in columns of other names, or of which a row has several.
constexpr std::array elsewhere{"balancer", "communicator", "repetition", "seed", "timeout_s"};

/// A parameter of runs; of a choice, with its options where they are not the usual ones.
Heading heading_of(const Parameter& parameter) {
  const std::string_view name = parameter.spec.name;
  const bool words = parameter.list != nullptr || !parameter.spec.words.empty() ||
                     parameter.spec.type == OptionSpec::Type::groups;
  return {name == "group_size" ? "G"
          : name == "item_ms"  ? "T_ms"
                               : name,
          parameter.spec.help, Kind::parameter, words, [&parameter](const Line& line) {
            const Scenario& scenario = line.runs.scenario;
            if (parameter.spec.type == OptionSpec::Type::groups) return describe_groups(scenario);
            const std::string text = text_of(parameter, scenario);
            const auto* choice = std::get_if<Choice Scenario::*>(&parameter.member);
            if (choice == nullptr || text.empty()) return text;
            return describe_choice(*find_entry(parameter.list(), text), scenario.**choice);
          }};
}

/// What the runs of a row met, and what came out.
std::vector<Heading> others() {
  return {
      condition("waited", "how they did", true),
      condition("cores", "cores of all nodes together", false),
      Heading{"nodes", "how many, and how many ranks were on each where there are several",
              parameter, true, nodes},
      Heading{"placement", "the place, where the same was run at several: `places/` tells of them",
              parameter, true, placement},
      condition("mpi_library", "the MPI library", true),
      condition("regroup_version", "version and commit of Regroup", true),
      condition("invocation",
                "the invocation of the command, where launcher, environment or machine differ",
                true),
      Heading{"balancer", "the balancer with its options, and the communicator strategy", figure,
              true, [](const Line& l) { return describe_balancer(run(l)); }},
      Heading{"avg", "regroupings of a process: average, median over the runs", figure, false,
              [](const Line& l) { return median_of(l, "regroups_avg", 3); }},
      Heading{"stdev", "standard deviation over the processes, median over the runs", figure, false,
              [](const Line& l) { return median_of(l, "regroups_stdev", 4); }},
      Heading{"min", "fewest, of all runs", figure, false,
              [](const Line& l) { return extreme_of(l, "regroups_min", std::ranges::min); }},
      Heading{"max", "most, of all runs", figure, false,
              [](const Line& l) { return extreme_of(l, "regroups_max", std::ranges::max); }},
      Heading{"paper (avg / stdev / min / max)", "the paper's figures, where they are comparable",
              figure, false, papers},
      Heading{"makespan_s", "median time of the runs, where they had the same problem", optional,
              false, makespan},
      Heading{"range_s", "shortest and longest of these times", optional, false, makespans},
      Heading{"of_ideal", "median of the ratios of each problem to its ideal", figure, false,
              of_ideal},
      Heading{"of_bound",
              "likewise to its bound, below which nobody can come; shown where the speed-up is not "
              "perfect, as the ideal is none then",
              optional, false, of_bound},
      Heading{"of_ideal_range", "smallest and largest of these ratios", optional, false,
              ideal_range},
      Heading{"model", "how far virtual time is off the same problems on real processes", optional,
              false, off_the_real},
      Heading{"seeds", "different seeds in the row", parameter, false,
              [](const Line& l) { return count(l.runs.seeds.size()); }},
      Heading{"problems", "different problems in the row", parameter, false,
              [](const Line& l) { return count(l.runs.problems.size()); }},
      Heading{"ok", "runs that ended well, of all", figure, false,
              [](const Line& l) {
                return fmt::format("{}/{}", l.runs.good, l.runs.good + l.runs.bad);
              }},
  };
}

}  // namespace

RealRuns::RealRuns(const Settings& settings) {
  for (const RepeatedRuns& runs : settings) {
    if (engine_of(runs.scenario).real) all_.emplace(without_engine(runs.scenario), &runs);
  }
}

std::vector<const RepeatedRuns*> RealRuns::like(const Scenario& scenario) const {
  std::vector<const RepeatedRuns*> found;
  if (all_.empty()) return found;
  const auto [first, last] = all_.equal_range(without_engine(scenario));
  for (auto at = first; at != last; ++at) found.push_back(at->second);
  return found;
}

std::vector<double> model_errors(const Line& line) {
  std::vector<double> errors;
  if (!engine_of(line.runs.scenario).exact) return errors;
  for (const RepeatedRuns* other : line.real.like(line.runs.scenario)) {
    if (const auto off = line.runs.off(*other)) errors.push_back(*off);
  }
  return errors;
}

std::span<const Heading> table_columns() {
  static const std::vector<Heading> columns = [] {
    std::vector<Heading> all;
    for (const Parameter& row : parameters()) {
      if (!row.applies("run") || std::ranges::count(elsewhere, row.spec.name) > 0) continue;
      all.push_back(heading_of(row));
    }
    std::ranges::move(others(), std::back_inserter(all));
    return all;
  }();
  return columns;
}

}  // namespace regroup
