// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/summaries/creation_claims.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "jobs/catalog/catalog.hpp"
#include "jobs/words/describe.hpp"
#include "jobs/words/text_table.hpp"
#include "kernel/numbers/parse.hpp"

namespace regroup {
namespace {

constexpr std::string_view create = "create_median_s";

/// A strategy's figure for one group size.
struct Price {
  std::string strategy;
  std::string group_size;
  double seconds = 0;
};

std::optional<Price> price(const Setting& setting, std::string_view strategy,
                           const std::string& group_size, std::string_view figure = create) {
  const auto found = setting.median(std::string(figure), {{"pattern", "one_group"},
                                                          {"communicator", std::string(strategy)},
                                                          {"group_size", group_size}});
  if (!found) return std::nullopt;
  return Price{std::string(strategy), group_size, *found};
}

using Counts = std::function<bool(const Strategy&)>;

/// The cheapest of the strategies that form any group, and that `counts`.
std::optional<Price> cheapest(const Setting& setting, const std::string& group_size,
                              const Counts& counts) {
  std::optional<Price> best;
  for (const Strategy& strategy : standard_catalog().strategies) {
    if (!strategy.serves_balancers() || !counts(strategy)) continue;
    const auto one = price(setting, strategy.name, group_size);
    if (one && (!best || one->seconds < best->seconds)) best = one;
  }
  return best;
}

std::string crossover(const Setting& setting, std::string_view parent, std::string_view group) {
  std::string from;
  std::string last;
  std::string numbers;
  for (const std::string& size : setting.values("group_size")) {
    const auto theirs = price(setting, parent, size);
    const auto ours = price(setting, group, size);
    if (!theirs || !ours) continue;
    last = size;
    const bool at_least_as_fast = theirs->seconds <= ours->seconds;
    if (!at_least_as_fast) from.clear();
    if (at_least_as_fast && !from.empty()) continue;
    if (at_least_as_fast) from = size;
    numbers = fmt::format("at {}: {} and {}", size, in_fitting_unit(theirs->seconds),
                          in_fitting_unit(ours->seconds));
  }
  if (last.empty()) return {};
  return fmt::format("  {} against {}: {} ({})\n", parent, group,
                     from.empty() ? "never up to " + last : fmt::format("from {} ranks on", from),
                     numbers);
}

using PriceOf = std::function<std::optional<Price>(const std::string& group_size)>;

std::optional<Interval> interval(const Setting& setting, const Price& price,
                                 const std::string& name) {
  return setting.interval(name, {{"pattern", "one_group"},
                                 {"communicator", price.strategy},
                                 {"group_size", price.group_size}});
}

/// Judges `small` <= `large` for every group size.
void judge(std::vector<Guideline>& judged, const Setting& setting, std::string_view what,
           const PriceOf& small, const PriceOf& large) {
  std::vector<std::string> violations;
  std::vector<std::string> undecided;
  std::vector<std::string> too_few;
  std::string tightest;
  double ratio = 0;
  for (const std::string& size : setting.values("group_size")) {
    const auto a = small(size);
    const auto b = large(size);
    if (!a || !b) continue;
    const auto of_a = interval(setting, *a, "create");
    const auto of_b = interval(setting, *b, "create");
    if (!of_a || !of_b) {
      too_few.push_back(size);
      continue;
    }
    const std::string numbers =
        fmt::format("{} {} and {} {} at {}", a->strategy, in_fitting_unit(a->seconds), b->strategy,
                    in_fitting_unit(b->seconds), size);
    if (tightest.empty() || a->seconds / b->seconds > ratio) {
      ratio = a->seconds / b->seconds;
      tightest = numbers;
    }
    if (a->seconds <= b->seconds) continue;
    (of_a->low_s <= of_b->high_s ? undecided : violations).push_back(numbers);
  }
  std::vector<std::string> says;
  if (!violations.empty()) {
    says.push_back(fmt::format("VIOLATED: {}", fmt::join(violations, "; ")));
  } else if (!undecided.empty()) {
    says.push_back(fmt::format("holds within the 95 % intervals: {}", fmt::join(undecided, "; ")));
  } else if (!tightest.empty()) {
    says.push_back("holds; closest: " + tightest);
  }
  if (!too_few.empty()) {
    says.push_back(fmt::format("too few samples (fewer than {}) at {}", fewest_samples,
                               fmt::join(too_few, ", ")));
  }
  if (says.empty()) return;
  using enum Guideline::Verdict;
  judged.push_back({std::string(what),
                    !violations.empty() ? violated
                    : !too_few.empty()  ? too_few_samples
                                        : holds,
                    fmt::format("{}", fmt::join(says, "; "))});
}

std::string titled(std::string_view title, const std::string& lines) {
  return lines.empty() ? "" : fmt::format("\n{}\n{}", title, lines);
}

}  // namespace

std::string fastest_constructors(const Setting& setting) {
  std::vector<Cells> rows{{"group_size", "making an MPI communicator", "", "of all", ""}};
  for (const std::string& size : setting.values("group_size")) {
    const auto mpi = cheapest(setting, size, [](const Strategy& s) { return !s.local(); });
    const auto all = cheapest(setting, size, [](const Strategy&) { return true; });
    if (!all) continue;
    Cells row{size};
    for (const auto& best : {mpi, all}) {
      row.push_back(best ? best->strategy : "");
      row.push_back(best ? in_fitting_unit(best->seconds) : "");
    }
    rows.push_back(std::move(row));
  }
  if (rows.size() == 1) return {};
  return titled("Fastest constructors of any group, by medians", text_table(rows, {1, 3}));
}

std::string crossovers(const Setting& setting) {
  std::string lines;
  for (const char* group : {"create_group", "intercomm_merge", "create_from_group"}) {
    for (const char* parent : {"comm_create", "comm_split"}) {
      lines += crossover(setting, parent, group);
    }
  }
  return titled(
      "From which group size on the parent-collective one is at least as fast, by medians", lines);
}

std::vector<Guideline> judged(const Setting& setting) {
  const auto of = [&](std::string_view strategy) -> PriceOf {
    return [&setting, strategy](const std::string& size) { return price(setting, strategy, size); };
  };
  const PriceOf others = [&](const std::string& size) {
    return cheapest(setting, size, [](const Strategy& s) { return s.name != "range"; });
  };
  std::vector<Guideline> all;
  judge(all, setting, "create_group <= intercomm_merge", of("create_group"), of("intercomm_merge"));
  judge(all, setting, "comm_create <= comm_split", of("comm_create"), of("comm_split"));
  judge(all, setting, "range <= every other", of("range"), others);
  return all;
}

std::string guidelines(const std::vector<Guideline>& judged) {
  std::string lines;
  for (const Guideline& one : judged) lines += fmt::format("  {:<32} {}\n", one.what, one.says);
  return titled("Guidelines", lines);
}

std::string range_gain(const Setting& setting) {
  constexpr int from = 8;
  const auto whole = [&](std::string_view strategy, const std::string& size) {
    const auto made = price(setting, strategy, size);
    const auto freed = price(setting, strategy, size, "free_median_s");
    return made && freed ? std::optional(made->seconds + freed->seconds) : std::nullopt;
  };
  std::string least;
  double gain = 0;
  for (const std::string& size : setting.values("group_size")) {
    const auto range = whole("range", size);
    const auto group = whole("create_group", size);
    if (parse<int>(size).value() < from || !range || !group || *range <= 0) continue;
    if (!least.empty() && *group / *range >= gain) continue;
    gain = *group / *range;
    least = fmt::format(
        "  {:.{}f} times cheaper than create_group at the least, from {} ranks on ({} and {} at "
        "{})\n",
        gain, gain < 100 ? 1 : 0, from, in_fitting_unit(*range), in_fitting_unit(*group), size);
  }
  return titled("Creating and freeing a range communicator", least);
}

std::string bystander_losses(const Setting& setting) {
  std::string lines;
  for (const Caller caller : {Caller::parent, Caller::group}) {
    std::vector<Price> prices;
    std::size_t judged = 0;
    std::size_t losing = 0;
    for (const Strategy& strategy : standard_catalog().strategies) {
      if (strategy.caller != caller) continue;
      for (const std::string& size : setting.values("group_size")) {
        const auto one = price(setting, strategy.name, size, "bystander_s");
        if (!one) continue;
        prices.push_back(*one);
        const auto between = interval(setting, *one, "bystander");
        if (between) ++judged;
        if (between && between->low_s > 0) ++losing;
      }
    }
    if (prices.empty()) continue;
    const auto [low, high] = std::ranges::minmax(prices, {}, &Price::seconds);
    const auto text = [](const Price& p) {
      return fmt::format("{} ({}, {})", in_fitting_unit(p.seconds), p.strategy, p.group_size);
    };
    const std::string verdict = judged == 0
                                    ? "too few samples"
                                    : fmt::format("{} of {} intervals lie above 0", losing, judged);
    lines +=
        fmt::format("  {}-collective: from {} to {}; {}\n",
                    caller == Caller::parent ? "parent" : "group", text(low), text(high), verdict);
  }
  return titled("The same by who must call, over strategies and group sizes", lines);
}

}  // namespace regroup
