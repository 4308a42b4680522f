// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/selection/shard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "jobs/selection/weight.hpp"
#include "kernel/files/user_error.hpp"
#include "kernel/numbers/parse.hpp"

namespace regroup {
namespace {

/// Tasks on equally many processes.
struct Size {
  std::span<const std::size_t> places;
  double weight = 0;
  int shards = 1;
};

std::vector<Size> sizes_in(std::span<const Portion> portions, const Places& order) {
  std::vector<Size> sizes;
  for (std::size_t begin = 0; begin < order.size();) {
    Size size;
    std::size_t end = begin;
    for (; end < order.size(); ++end) {
      const Portion& portion = portions[order[end]];
      if (portion.processes != portions[order[begin]].processes) break;
      size.weight += static_cast<double>(portion.weight);
    }
    size.places = std::span(order).subspan(begin, end - begin);
    sizes.push_back(size);
    begin = end;
  }
  return sizes;
}

/// Each size has one shard; the others go, one by one, to where a shard has most to do.
void give_shards(std::vector<Size>& sizes, int shards) {
  for (int left = shards - static_cast<int>(sizes.size()); left > 0; --left) {
    const auto load = [](const Size& size) {
      const bool full = static_cast<std::size_t>(size.shards) >= size.places.size();
      return full ? -1 : size.weight / size.shards;
    };
    ++std::ranges::max_element(sizes, std::less(), load)->shards;
  }
}

/// Cuts `order` where the shards before have come to their share, and leaves one task for each of
/// those after.
void cut(std::span<const Portion> portions, std::span<const std::size_t> order, int shards,
         std::vector<Places>& all) {
  const auto weight = [&](std::size_t i) { return static_cast<double>(portions[i].weight); };
  double total = 0;
  for (const std::size_t i : order) total += weight(i);
  double taken = 0;
  std::size_t next = 0;
  for (int shard = 1; shard <= shards; ++shard) {
    const double share = total * shard / shards;
    const std::size_t end = order.size() - static_cast<std::size_t>(shards - shard);
    Places& own = all.emplace_back();
    while (next < end &&
           (own.empty() || shard == shards || taken + weight(order[next]) / 2 <= share)) {
      taken += weight(order[next]);
      own.push_back(order[next++]);
    }
    std::ranges::sort(own);
  }
}

}  // namespace

Shard shard_from(const std::string& text) {
  const auto fail = [&](const std::string& why) {
    throw UserError(
        fmt::format("--shard '{}': {}; a shard is I/N with 1 <= I <= N, as in 2/8", text, why));
  };
  const std::size_t bar = text.find('/');
  if (bar == text.npos) fail("there is no '/' in it");
  const auto number = parse<int>(std::string_view(text).substr(0, bar));
  const auto of = parse<int>(std::string_view(text).substr(bar + 1));
  if (!number || !of) fail("these are not two whole numbers");
  if (*of < 1) fail("there is no such number of shards");
  if (*number < 1) fail("shards count from 1 on");
  if (*number > *of) fail(fmt::format("there are only {}", *of));
  return {*number, *of};
}

std::vector<Places> divide(std::span<const Portion> portions, int shards) {
  Places order(portions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::less(),
                           [&](std::size_t i) { return portions[i].processes; });
  std::vector<Size> sizes = sizes_in(portions, order);
  std::vector<Places> all;
  if (static_cast<std::size_t>(shards) < sizes.size()) {
    cut(portions, order, shards, all);
    return all;
  }
  give_shards(sizes, shards);
  for (const Size& size : sizes) cut(portions, size.places, size.shards, all);
  return all;
}

std::vector<Places> divide(const Experiment& experiment, const Places& places, int shards) {
  if (static_cast<std::size_t>(shards) > places.size()) {
    throw UserError(fmt::format("{} {} cannot be divided into {} shards; allowed: at most {}",
                                places.size(), experiment.noun(), shards, places.size()));
  }
  std::vector<Portion> portions;
  portions.reserve(places.size());
  for (const std::size_t place : places) {
    portions.push_back({processes_of(experiment, place), weight_of(experiment, place)});
  }
  std::vector<Places> all = divide(portions, shards);
  for (Places& own : all) {
    for (std::size_t& place : own) place = places[place];
  }
  return all;
}

}  // namespace regroup
