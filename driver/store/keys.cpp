// SPDX-License-Identifier: BSD-3-Clause
#include "driver/store/keys.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "driver/store/settings.hpp"
#include "kernel/numbers/parse.hpp"
#include "kernel/text/did_you_mean.hpp"
#include "kernel/text/plain_text.hpp"

namespace regroup {
namespace {

std::string option_text(const Parameter& parameter, const std::string& option, const Task& task) {
  const std::string text = parameter.text(task);
  if (text.empty()) return {};
  for (const auto& [name, value] : choice_from(text).options) {
    if (name == option) return value;
  }
  return {};
}

bool same_value(const std::string& one, const std::string& other) {
  if (one == other) return true;
  const auto number = parse<double>(one);
  return number && number == parse<double>(other);
}

/// Splits "VALUE,VALUE" at commas outside parentheses.
std::vector<std::string> values_in(std::string_view list) {
  std::vector<std::string> values{""};
  int depth = 0;
  for (const char c : list) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth <= 0) {
      values.emplace_back();
    } else {
      values.back() += c;
    }
  }
  return values;
}

/// Lists the first texts if there are many.
std::string some_of(const std::vector<std::string>& all) {
  constexpr std::size_t most = 24;
  if (all.size() <= most) return fmt::format("{}", fmt::join(all, ", "));
  return fmt::format("{}, … ({} in all)", fmt::join(all.begin(), all.begin() + most, ", "),
                     all.size());
}

std::string_view noun_of(const MeasurementKind* kind) {
  return kind == nullptr ? "runs" : "measurements";
}

/// Returns the names of the keys with several values among all records.
std::vector<std::string> varying_keys(const std::vector<Key>& keys, const std::string& directory,
                                      const MeasurementKind* kind, const Catalog& catalog) {
  std::vector<Texts> texts(keys.size());
  each_record(directory, kind, catalog, [&](const CsvRow&, const Record& record) {
    for (std::size_t i = 0; i < keys.size(); ++i) texts[i].add(keys[i].text(record));
  });
  std::vector<std::string> names;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (texts[i].size() > 1) names.push_back(keys[i].name);
  }
  return names;
}

}  // namespace

bool Key::has(const Record& record, const std::string& value) const {
  if (same_value(text(record), value)) return true;
  if (parameter == nullptr || !parameter->has_options) return false;
  const std::string whole = parameter->text(record.task);
  return whole == value || (!whole.empty() && choice_from(whole).name == value);
}

std::vector<Key> keys_of(const MeasurementKind* kind, const Catalog& catalog) {
  std::vector<Key> keys;
  const auto add = [&](std::string_view name, auto text) -> Key& {
    return keys.emplace_back(Key{std::string(name), std::move(text)});
  };
  const auto known = [&](std::string_view name) {
    return std::ranges::find(keys, name, &Key::name) != keys.end();
  };
  std::vector<const Parameter*> with_options;
  for (const Parameter& parameter : parameters()) {
    if (!parameter.applies_to(kind) || parameter.column == Parameter::Column::none) continue;
    auto text = parameter.brief != nullptr ? parameter.brief : parameter.text;
    if (parameter.spec.name == "balancer") text = balancer_of;
    Key& key = add(parameter.spec.name, [text](const Record& record) { return text(record.task); });
    key.parameter = &parameter;
    key.of_balancer = parameter.spec.name == "balancer" || parameter.spec.name == "communicator";
    if (parameter.has_options) with_options.push_back(&parameter);
  }
  if (kind != nullptr) {
    for (const OptionSpec& spec : kind->options) {
      add(spec.name, [name = spec.name](const Record& record) {
        return record.task.measurement().options.text(name);
      });
    }
  }
  for (const Parameter* parameter : with_options) {
    for (const Entry& row : parameter->list(catalog)) {
      for (const OptionSpec& spec : row.options) {
        if (known(spec.name)) continue;
        Key& key = add(spec.name, [parameter, name = std::string(spec.name)](const Record& record) {
          return option_text(*parameter, name, record.task);
        });
        key.is_option = true;
        key.of_balancer = parameter->spec.name == "balancer";
      }
    }
  }
  add("waited", [](const Record& record) { return record.outcome.waiting; });
  add("cores", [](const Record& record) {
    const int cores = record.outcome.where.cores;
    return cores == 0 ? "" : std::to_string(cores);
  });
  add("oversubscribed", [](const Record& record) {
    return std::string(record.outcome.where.crowded ? "yes" : "no");
  });
  add("placement", [](const Record& record) { return record.outcome.where.placement; });
  return keys;
}

