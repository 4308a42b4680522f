// SPDX-License-Identifier: BSD-3-Clause
//
// Columns of what lists can name: options of plug-ins, and of measurements.
#include <algorithm>
#include <set>
#include <utility>

#include "jobs/catalog/measured.hpp"
#include "jobs/catalog/resolve.hpp"
#include "jobs/records/column.hpp"

namespace regroup {
namespace {

/// What the option `name` means to each row of `list` that has it.
std::string help_of_option(const Entries& list, std::string_view name) {
  std::vector<std::pair<std::string_view, std::string>> helps;
  for (const Entry& entry : list) {
    const OptionSpec* spec = find_entry(entry.options, name);
    if (spec == nullptr) continue;
    const auto same = std::ranges::find(helps, spec->help, [](const auto& h) { return h.first; });
    if (same == helps.end()) {
      helps.emplace_back(spec->help, fmt::format("`{}`", entry.name));
    } else {
      same->second += fmt::format(", `{}`", entry.name);
    }
  }
  std::string text;
  for (const auto& [help, names] : helps) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", names, help);
  }
  return text;
}

}  // namespace

void add_options(Columns& columns, const Parameter& parameter) {
  const auto choice = std::get<Choice Scenario::*>(parameter.member);
  std::set<std::string> seen;
  for (const Entry& entry : parameter.list()) {
    for (const OptionSpec& spec : entry.options) {
      const std::string name(spec.name);
      if (!seen.insert(name).second) continue;
      columns.push_back(
          {{name, help_of_option(parameter.list(), name)}, [name, choice](const Row& row) {
             const Options& options = (row.task.*choice).options;
             return options.has(name) ? options.text(name) : std::string();
           }});
    }
  }
}

void add_measured(Columns& columns, const MeasurementKind& kind) {
  for (const OptionSpec& spec : kind.options) {
    const std::string name(spec.name);
    columns.push_back({{name, std::string(spec.help)},
                       [name](const Row& row) { return row.task.measure.options.text(name); }});
    if (name != "strategy") continue;
    columns.push_back(
        {{"caller", "who must enter the strategy's call: `parent` or `group`"}, [](const Row& row) {
           const auto& rows = standard_catalog().strategies;
           const Strategy* strategy = find_entry(rows, strategy_of(row.task));
           if (strategy == nullptr) return "";
           return strategy->caller == Caller::parent ? "parent" : "group";
         }});
  }
  for (const Figure& figure : kind.figures) {
    const std::string name(figure.name);
    columns.push_back({{name, std::string(figure.help)}, if_ok([name](const Row& row) {
                         const auto found = row.outcome->figures.find(name);
                         return found == row.outcome->figures.end() ? std::string()
                                                                    : exact(found->second);
                       })});
  }
}

}  // namespace regroup
