// SPDX-License-Identifier: BSD-3-Clause
#include "driver/config/exclusion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "kernel/text/did_you_mean.hpp"
#include "regroup/measurement.hpp"

namespace regroup {
namespace {

/// The values given for a name, in the spelling of tasks.
using Texts = std::set<std::string, std::less<>>;

/// Returns the parameter whose name or key is `name`; nullptr if there is none. The key
/// `repetitions` is excluded: its number is not the value of the parameter.
const Parameter* parameter_called(std::string_view name, const MeasurementKind* measured) {
  for (const Parameter& parameter : parameters()) {
    const bool named =
        parameter.spec.name == name || (parameter.key == name && name != "repetitions");
    if (named && parameter.applies_to(measured)) return &parameter;
  }
  return nullptr;
}

/// Returns the axis on which a parameter varies.
std::string_view axis_of(const Parameter& parameter) {
  return parameter.key.empty() ? "balancers" : parameter.key;
}

/// Returns the values in `node`, in the spelling of each of `specs` that allows them.
Texts texts_in(const ConfigReader& reader, const ConfigNode& node, std::string_view name,
               const std::vector<const OptionSpec*>& specs) {
  Texts texts;
  reader.values(node, name, allowed(*specs.front()), [&](const std::string& given) {
    bool fits = false;
    for (const OptionSpec* spec : specs) {
      for (const std::string& value : values_in(*spec, given)) {
        if (!complaint(*spec, value).empty()) continue;
        const bool file = spec->type == OptionSpec::Type::file;
        texts.insert(file ? reader.beside_configuration(value) : canonical(*spec, value));
        fits = true;
      }
    }
    return fits ? "" : fmt::format("'{}' is not a valid value of {}", given, name);
  });
  return texts;
}

/// Returns the values in `node`, which must be names in `rows`.
Texts rows_in(const ConfigReader& reader, const ConfigNode& node, std::string_view name,
              const Entries& rows) {
  const auto all = reader.values(&node, name, rows, "");
  return {all.begin(), all.end()};
}

/// Returns the options `name` of the rows that a parameter can select.
std::vector<const OptionSpec*> options_called(std::string_view name, const Parameter& parameter,
                                              const Catalog& catalog) {
  std::vector<const OptionSpec*> specs;
  if (!parameter.has_options) return specs;
  for (const Entry& row : parameter.list(catalog)) {
    if (const OptionSpec* spec = find_entry(row.options, name)) specs.push_back(spec);
  }
  return specs;
}

/// Returns all names that an item may contain.
std::vector<std::string> known_names(const Catalog& catalog, const MeasurementKind* measured) {
  std::set<std::string> names;
  for (const Parameter& parameter : parameters()) {
    if (!parameter.applies_to(measured)) continue;
    names.emplace(parameter.spec.name);
    if (!parameter.has_options) continue;
    for (const Entry& row : parameter.list(catalog)) {
      for (const OptionSpec& spec : row.options) names.emplace(spec.name);
    }
  }
  if (measured != nullptr) {
    for (const OptionSpec& spec : measured->options) names.emplace(spec.name);
  }
  return {names.begin(), names.end()};
}

}  // namespace

Exclusion::Exclusion(const ConfigReader& reader, const ConfigNode& item, const Catalog& catalog,
                     const MeasurementKind* measured) {
  if (item.kind != ConfigNode::Kind::map || item.pairs.empty()) {
    reader.fail(item, "an item of exclude is a map of names and values",
                "as in - {ranks: 512, balancer: none}");
  }
  Texts seen;
  for (const auto& [name, values] : item.pairs) {
    if (!seen.insert(name.text).second) {
      reader.fail(name, fmt::format("duplicate key '{}' in exclude", name.text), "give it once");
    }
    conditions_.push_back(condition(reader, name.text, name, values, catalog, measured));
  }
}

Exclusion::Condition Exclusion::condition(const ConfigReader& reader, const std::string& name,
                                          const ConfigNode& name_node, const ConfigNode& values,
                                          const Catalog& catalog, const MeasurementKind* measured) {
  if (const Parameter* parameter = parameter_called(name, measured)) {
    keys_.push_back(axis_of(*parameter));
    const Texts texts = parameter->list == nullptr
                            ? texts_in(reader, values, name, {&parameter->spec})
                            : rows_in(reader, values, name, parameter->list(catalog));
    return [parameter, texts](const Task& task) {
      const std::string text = parameter->text(task);
      return texts.contains(parameter->has_options ? text.substr(0, text.find('(')) : text);
    };
  }
  const OptionSpec* of_measurement =
      measured == nullptr ? nullptr : find_entry(measured->options, name);
  if (of_measurement != nullptr) {
    keys_.push_back(of_measurement->name);
    return [name, texts = texts_in(reader, values, name, {of_measurement})](const Task& task) {
      return texts.contains(task.measurement().options.text(name));
    };
  }
  std::vector<const OptionSpec*> specs;
  std::vector<const Parameter*> owners;
  for (const Parameter& parameter : parameters()) {
    if (!parameter.applies_to(measured)) continue;
    const auto some = options_called(name, parameter, catalog);
    if (some.empty()) continue;
    specs.insert(specs.end(), some.begin(), some.end());
    owners.push_back(&parameter);
    keys_.push_back(axis_of(parameter));
  }
  if (specs.empty()) {
    reader.fail(name_node,
                fmt::format("unknown name '{}' in exclude{}", name,
                            did_you_mean(name, known_names(catalog, measured))),
                "allowed: names of parameters, as columns of results have them, and of options");
  }
  return [name, owners, texts = texts_in(reader, values, name, specs)](const Task& task) {
    return std::ranges::any_of(owners, [&](const Parameter* owner) {
      const std::string text = owner->text(task);
      if (text.empty()) return false;
      const Options options = choice_from(text).options;
      return options.has(name) && texts.contains(options.text(name));
    });
  };
}

bool Exclusion::matches(const Task& task) const {
  return std::ranges::all_of(conditions_, [&](const Condition& holds) { return holds(task); });
}

ConfigKey exclude_key() {
  return {"exclude", "a list of maps of names and values", "nothing",
          "combinations to omit, given by values of parameters and options, as in `[{ranks: 512, "
          "balancer: none}]`"};
}

}  // namespace regroup