const Key& key_named(const std::vector<Key>& keys, std::string_view name, std::string_view option,
                     const std::string& directory, const MeasurementKind* kind,
                     const Catalog& catalog) {
  const auto found = std::ranges::find(keys, name, &Key::name);
  if (found != keys.end()) return *found;
  std::vector<std::string> names;
  for (const Key& key : keys) names.push_back(key.name);
  const std::vector<std::string> varying = varying_keys(keys, directory, kind, catalog);
  throw UserError(
      fmt::format("{}: there is no key '{}'{}; {}", option, name, did_you_mean(name, names),
                  varying.empty() ? fmt::format("allowed: {}", fmt::join(names, ", "))
                                  : fmt::format("the {} in {} differ in: {}", noun_of(kind),
                                                directory, fmt::join(varying, ", "))));
}

// ---- texts

void Texts::add(const std::string& text) {
  if (text.empty() || text == last_) return;  // most texts equal the previous one
  places_.emplace(text, places_.size());
  last_ = text;
}

std::vector<std::string> Texts::sorted() const {
  struct Text {
    double number;
    std::size_t place;
    std::string text;
  };
  std::vector<Text> all;
  for (const auto& [text, place] : places_) {
    all.push_back({parse<double>(text).value_or(0), place, text});
  }
  std::ranges::sort(all, {}, [](const Text& one) { return std::pair(one.number, one.place); });
  std::vector<std::string> texts;
  for (Text& one : all) texts.push_back(std::move(one.text));
  return texts;
}

// ---- filter

Filter::Filter(const Where& where, const std::string& directory, const MeasurementKind* kind,
               const Catalog& catalog)
    : directory_(directory) {
  if (where.empty()) return;
  const std::vector<Key> keys = keys_of(kind, catalog);
  for (const std::string& text : where) {
    const std::size_t end = text.find('=');
    const std::string option = "--where " + text;
    if (end == std::string::npos || end == 0) {
      throw UserError(option + ": allowed: KEY=VALUE or KEY=VALUE,VALUE,…");
    }
    const Key& key =
        key_named(keys, std::string_view(text).substr(0, end), option, directory, kind, catalog);
    for (const Condition& other : conditions_) {
      if (other.key.name != key.name) continue;
      throw UserError(
          fmt::format("{}: {} already has a condition; use {}=VALUE,VALUE for several values",
                      option, key.name, key.name));
    }
    Condition& condition = conditions_.emplace_back(Condition{text, key, {}});
    for (std::string& value : values_in(std::string_view(text).substr(end + 1))) {
      condition.wanted.emplace(std::move(value), false);
    }
  }
}

bool Filter::admits(const Record& record) {
  bool all = true;
  for (Condition& condition : conditions_) {
    condition.values.add(condition.key.text(record));
    bool one = false;
    for (auto& [value, had] : condition.wanted) {
      if (!condition.key.has(record, value)) continue;
      had = one = true;
    }
    all &= one;
  }
  any_ = true;
  admitted_ |= all;
  return all;
}

void Filter::check() const {
  if (!any_) return;  // the caller reports that there are no results
  for (const Condition& condition : conditions_) {
    for (const auto& [value, had] : condition.wanted) {
      if (had) continue;
      throw UserError(fmt::format("--where {}: nothing in {} has {} '{}'; there are: {}",
                                  condition.text, directory_, condition.key.name, value,
                                  some_of(condition.values.sorted())));
    }
  }
  if (admitted_) return;
  std::string all;
  for (const Condition& condition : conditions_) all += " --where " + condition.text;
  throw UserError(fmt::format("nothing in {} meets all of{}", directory_, all));
}

void each_record_where(const Where& where, const std::string& directory,
                       const MeasurementKind* kind, const Catalog& catalog,
                       const std::function<void(const CsvRow& row, Record record)>& visit) {
  Filter filter(where, directory, kind, catalog);
  each_record(directory, kind, catalog, [&](const CsvRow& row, Record record) {
    if (filter.admits(record)) visit(row, std::move(record));
  });
  filter.check();
}

}  // namespace regroup
