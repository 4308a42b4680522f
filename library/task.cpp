// SPDX-License-Identifier: BSD-3-Clause
#include "library/task.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "regroup/numbers.hpp"

namespace regroup {
namespace {

using nlohmann::json;

constexpr std::string_view special = " ()=\"";

std::string quoted(const std::string& value) {
  if (!value.empty() && value.find_first_of(special) == value.npos) return value;
  std::string text = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + '"';
}

/// Parses the results of text_of().
class TextReader {
 public:
  explicit TextReader(std::string_view text) : text_(text), rest_(text) {}

  Choice choice() {
    Choice choice{word("("), {}};
    if (rest_.empty()) return choice;
    take('(');
    choice.options = options_until(")");
    take(')');
    if (!rest_.empty()) fail("name(option=value option=value)");
    return choice;
  }
  Options options() { return options_until(""); }

 private:
  Options options_until(std::string_view end) {
    Options options;
    while (rest_ != end && !rest_.empty()) {
      std::string option = word("=");
      take('=');
      options.set(std::move(option), value());
      if (rest_.starts_with(' ')) take(' ');
    }
    return options;
  }

  [[noreturn]] void fail(std::string_view form) const {
    throw std::invalid_argument(fmt::format("'{}' is not written as {}", text_, form));
  }
  void take(char c) {
    if (!rest_.starts_with(c)) fail("option=value option=value");
    rest_.remove_prefix(1);
  }
  std::string word(std::string_view end) {
    const std::string_view found = rest_.substr(0, rest_.find_first_of(end));
    if (found.empty() || found.find_first_of(special) != found.npos) fail("a word");
    rest_.remove_prefix(found.size());
    return std::string(found);
  }
  std::string value() {
    if (!rest_.starts_with('"')) return word(" )");
    take('"');
    std::string value;
    while (!rest_.starts_with('"')) {
      if (rest_.starts_with('\\')) take('\\');
      if (rest_.empty()) fail("a value in quotes");
      value += rest_.front();
      rest_.remove_prefix(1);
    }
    take('"');
    return value;
  }

  std::string_view text_;
  std::string_view rest_;
};

json as_json(const Task& task) {
  json value{{"kind", task.kind()}, {"experiment", task.experiment}};
  if (task.is_run()) {
    value["inputs"] = task.run().inputs;
  } else {
    json& options = value["options"] = json::object();
    for (const auto& [name, text] : task.measurement().options) options[name] = text;
  }
  for (const Parameter& parameter : parameters()) {
    if (parameter.applies_to(task)) value[std::string(parameter.spec.name)] = parameter.text(task);
  }
  return value;
}

/// Checks and sets a parameter. A task file may be damaged, and nothing checks its values later.
void set_checked(const Parameter& parameter, Task& task, const std::string& text,
                 const Catalog& catalog) {
  if (parameter.list == nullptr) {
    const std::string wrong = complaint(parameter.spec, text);
    if (!wrong.empty()) throw std::invalid_argument(wrong);
  } else if (text.empty() && !parameter.may_be_empty && parameter.spec.name != "engine") {
    throw std::invalid_argument(fmt::format("no {}", parameter.spec.name));
  }
  try {
    parameter.set(task, text, catalog);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{}: {}", parameter.spec.name, error.what()));
  }
}

}  // namespace

std::string text_of(const Options& options) {
  std::string text;
  for (const auto& [option, value] : options) {
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", option, quoted(value));
  }
  return text;
}

std::string text_of(std::string_view name, const Options& options) {
  return options.size() == 0 ? std::string(name) : fmt::format("{}({})", name, text_of(options));
}

Options options_from(std::string_view text) { return TextReader(text).options(); }
Choice choice_from(std::string_view text) { return TextReader(text).choice(); }

Task usual_task(const Catalog& catalog, const MeasurementKind* kind) {
  Task task;
  if (kind != nullptr) {
    Measurement& measurement = task.what.emplace<Measurement>();
    measurement.kind = kind;
    measurement.options = with_fallbacks(*kind).options;
  }
  for (const Parameter& parameter : parameters()) {
    if (!parameter.applies_to(kind) || parameter.spec.fallback.empty()) continue;
    if (parameter.spec.name == "engine" && catalog.engines.empty()) continue;
    parameter.set(task, parameter.spec.fallback, catalog);
  }
  return task;
}

Task run_of(const Catalog& catalog,
            std::initializer_list<std::pair<std::string_view, std::string>> values) {
  Task task = usual_task(catalog);
  for (const auto& [name, text] : values) {
    const Parameter* parameter = nullptr;
    for (const Parameter& one : parameters()) {
      if (one.spec.name == name && one.applies_to(nullptr)) parameter = &one;
    }
    if (parameter == nullptr) throw std::invalid_argument(fmt::format("no parameter '{}'", name));
    set_checked(*parameter, task, text, catalog);
  }
  return task;
}

std::string to_json(const Task& task) { return as_json(task).dump(); }

void set_option(Measurement& measurement, const std::string& name, const std::string& value,
                const Catalog& catalog) {
  measurement.options.set(name, value);
  if (name == "communicator") measurement.strategy = find_entry(catalog.strategies, value);
  if (name == "operation") measurement.operation = find_entry(catalog.operations, value);
}

Task task_from_json(const std::string& text, const Catalog& catalog) {
  const json value = json::parse(text);
  const auto kind = value.at("kind").get<std::string>();
  const MeasurementKind* measured = nullptr;
  if (kind != "run") {
    measured = find_entry(catalog.measurements, kind);
    if (measured == nullptr) throw std::invalid_argument(fmt::format("unknown kind '{}'", kind));
  }
  Task task = usual_task(catalog, measured);
  task.experiment = value.at("experiment").get<std::string>();
  for (const Parameter& parameter : parameters()) {
    if (!parameter.applies_to(task)) continue;
    set_checked(parameter, task, value.at(std::string(parameter.spec.name)).get<std::string>(),
                catalog);
  }
  if (measured == nullptr) {
    task.run().inputs = value.at("inputs").get<std::string>();
    return task;
  }
  Measurement& measurement = task.measurement();
  for (const auto& [name, option] : value.at("options").items()) {
    set_option(measurement, name, option.get<std::string>(), catalog);
  }
  check_options(*measured, measurement.options);
  return task;
}

std::string fingerprint(const Task& task) {
  json value = as_json(task);  // has sorted keys
  for (const char* name : {"experiment", "timeout_s", "keep_states"}) value.erase(name);
  for (const Parameter& parameter : parameters()) {
    if (!parameter.later || !parameter.applies_to(task)) continue;
    if (parameter.text(task) == parameter.spec.fallback) value.erase(parameter.spec.name);
  }
  return hash_text(value.dump());
}

EventDetail event_detail(std::string_view asked, int ranks) {
  for (std::size_t word = 1; word < event_words.size(); ++word) {
    if (event_words[word] == asked) return static_cast<EventDetail>(word - 1);
  }
  return ranks <= most_ranks_with_events ? EventDetail::all : EventDetail::summary;
}

}  // namespace regroup
