// SPDX-License-Identifier: BSD-3-Clause
#include "driver/execute/selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <numeric>
#include <string_view>
#include <tuple>
#include <vector>

#include "driver/execute/predict.hpp"
#include "driver/store/merge.hpp"
#include "kernel/numbers/parse.hpp"
#include "kernel/text/plain_text.hpp"
#include "kernel/text/shell_words.hpp"
#include "kernel/text/terminal.hpp"
#include "kernel/text/units.hpp"
#include "library/describe.hpp"
#include "library/task.hpp"
#include "regroup/numbers.hpp"

namespace regroup {
namespace {

/// Returns whether `description` contains `text`. "#1" at the end of `text` does not match "#10".
bool holds(std::string_view description, std::string_view text) {
  const std::size_t digits = text.size() - (text.find_last_not_of("0123456789") + 1);
  const bool number = digits > 0 && digits < text.size() && text[text.size() - digits - 1] == '#';
  for (auto at = description.find(text); at != description.npos;
       at = description.find(text, at + 1)) {
    const std::string_view rest = description.substr(at + text.size());
    if (!number || rest.empty() || std::isdigit(static_cast<unsigned char>(rest[0])) == 0) {
      return true;
    }
  }
  return false;
}

Indices with_text(const Experiment& experiment, const std::string& text) {
  Indices indices;
  for (std::size_t i = 0; i < experiment.size(); ++i) {
    if (text.empty() || holds(describe(experiment.at(i)), text)) indices.push_back(i);
  }
  if (!indices.empty()) return indices;
  throw UserError(
      fmt::format("--only '{}': no description of a {} contains this text; '{} plan {}' prints the "
                  "descriptions",
                  text, experiment.noun(), program_call(), experiment.file));
}

Indices named(const Experiment& experiment, std::string name) {
  for (char& letter : name) {
    if (letter >= 'A' && letter <= 'F') letter += 'a' - 'A';
  }
  if (!hash_from(name)) {
    throw UserError(
        fmt::format("--one '{}': not a hash, which has sixteen hexadecimal digits; '{} plan {} "
                    "--format json' prints the hashes",
                    name, program_call(), experiment.file));
  }
  for (std::size_t i = 0; i < experiment.size(); ++i) {
    if (fingerprint(experiment.at(i)) == name) return {i};
  }
  throw UserError(
      fmt::format("--one '{}': no {} has this hash; '{} plan {} --format json' prints the hashes",
                  name, experiment.noun(), program_call(), experiment.file));
}

}  // namespace

Indices selected(const Experiment& experiment, const Selection& selection) {
  if (!selection.one.empty()) {
    if (!selection.only.empty() || !selection.shard.empty()) {
      throw UserError("--one cannot be combined with --only or --shard");
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
  const Shard shard = shard_from(selection.shard);
  return "/" + shard_directory(shard.number, shard.of);
}

std::string options_of(const Selection& selection) {
  std::string line;
  if (!selection.only.empty()) line += " --only " + quoted(selection.only);
  if (!selection.shard.empty()) line += " --shard " + quoted(selection.shard);
  if (!selection.one.empty()) line += " --one " + quoted(selection.one);
  return line;
}

Indices in_order(const Experiment& experiment, Indices indices) {
  if (experiment.sweep_order == as_written) return indices;
  std::vector<std::tuple<int, std::uint64_t, std::size_t>> drawn;
  for (const std::size_t index : indices) {
    const Task task = experiment.at(index);
    drawn.emplace_back(task.repetition, random_bits(task.stream(), Purpose::sweep_order, index, 0),
                       index);
  }
  std::ranges::sort(drawn);
  std::ranges::transform(drawn, indices.begin(), [](const auto& one) { return std::get<2>(one); });
  return indices;
}

namespace {

/// The tasks with the same number of processes.
struct Size {
  std::span<const std::size_t> indices;
  double weight = 0;
  int shards = 1;
};

std::vector<Size> sizes_in(std::span<const Portion> portions, const Indices& order) {
  std::vector<Size> sizes;
  for (std::size_t begin = 0; begin < order.size();) {
    Size size;
    std::size_t end = begin;
    for (; end < order.size(); ++end) {
      const Portion& portion = portions[order[end]];
      if (portion.processes != portions[order[begin]].processes) break;
      size.weight += static_cast<double>(portion.weight);
    }
    size.indices = std::span(order).subspan(begin, end - begin);
    sizes.push_back(size);
    begin = end;
  }
  return sizes;
}

/// Adds the remaining shards, one by one, to the size with the largest weight per shard.
void give_shards(std::vector<Size>& sizes, int shards) {
  for (int left = shards - static_cast<int>(sizes.size()); left > 0; --left) {
    const auto load = [](const Size& size) {
      const bool full = static_cast<std::size_t>(size.shards) >= size.indices.size();
      return full ? -1 : size.weight / size.shards;
    };
    ++std::ranges::max_element(sizes, std::less(), load)->shards;
  }
}

/// Divides `order` into consecutive parts of about equal weight, with at least one task each, and
/// adds them to `all`.
void cut(std::span<const Portion> portions, std::span<const std::size_t> order, int shards,
         std::vector<Indices>& all) {
  const auto weight = [&](std::size_t i) { return static_cast<double>(portions[i].weight); };
  double total = 0;
  for (const std::size_t i : order) total += weight(i);
  double taken = 0;
  std::size_t next = 0;
  for (int shard = 1; shard <= shards; ++shard) {
    const double share = total * shard / shards;
    const std::size_t end = order.size() - static_cast<std::size_t>(shards - shard);
    Indices& own = all.emplace_back();
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
  if (!number || !of) fail("I and N must be integers");
  if (*of < 1) fail("N is not a possible number of shards");
  if (*number < 1) fail("shards are numbered from 1");
  if (*number > *of) fail(fmt::format("there are only {}", *of));
  return {*number, *of};
}

std::vector<Indices> divide(std::span<const Portion> portions, int shards) {
  Indices order(portions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::less(),
                           [&](std::size_t i) { return portions[i].processes; });
  std::vector<Size> sizes = sizes_in(portions, order);
  std::vector<Indices> all;
  if (static_cast<std::size_t>(shards) < sizes.size()) {
    cut(portions, order, shards, all);
    return all;
  }
  give_shards(sizes, shards);
  for (const Size& size : sizes) cut(portions, size.indices, size.shards, all);
  return all;
}

namespace {

/// Returns the tasks that must be in the same shard: with adaptive repetitions, all repetitions of
/// a setting.
std::vector<Indices> units_of(const Experiment& experiment, const Indices& indices) {
  std::vector<Indices> units;
  std::map<std::size_t, std::size_t> known;  // by setting
  for (const std::size_t index : indices) {
    const auto [unit, fresh] = known.try_emplace(
        experiment.repetitions.adaptive() ? experiment.setting(index) : index, units.size());
    if (fresh) units.emplace_back();
    units[unit->second].push_back(index);
  }
  return units;
}

}  // namespace

std::vector<Indices> divide(const Experiment& experiment, const Indices& indices, int shards) {
  const std::vector<Indices> units = units_of(experiment, indices);
  if (static_cast<std::size_t>(shards) > units.size()) {
    throw UserError(fmt::format("{}{} cannot be divided into {} shards; allowed: at most {}",
                                counted(units.size(), experiment.noun()),
                                units.size() < indices.size() ? " with their repetitions" : "",
                                shards, units.size()));
  }
  std::vector<Portion> portions;
  portions.reserve(units.size());
  for (const Indices& unit : units) {
    const auto weight =
        static_cast<std::int64_t>(unit.size()) * weight_of(experiment, unit.front());
    portions.push_back({processes_of(experiment, unit.front()), weight});
  }
  std::vector<Indices> all = divide(portions, shards);
  for (Indices& own : all) {
    Indices whole;
    for (const std::size_t unit : own) {
      whole.insert(whole.end(), units[unit].begin(), units[unit].end());
    }
    std::ranges::sort(whole);
    own = std::move(whole);
  }
  return all;
}

}  // namespace regroup
