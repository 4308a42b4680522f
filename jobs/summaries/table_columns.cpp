// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/summaries/table_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "jobs/catalog/catalog.hpp"
#include "jobs/summaries/paper.hpp"
#include "jobs/words/describe.hpp"
#include "kernel/items/speedup.hpp"
#include "kernel/numbers/spread.hpp"
#include "kernel/virtual/costs.hpp"
#include "kernel/workloads/workload.hpp"

namespace regroup {
namespace {

const EngineEntry& engine_of(const Scenario& run) {
  return *find_entry(standard_catalog().engines, run.engine);
}

/// "1.25-2.50", with `digits` decimals.
std::string range(const std::vector<double>& numbers, int digits) {
  const auto [low, high] = std::ranges::minmax(numbers);
  return fmt::format("{:.{}f}-{:.{}f}", low, digits, high, digits);
}

const std::vector<double>& numbers(const Line& line, std::string_view column) {
  const auto place = std::ranges::find(number_columns, column) - number_columns.begin();
  return line.runs.numbers.at(static_cast<std::size_t>(place));
}

std::string median_of(const Line& line, std::string_view column, int digits) {
  const std::vector<double>& all = numbers(line, column);
  return all.empty() ? "" : fmt::format("{:.{}f}", median(all), digits);
}

template <class Pick>
std::string extreme_of(const Line& line, std::string_view column, Pick pick) {
  const std::vector<double>& all = numbers(line, column);
  return all.empty() ? "" : fmt::format("{:.0f}", pick(all));
}

std::string papers(const Line& line) {
  const PaperRow* row = paper_row(line.runs.scenario);
  if (row == nullptr) return {};
  return fmt::format("{:.2f} / {:.2f} / {} / {}", row->average, row->deviation, row->min, row->max);
}

/// The problem, where there is only one: times of different problems are not put together.
const RepeatedRuns::Problem* only_problem(const Line& line) {
  return line.runs.problems.size() == 1 ? &line.runs.problems.begin()->second : nullptr;
}

std::string makespan(const Line& line) {
  const auto* problem = only_problem(line);
  return problem == nullptr ? "" : fmt::format("{:.4f}", problem->makespan_s());
}

std::string makespans(const Line& line) {
  const auto* problem = only_problem(line);
  return problem == nullptr ? "" : range(problem->makespans_s, 4);
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
  if (!engine_of(line.runs.scenario).exact) return {};
  std::string text;
  for (const RepeatedRuns* other : line.real.like(line.runs.scenario)) {
    const auto off = line.runs.off(*other);
    if (off) text += fmt::format("{}{:+.1f} %", text.empty() ? "" : " / ", 100 * *off);
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

template <std::size_t Which>
std::string condition(const Line& line) {
  const std::string value = line.runs.met ? (*line.runs.met)[Which] : "";
  return value == "virtual" ? "" : value;  // how nobody waited: the engine says it
}

template <class Rows>
std::string chosen(const Rows& rows, const Choice& choice) {
  const auto* entry = find_entry(rows, choice.name);
  return entry == nullptr ? "" : describe_choice(*entry, choice);
}

/// Empty where nothing was counted.
std::string count(std::size_t number) { return number == 0 ? "" : std::to_string(number); }

const Scenario& run(const Line& line) { return line.runs.scenario; }

using enum Kind;

const std::array columns{
    Heading{"engine", "the engine", parameter, true, [](const Line& l) { return run(l).engine; }},
    Heading{"ranks", "processes of a run", parameter, false,
            [](const Line& l) { return std::to_string(run(l).ranks); }},
    Heading{"G", "ranks of a walker group at the start", parameter, false,
            [](const Line& l) { return std::to_string(run(l).group_size); }},
    Heading{"T_ms", "milliseconds that one rank takes for an item", parameter, false,
            [](const Line& l) { return fmt::format("{}", run(l).item_ms); }},
    Heading{"workload", "the workload, with its options where they are not the usual ones",
            parameter, true,
            [](const Line& l) { return chosen(standard_catalog().workloads, run(l).workload); }},
    Heading{"speedup", "the speed-up model, likewise", parameter, true,
            [](const Line& l) { return chosen(standard_catalog().speedups, run(l).speedup); }},
    Heading{"jitter", "standard deviation of an item's time, relative to its mean", parameter,
            false, [](const Line& l) { return fmt::format("{}", run(l).jitter); }},
    Heading{"walker", "how a process spends an item", parameter, true,
            [](const Line& l) { return run(l).walker; }},
    Heading{"costs", "the cost model of virtual time", parameter, true,
            [](const Line& l) { return chosen(standard_catalog().costs, run(l).costs); }},
    Heading{"waiting", "how processes should wait", parameter, true,
            [](const Line& l) { return run(l).waiting; }},
    Heading{"waited", "how they did", parameter, true, condition<0>},
    Heading{"cores", "cores of all hosts together", parameter, false, condition<1>},
    Heading{"library", "the MPI library", parameter, true, condition<2>},
    Heading{"version", "version and commit of Regroup", parameter, true, condition<3>},
    Heading{"invocation",
            "the invocation of the command, where launcher, environment or machine differ",
            parameter, true, condition<4>},
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
    Heading{"of_ideal_range", "smallest and largest of these ratios", optional, false, ideal_range},
    Heading{"model", "how far virtual time is off the same problems on real processes", optional,
            false, off_the_real},
    Heading{"seeds", "different seeds in the row", parameter, false,
            [](const Line& l) { return count(l.runs.seeds.size()); }},
    Heading{"problems", "different problems in the row", parameter, false,
            [](const Line& l) { return count(l.runs.problems.size()); }},
    Heading{
        "ok", "runs that ended well, of all", figure, false,
        [](const Line& l) { return fmt::format("{}/{}", l.runs.good, l.runs.good + l.runs.bad); }},
};

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

std::span<const Heading> table_columns() { return columns; }

}  // namespace regroup
