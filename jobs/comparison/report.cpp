// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/comparison/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "jobs/records/columns.hpp"
#include "jobs/words/describe.hpp"
#include "jobs/words/text_table.hpp"
#include "kernel/files/plain_text.hpp"
#include "kernel/files/schema.hpp"

namespace regroup {
namespace {

constexpr std::array sides{"A", "B"};

/// The parameters that have several values: the others need not be told in each line.
std::set<std::string> varying(const Comparison& comparison) {
  std::map<std::string, std::set<std::string>> values;
  std::set<std::string> names;
  for (const Compared& one : comparison.compared) {
    for (const auto& [name, value] : one.parameters) values[name].insert(value);
  }
  for (const auto& [name, all] : values) {
    if (all.size() > 1) names.insert(name);
  }
  return names;
}

std::string told(const Compared& one, const std::set<std::string>& names) {
  std::string text;
  for (const auto& [name, value] : one.parameters) {
    if (!names.contains(name) || value.empty()) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, value);
  }
  return text;
}

std::string interval(const Ratio& ratio) {
  if (ratio.method == Method::none) return "";
  if (ratio.method == Method::exact) return "exact";
  return fmt::format("{:.3f} … {:.3f}", ratio.low, ratio.high);
}

/// What becomes of a cell of Markdown with a bar in it.
std::string cell(const std::string& text, bool markdown) {
  std::string cell;
  for (const char c : one_line(text)) {
    if (markdown && c == '|') cell += '\\';
    cell += c;
  }
  return cell;
}

std::string table(const Comparison& comparison, bool markdown) {
  const std::set<std::string> names = varying(comparison);
  std::vector<const Compared*> order;
  for (const Compared& one : comparison.compared) order.push_back(&one);
  std::ranges::stable_sort(order, {}, &Compared::verdict);  // what is worse comes first
  std::vector<Cells> rows{
      {"verdict", "B / A", "95 % interval", "A", "B", "rows", "from", "time", "of"}};
  for (const Compared* one : order) {
    rows.push_back({std::string(name(one->verdict)), fmt::format("{:.3f}", one->ratio.ratio),
                    interval(one->ratio), in_fitting_unit(one->a_s), in_fitting_unit(one->b_s),
                    fmt::format("{}, {}", one->a_rows, one->b_rows),
                    one->why.empty() ? std::string(name(one->ratio.method)) : one->why, one->time,
                    cell(told(*one, names), markdown)});
  }
  return text_table(rows, {0, 6, 7, 8}, markdown);
}

std::string list(const Comparison& comparison, bool markdown) {
  std::string text;
  const auto add = [&](std::size_t side, const std::vector<std::string>& rows,
                       std::string_view what) {
    if (rows.empty()) return;
    text += fmt::format("\n{} rows of {} {}, not compared:\n{}", rows.size(), sides.at(side), what,
                        markdown ? "\n" : "");
    for (const std::string& row : rows) text += fmt::format("- {}\n", one_line(row));
  };
  for (std::size_t side = 0; side < 2; ++side) {
    add(side, comparison.alone.at(side), "without partner");
    add(side, comparison.not_well.at(side), "that did not end well");
  }
  return text;
}

bool uses(const Comparison& comparison, Method method) {
  return std::ranges::any_of(comparison.compared,
                             [&](const Compared& one) { return one.ratio.method == method; });
}

std::string summary(const Comparison& comparison, double limit) {
  std::string text = fmt::format(
      "\n{} compared: {} worse (slower by more than {:.4g} %), {} slower, {} faster, {} without "
      "difference, {} not judged.\n",
      comparison.compared.size(), comparison.count(Verdict::worse), 100 * (limit - 1),
      comparison.count(Verdict::slower), comparison.count(Verdict::faster),
      comparison.count(Verdict::no_difference), comparison.count(Verdict::not_judged));
  if (comparison.judged > 0) {
    text += fmt::format(
        "{} judged by chances, and corrected for being so many (Benjamini-Hochberg at 5 %).\n",
        comparison.judged);
  }
  if (uses(comparison, Method::stored)) {
    text +=
        "'stored': from the intervals of medians that rows hold, as repetitions are fewer than 4: "
        "what differs\nfrom launch to launch is not in them.\n";
  }
  return text;
}

nlohmann::ordered_json json_of(const Compared& one) {
  nlohmann::ordered_json json{{"time", one.time},
                              {"parameters", one.parameters},
                              {"a_s", one.a_s},
                              {"b_s", one.b_s},
                              {"a_rows", one.a_rows},
                              {"b_rows", one.b_rows},
                              {"verdict", name(one.verdict)}};
  const Ratio& ratio = one.ratio;
  json["ratio"] = ratio.ratio;  // null where there is none
  json["method"] = name(ratio.method);
  if (ratio.method == Method::none) {
    json["why"] = one.why;
    return json;
  }
  json["low"] = ratio.low;
  json["high"] = ratio.high;
  json["p_same"] = ratio.p_same;
  json["p_worse"] = ratio.p_worse;
  return json;
}

}  // namespace

std::string as_text(const Comparison& comparison, double limit, bool markdown) {
  std::string text = fmt::format("{}{}\n", markdown ? "### " : "== ", file_of(comparison.kind));
  if (markdown && !comparison.differences.empty()) text += "\n";
  for (const auto& [name, values] : comparison.differences) {
    const auto of = [&](std::size_t side) {
      return values.at(side).empty() ? std::string("none") : one_line(values.at(side));
    };
    text += fmt::format("{}differs: {}: A {}, B {}\n", markdown ? "- " : "", name, of(0), of(1));
  }
  text += "\n";
  if (!comparison.compared.empty()) text += table(comparison, markdown);
  return text + list(comparison, markdown) + summary(comparison, limit);
}

std::string as_json(std::span<const Comparison> all, const std::array<std::string, 2>& directories,
                    double limit) {
  nlohmann::ordered_json files = nlohmann::ordered_json::array();
  for (const Comparison& comparison : all) {
    nlohmann::ordered_json compared = nlohmann::ordered_json::array();
    for (const Compared& one : comparison.compared) compared.push_back(json_of(one));
    files.push_back({{"file", file_of(comparison.kind)},
                     {"differences", comparison.differences},
                     {"judged", comparison.judged},
                     {"compared", compared},
                     {"alone_a", comparison.alone[0]},
                     {"alone_b", comparison.alone[1]},
                     {"not_well_a", comparison.not_well[0]},
                     {"not_well_b", comparison.not_well[1]}});
  }
  const nlohmann::ordered_json json{{"schema", schema},    {"a", directories[0]},
                                    {"b", directories[1]}, {"worse_above", limit},
                                    {"level", 0.95},       {"correction", "Benjamini-Hochberg"},
                                    {"files", files}};
  return json.dump(2) + "\n";
}

}  // namespace regroup
