// SPDX-License-Identifier: BSD-3-Clause
#include "driver/config/zip.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "kernel/text/did_you_mean.hpp"
#include "kernel/text/units.hpp"

namespace regroup {
namespace {

using Names = std::vector<std::string>;
using Place = std::optional<std::size_t>;  // index in the lists of a zip; nullopt: in no list

constexpr std::string_view allowed_names =
    "allowed: at least two keys or options that have a list, or several lists of such names";

bool is_among(const Names& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

/// Calls `visit` with each position of a value of `axis` in a list of `names`.
template <class Visit>
void each_listed(const SweepAxis& axis, const Names& names, Visit visit) {
  for (const SweepAxis::Value& value : axis.values) {
    for (const Listed& listed : value.listed) {
      if (is_among(names, listed.name)) visit(listed);
    }
  }
}

/// Reads the names in the list `node`, which must have lists on `axes`.
Names names_in(const ConfigReader& reader, const ConfigNode& node,
               const std::vector<SweepAxis>& axes) {
  std::set<std::string> known;
  for (const SweepAxis& axis : axes) {
    for (const SweepAxis::Value& value : axis.values) {
      for (const Listed& listed : value.listed) known.insert(listed.name);
    }
  }
  Names names;
  if (node.kind != ConfigNode::Kind::list || node.items.size() < 2) {
    reader.fail(node, "zip is not a list of names", std::string(allowed_names));
  }
  for (const ConfigNode& item : node.items) {
    if (!known.contains(item.text)) {
      const Names all(known.begin(), known.end());
      reader.fail(
          item,
          fmt::format("zip: '{}' is not a list here{}", item.text, did_you_mean(item.text, all)),
          fmt::format("allowed: {}", fmt::join(all, ", ")));
    }
    if (is_among(names, item.text)) {
      reader.fail(item, fmt::format("zip contains '{}' twice", item.text), "give it once");
    }
    names.push_back(item.text);
  }
  return names;
}

void check_lengths(const ConfigReader& reader, const ConfigNode& node, const Names& names,
                   const std::vector<SweepAxis>& axes) {
  std::optional<Listed> first;
  for (const std::string& name : names) {
    for (const SweepAxis& axis : axes) {
      each_listed(axis, {name}, [&](const Listed& listed) {
        if (!first) first = listed;
        if (listed.length == first->length) return;
        reader.fail(node,
                    fmt::format("zip: {} has {} (line {}), and {} has {} (line {})", first->name,
                                counted(first->length, "value"), first->line, listed.name,
                                counted(listed.length, "value"), listed.line),
                    "give lists of equal length");
      });
    }
  }
}

/// Finds the position of `value` in the lists of `names`. Returns false if positions differ.
bool find_place(const SweepAxis::Value& value, const Names& names, Place& place) {
  for (const Listed& listed : value.listed) {
    if (!is_among(names, listed.name)) continue;
    if (place && *place != listed.index) return false;
    place = listed.index;
  }
  return true;
}

/// One value of each axis joined so far.
struct Row {
  Place place;
  std::vector<std::size_t> values;
};

/// Extends `rows` by each value of `axis` at the same position.
std::vector<Row> joined(const std::vector<Row>& rows, const SweepAxis& axis, const Names& names) {
  std::map<Place, std::vector<std::size_t>> by_place;
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < axis.values.size(); ++i) {
    Place place;
    if (!find_place(axis.values[i], names, place)) continue;
    by_place[place].push_back(i);
    all.push_back(i);
  }
  std::vector<Row> result;
  const auto add = [&](const Row& row, const std::vector<std::size_t>& values) {
    for (const std::size_t value : values) {
      Row longer = row;
      longer.values.push_back(value);
      if (!longer.place) find_place(axis.values[value], names, longer.place);
      result.push_back(std::move(longer));
    }
  };
  for (const Row& row : rows) {
    if (!row.place) {
      add(row, all);
      continue;
    }
    std::vector<std::size_t> values = by_place[row.place];
    values.insert(values.end(), by_place[Place()].begin(), by_place[Place()].end());
    std::ranges::sort(values);
    add(row, values);
  }
  return result;
}

/// Merges the axes `parts` into one.
SweepAxis one_axis(const ConfigReader& reader, const ConfigNode& node, std::vector<SweepAxis> parts,
                   const Names& names) {
  std::vector<Row> rows{{}};
  SweepAxis axis;
  for (const SweepAxis& part : parts) {
    rows = joined(rows, part, names);
    if (rows.size() > most_combinations) {
      reader.fail(node, "zip spans too many combinations",
                  fmt::format("allowed: at most {}", most_combinations));
    }
    axis.keys.insert(axis.keys.end(), part.keys.begin(), part.keys.end());
  }
  for (const Row& row : rows) {
    SweepAxis::Value& value = axis.values.emplace_back();
    for (std::size_t part = 0; part < parts.size(); ++part) {
      const auto& listed = parts[part].values[row.values[part]].listed;
      value.listed.insert(value.listed.end(), listed.begin(), listed.end());
    }
  }
  std::vector<Grid::Set> sets;
  for (SweepAxis& part : parts) sets.push_back(std::move(part.set));
  axis.set = [sets = std::move(sets), rows = std::move(rows)](Task& task, std::size_t i) {
    for (std::size_t part = 0; part < sets.size(); ++part) sets[part](task, rows[i].values[part]);
  };
  return axis;
}

/// Merges the axes that `node` names, at the position of the first of them.
std::vector<SweepAxis> zipped(const ConfigReader& reader, const ConfigNode& node,
                              std::vector<SweepAxis> axes) {
  const Names names = names_in(reader, node, axes);
  check_lengths(reader, node, names, axes);
  std::vector<SweepAxis> result, parts;
  std::size_t position = 0;
  for (SweepAxis& axis : axes) {
    bool concerned = false;
    each_listed(axis, names, [&](const Listed&) { concerned = true; });
    if (concerned && parts.empty()) position = result.size();
    (concerned ? parts : result).push_back(std::move(axis));
  }
  result.insert(result.begin() + static_cast<std::ptrdiff_t>(position),
                one_axis(reader, node, std::move(parts), names));
  return result;
}

}  // namespace

std::vector<SweepAxis> zipped(const ConfigReader& reader, std::vector<SweepAxis> axes) {
  const ConfigNode* node = reader.find("zip");
  if (node == nullptr) return axes;
  const bool several = node->kind == ConfigNode::Kind::list && !node->items.empty() &&
                       node->items.front().kind == ConfigNode::Kind::list;
  for (const ConfigNode& one : several ? std::span(node->items) : std::span(node, 1)) {
    axes = zipped(reader, one, std::move(axes));
  }
  return axes;
}

ConfigKey zip_key() {
  return {
      "zip", "a list of keys and options that have lists, or several such lists", "none",
      "lists that advance together instead of in all combinations, as in `[ranks, mean_items]`"};
}

}  // namespace regroup
