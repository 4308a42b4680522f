// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/workloads/deterministic.hpp"

#include <algorithm>

namespace regroup {
namespace {

/// `per_group` items for every group on average, all of them shared by the `count` groups from
/// `first` on, as evenly as whole items allow.
Items shared(std::int64_t per_group, std::size_t groups, std::size_t first, std::size_t count) {
  const std::int64_t total = per_group * static_cast<std::int64_t>(groups);
  const auto among = static_cast<std::int64_t>(count);
  Items items(groups, 0);
  for (std::int64_t i = 0; i < among; ++i) {
    items[first + static_cast<std::size_t>(i)] = total / among + (i < total % among ? 1 : 0);
  }
  return items;
}

}  // namespace

Items cyclic(const Options& options, Groups groups, std::uint64_t) {
  const std::int64_t multiplier = options.integer("multiplier");
  const std::int64_t modulus = options.integer("modulus");
  Items items;
  items.reserve(groups.size());
  for (const RankRange& group : groups) items.push_back(multiplier * (group.lo % modulus));
  return items;
}

Items cyclic_literal(const Options& options, Groups groups, std::uint64_t) {
  const std::int64_t multiplier = options.integer("multiplier");
  const std::int64_t modulus = options.integer("modulus");
  Items items;
  items.reserve(groups.size());
  for (const RankRange& group : groups) items.push_back(multiplier * group.lo % modulus);
  return items;
}

Items constant(const Options& options, Groups groups, std::uint64_t) {
  return Items(groups.size(), options.integer("mean_items"));
}

Items single(const Options& options, Groups groups, std::uint64_t) {
  const std::string& at = options.text("long_group");
  const std::size_t last = groups.size() - 1;
  const std::size_t place = at == "first" ? 0 : at == "last" ? last : groups.size() / 2;
  return shared(options.integer("mean_items"), groups.size(), place, 1);
}

Items blocks(const Options& options, Groups groups, std::uint64_t) {
  const auto wanted = options.real("long_fraction") * static_cast<double>(groups.size());
  const std::size_t count = std::max<std::size_t>(1, static_cast<std::size_t>(wanted + 0.5));
  const std::size_t first = options.text("long_side") == "left" ? 0 : groups.size() - count;
  return shared(options.integer("mean_items"), groups.size(), first, count);
}

}  // namespace regroup
