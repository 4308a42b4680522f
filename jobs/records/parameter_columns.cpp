// SPDX-License-Identifier: BSD-3-Clause
//
// Columns of parameters and of the options of what they name, and those of measurements.
#include <algorithm>
#include <optional>
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

/// What stands for the option where any of `list` has it, and nothing where the choice lacks it.
Content content_of_option(const Entries& list, std::string_view name) {
  std::optional<Content> content;
  for (const Entry& entry : list) {
    const OptionSpec* spec = find_entry(entry.options, name);
    if (spec == nullptr) continue;
    const Content own = content_of(*spec);
    content = content ? either(*content, own) : own;
  }
  return content::maybe(content.value());
}

Content content_of(const Parameter& parameter) {
  Content content = content_of(parameter.spec);
  content.may_be_empty = parameter.may_be_empty;
  if (parameter.list != nullptr) {
    for (const Entry& entry : parameter.list()) content.words.emplace_back(entry.name);
  }
  return content;
}

}  // namespace

std::vector<ParameterColumn> columns_of(const Parameter& parameter) {
  std::vector<ParameterColumn> columns{
      {{std::string(parameter.spec.name), content_of(parameter), std::string(parameter.spec.help)},
       [&parameter](const Scenario& task) { return text_of(parameter, task); }}};
  const auto* choice = std::get_if<Choice Scenario::*>(&parameter.member);
  if (choice == nullptr) return columns;
  std::set<std::string> seen;
  for (const Entry& entry : parameter.list()) {
    for (const OptionSpec& spec : entry.options) {
      const std::string name(spec.name);
      if (!seen.insert(name).second) continue;
      columns.push_back({{name, content_of_option(parameter.list(), name),
                          help_of_option(parameter.list(), name)},
                         [name, choice = *choice](const Scenario& task) {
                           const Options& options = (task.*choice).options;
                           return options.has(name) ? options.text(name) : std::string();
                         }});
    }
  }
  return columns;
}

void add_measured(Columns& columns, const MeasurementKind& kind) {
  for (const OptionSpec& spec : kind.options) {
    const std::string name(spec.name);
    columns.push_back({{name, content_of(spec), std::string(spec.help)},
                       [name](const Row& row) { return row.task.measure.options.text(name); }});
    if (name != "communicator") continue;
    columns.push_back({{"caller", content::maybe(content::one_of({"parent", "group"})),
                        "who must enter the strategy's call: `parent` or `group`"},
                       [](const Row& row) {
                         const auto& rows = standard_catalog().strategies;
                         const Strategy* strategy = find_entry(rows, strategy_of(row.task));
                         if (strategy == nullptr) return "";
                         return strategy->caller == Caller::parent ? "parent" : "group";
                       }});
  }
  for (const Figure& figure : kind.figures) {
    const std::string name(figure.name);
    columns.push_back(if_ok(
        {name, figure.is_count ? content::integer : content::number, std::string(figure.help)},
        [name](const Row& row) {
          const auto found = row.outcome->figures.find(name);
          return found == row.outcome->figures.end() ? std::string() : exact(found->second);
        }));
  }
}

}  // namespace regroup
