// SPDX-License-Identifier: BSD-3-Clause
#include "driver/config/fault_plans.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <span>
#include <stdexcept>

#include "kernel/faults.hpp"
#include "kernel/numbers/parse.hpp"

namespace regroup {
namespace {

constexpr OptionSpec rank_key =
    integer_option("rank", "", 0, largest_world - 1, "rank that is affected");
constexpr OptionSpec at_item_key = integer_option("at_item", "", 1, 1e15, "");
constexpr OptionSpec at_s_key = real_option("at_s", "", 0, 1e9, "");
constexpr OptionSpec factor_key = real_option("factor", "", 1, 1e6, "");
constexpr OptionSpec mtbf_key = real_option("mtbf_s", "", 1e-9, 1e12, "");
constexpr OptionSpec detection_key = real_option("detection_ms", "", 0, 1e9, "");
constexpr OptionSpec save_key = real_option("save_ms", "", 0, 1e9, "");

std::span<const ConfigNode> items_of(const ConfigNode& node) {
  return node.kind == ConfigNode::Kind::list ? std::span(node.items) : std::span(&node, 1);
}

/// Returns the number in `node`. Throws UserError if it is not one number.
double number_in(const ConfigReader& reader, const ConfigNode& node, const OptionSpec& spec) {
  if (node.kind != ConfigNode::Kind::scalar) {
    reader.fail(node, fmt::format("{} is not a number", spec.name), "allowed: " + allowed(spec));
  }
  return parse<double>(reader.values(&node, spec, node).front()).value();
}

Fault fault_in(const ConfigReader& reader, const ConfigNode& node, Fault::Kind kind,
               const std::string& what) {
  const bool slow = kind == Fault::Kind::slow;
  using Keys = ConfigReader::Values;
  reader.check_keys(node, what, slow ? Keys{"rank", "factor"} : Keys{"rank", "at_item", "at_s"});
  Fault fault{kind};
  const ConfigNode* rank = ConfigReader::find(node, "rank");
  if (rank == nullptr) {
    reader.fail(node, fmt::format("{} has no rank", what), "allowed: random, or a rank from 0");
  }
  const bool random = rank->kind == ConfigNode::Kind::scalar && rank->text == "random";
  fault.rank = random ? Fault::random_rank : static_cast<int>(number_in(reader, *rank, rank_key));
  if (slow) {
    const ConfigNode* factor = ConfigReader::find(node, "factor");
    if (factor == nullptr) {
      reader.fail(node, "slow has no factor", "allowed: " + allowed(factor_key));
    }
    fault.factor = number_in(reader, *factor, factor_key);
    return fault;
  }
  const ConfigNode* at_item = ConfigReader::find(node, "at_item");
  const ConfigNode* at_s = ConfigReader::find(node, "at_s");
  if ((at_item == nullptr) == (at_s == nullptr)) {
    reader.fail(node,
                fmt::format("{} contains {} at_item and at_s", what,
                            at_item == nullptr ? "neither of" : "both"),
                "give one of them");
  }
  if (at_item != nullptr) {
    fault.at_item = static_cast<std::int64_t>(number_in(reader, *at_item, at_item_key));
  } else {
    fault.at_s = number_in(reader, *at_s, at_s_key);
  }
  return fault;
}

FaultPlan plan_in(const ConfigReader& reader, const ConfigNode& node) {
  const std::string allowed_here = fmt::format("allowed: {}", faults_allowed);
  if (node.kind == ConfigNode::Kind::scalar) {
    try {
      return FaultPlan::from(node.text);
    } catch (const std::invalid_argument& error) {
      reader.fail(node, fmt::format("'{}' is not a valid value of faults", node.text),
                  allowed_here);
    }
  }
  reader.check_keys(node, "faults", {"kill", "hang", "slow", "mtbf_s", "detection_ms", "save_ms"});
  FaultPlan plan;
  for (const auto& [key, value] : node.pairs) {
    if (key.text == "mtbf_s") {
      plan.mtbf_s = number_in(reader, value, mtbf_key);
    } else if (key.text == "detection_ms") {
      plan.detection_ms = number_in(reader, value, detection_key);
    } else if (key.text == "save_ms") {
      plan.save_ms = number_in(reader, value, save_key);
    } else {
      const Fault::Kind kind = key.text == "kill"   ? Fault::Kind::kill
                               : key.text == "hang" ? Fault::Kind::hang
                                                    : Fault::Kind::slow;
      for (const ConfigNode& item : items_of(value)) {
        plan.faults.push_back(fault_in(reader, item, kind, key.text));
      }
    }
  }
  if (plan.empty()) reader.fail(node, "faults names no fault", allowed_here);
  // Equal plans must have equal texts.
  std::ranges::stable_sort(plan.faults, {}, &Fault::kind);
  return plan;
}

}  // namespace

std::vector<std::string> fault_plans(const ConfigReader& reader) {
  const ConfigNode* node = reader.find("faults");
  if (node == nullptr) return {FaultPlan().text()};
  std::vector<std::string> all;
  for (const ConfigNode& item : items_of(*node)) {
    const std::string text = plan_in(reader, item).text();
    if (std::ranges::find(all, text) != all.end()) {
      reader.fail(item, "these faults are given twice", "give them once");
    }
    all.push_back(text);
  }
  if (all.empty()) {
    reader.fail(*node, "faults is an empty list", fmt::format("allowed: {}", faults_allowed));
  }
  return all;
}

const ConfigNode& rank_in_faults(const ConfigReader& reader, int rank) {
  const ConfigNode* found = nullptr;
  const std::function<void(const ConfigNode&)> look = [&](const ConfigNode& node) {
    for (const ConfigNode& item : node.items) look(item);
    for (const auto& [key, value] : node.pairs) {
      if (key.text == "rank" && parse<int>(value.text) == rank) found = &value;
      look(value);
    }
  };
  look(*reader.find("faults"));
  return found != nullptr ? *found : *reader.find("faults");
}

}  // namespace regroup
