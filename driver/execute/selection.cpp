// SPDX-License-Identifier: BSD-3-Clause
#include "driver/config/selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <numeric>
#include <string_view>
#include <tuple>
#include <vector>

#include "driver/execute/launch.hpp"
#include "driver/execute/predict.hpp"
#include "kernel/numbers/parse.hpp"
#include "kernel/text/plain_text.hpp"
#include "library/describe.hpp"
#include "library/task.hpp"
#include "regroup/numbers.hpp"

namespace regroup {
namespace {

Places with_text(const Experiment& experiment, const std::string& text) {
  Places places;
  for (std::size_t i = 0; i < experiment.size(); ++i) {
    if (text.empty() || holds(describe(experiment.at(i)), text)) places.push_back(i);
  }
  if (!places.empty()) return places;
  throw UserError(
      fmt::format("--only '{}': no description of the {} holds it; 'regroup plan {}' shows them",
                  text, experiment.noun(), experiment.file));
}

Places named(const Experiment& experiment, std::string name) {
  for (char& letter : name) {
    if (letter >= 'A' && letter <= 'F') letter += 'a' - 'A';
  }
  if (!hash_from(name)) {
    throw UserError(fmt::format(
        "--one '{}': is no name of a run, which is sixteen hexadecimal digits; 'regroup plan {} "
        "--format json' tells them",
        name, experiment.file));
  }
  for (std::size_t i = 0; i < experiment.size(); ++i) {
    if (fingerprint(experiment.at(i)) == name) return {i};
  }
  throw UserError(fmt::format(
      "--one '{}': none of the {} has this name; 'regroup plan {} --format json' tells them", name,
      experiment.noun(), experiment.file));
}

}  // namespace

Places selected(const Experiment& experiment, const Selection& selection) {
  if (!selection.one.empty()) {
    if (!selection.only.empty() || !selection.shard.empty()) {
      throw UserError("--one names what is to be done; --only and --shard have no place beside it");
    }
    return named(experiment, selection.one);
  }
  if (selection.shard.empty()) return with_text(experiment, selection.only);
  const Shard shard = shard_from(selection.shard);
  const std::size_t number = static_cast<std::size_t>(shard.number);
  return divide(experiment, with_text(experiment, selection.only), shard.of)[number - 1];
}

std::string place_of_shard(const Selection& selection) {
  if (selection.shard.empty()) return {};
  return fmt::format("/{}", shard_directory(shard_from(selection.shard)));
}

std::string options_of(const Selection& selection) {
  std::string line;
  if (!selection.only.empty()) line += " --only " + quoted(selection.only);
  if (!selection.shard.empty()) line += " --shard " + quoted(selection.shard);
  if (!selection.one.empty()) line += " --one " + quoted(selection.one);
  return line;
}

Places in_order(const Experiment& experiment, Places places) {
  if (experiment.sweep_order == as_written) return places;
  std::vector<std::tuple<int, std::uint64_t, std::size_t>> drawn;
  for (const std::size_t place : places) {
    const Scenario task = experiment.at(place);
    drawn.emplace_back(task.repetition, random_bits(task.stream(), Purpose::sweep_order, place, 0),
                       place);
  }
  std::ranges::sort(drawn);
  std::ranges::transform(drawn, places.begin(), [](const auto& one) { return std::get<2>(one); });
  return places;
}

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

namespace {

constexpr std::string_view before = "shard-";
constexpr std::string_view between = "-of-";

}  // namespace

std::string shard_directory(const Shard& shard) {
  return fmt::format("{}{}{}{}", before, shard.number, between, shard.of);
}

std::vector<std::string> shard_directories(const std::string& directory) {
  std::vector<std::tuple<int, int, std::string>> found;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(directory, none)) {
    const std::string file = entry.path().filename();
    const std::string_view name = file;
    const std::size_t middle = name.find(between);
    if (!name.starts_with(before) || middle == name.npos || !entry.is_directory(none)) continue;
    const auto number = parse<int>(name.substr(before.size(), middle - before.size()));
    const auto of = parse<int>(name.substr(middle + between.size()));
    if (number && of) found.emplace_back(*of, *number, directory + "/" + file);
  }
  std::ranges::sort(found);
  std::vector<std::string> all;
  for (const auto& [of, number, path] : found) all.push_back(path);
  return all;
}

}  // namespace regroup
