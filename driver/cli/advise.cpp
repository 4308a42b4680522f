// SPDX-License-Identifier: BSD-3-Clause
//
// What users ask: which balancer over which strategy, what it saves, and when it would not pay.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

#include "driver/advise/advice.hpp"
#include "driver/cli/commands.hpp"
#include "driver/execute/engines.hpp"
#include "kernel/text/plain_text.hpp"
#include "kernel/text/terminal.hpp"
#include "library/describe.hpp"
#include "library/resolve.hpp"

namespace regroup {
namespace {

/// Finds what the user got wrong, before anything is simulated.
void check(const AskedPrices& asked) {
  if (asked.creation.empty() != asked.steps.empty()) {
    throw UserError("--creation and --steps belong together: both files make measured costs");
  }
  if (!asked.creation.empty() && !asked.costs.empty()) {
    throw UserError("--costs names a model, --creation and --steps what was measured; give one");
  }
}

/// Virtual time must be able to execute them; and the files of costs must be there, and have
/// something for so many ranks.
void check(const std::vector<Problem>& problems, const std::string& config) {
  std::set<std::pair<int, std::string>> checked;
  for (const Problem& problem : problems) {
    const std::string lacking = execution(problem.run.engine).lacks(problem.run);
    if (!lacking.empty()) throw UserError(fmt::format("{}: no advice: {}", config, lacking));
    const Options& options = problem.run.costs.options;
    const std::string file = options.has("steps_file") ? options.text("steps_file") : "";
    if (checked.emplace(problem.run.ranks, file).second) entrants(problem.run);
  }
}

std::string stream_note(const Problem& problem) {
  if (problem.streams.size() == 1) return {};
  return fmt::format(", medians of {} where something is drawn", problem.streams.size());
}

/// Each answer once, with the problems that it is for.
void print_lines_to_paste(const std::vector<Advice>& all, const std::string& file) {
  std::map<std::string, std::vector<std::size_t>> answers;
  for (std::size_t i = 0; i < all.size(); ++i) answers[lines_to_paste(all[i])].push_back(i + 1);
  for (const auto& [lines, problems] : answers) {
    const std::string where =
        answers.size() == 1
            ? std::string()
            : fmt::format(" for {} {}", problems.size() == 1 ? "problem" : "problems",
                          fmt::join(problems, ", "));
    print_out("\nto paste into {}{}:\n\n{}", file, where, lines);
  }
}

}  // namespace

std::vector<std::string> costs_without_files() {
  std::vector<std::string> names;
  for (const CostModel& model : standard_catalog().costs) {
    const bool files = std::ranges::any_of(
        model.options, [](const OptionSpec& spec) { return spec.type == OptionSpec::Type::file; });
    if (!files) names.emplace_back(model.name);
  }
  return names;
}

int advise(const Experiment& experiment, const AskedPrices& asked, bool json) {
  check(asked);
  const Prices costs = prices(asked, experiment, "results");
  const std::vector<Problem> all = problems(experiment, costs.costs);
  check(all, experiment.file);
  if (!json) {
    print_out("{}: {} {}, every balancer over every strategy in virtual time\ncosts: {}\n",
              experiment.name, all.size(), all.size() == 1 ? "problem" : "problems", costs.source);
    if (!costs.hint.empty()) print_out("  {}\n", costs.hint);
  }
  TerminalLine line;
  std::vector<Advice> advice;
  for (const Problem& problem : all) {
    const std::string number = fmt::format("[{}/{}] ", advice.size() + 1, all.size());
    const std::string title = describe_problem(problem.run);
    advice.push_back(advise(problem, [&](std::string_view what) {
      if (!json) line.draw(number, title, fmt::format(": {} …", what));
    }));
    if (json) continue;
    line.clear();
    const bool own = !costs.costs && problem.run.costs.name != "free";
    print_out("\n{}{}{}{}\n{}", number, title, own ? ", costs " + problem.run.costs.name : "",
              stream_note(problem), as_text(advice.back()));
    std::fflush(stdout);
  }
  if (json) {
    print_out("{}", as_json(experiment, costs, advice));
  } else {
    print_lines_to_paste(advice, experiment.file);
  }
  return 0;
}

}  // namespace regroup
