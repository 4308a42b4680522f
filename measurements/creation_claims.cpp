// SPDX-License-Identifier: BSD-3-Clause
#include "measurements/creation_claims.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <stdexcept>
#include <utility>

#include "kernel/numbers/parse.hpp"
#include "kernel/text/table.hpp"
#include "kernel/text/units.hpp"
#include "regroup/strategy.hpp"

namespace regroup {
namespace {

Options one_group(std::string_view strategy, const std::string& group_size) {
  return {{"pattern", "one_group"},
          {"communicator", std::string(strategy)},
          {"group_size", group_size}};
}

/// A figure of a strategy for one group size, and its 95 % interval.
struct Cost {
  std::string strategy;
  std::string group_size;
  double seconds;
  std::optional<Interval> interval;
};

/// `name` is that of the interval, NAME_low_s to NAME_high_s.
std::optional<Cost> cost_of(const MeasuredSetting& setting, std::string_view strategy,
                            const std::string& group_size, std::string_view name = "create",
                            std::string_view figure = "create_median_s") {
  const Options options = one_group(strategy, group_size);
  const auto found = setting.median(figure, options);
  if (!found) return std::nullopt;
  return Cost{std::string(strategy), group_size, *found, setting.interval(name, options)};
}

using Accepts = std::function<bool(const Strategy&)>;

/// Returns the cheapest accepted strategy among those that can form any group.
std::optional<Cost> cheapest(const MeasuredSetting& setting, const std::string& group_size,
                             const Accepts& accepts) {
  std::optional<Cost> best;
  for (const Strategy* strategy : setting.strategies()) {
    if (!strategy->serves_balancers() || !accepts(*strategy)) continue;
    const auto cost = cost_of(setting, strategy->name, group_size);
    if (cost && (!best || cost->seconds < best->seconds)) best = cost;
  }
  return best;
}

std::string titled(std::string_view title, const std::string& lines) {
  return lines.empty() ? "" : fmt::format("\n{}\n{}", title, lines);
}

std::string crossover(const MeasuredSetting& setting, std::string_view parent,
                      std::string_view group) {
  std::string from;
  std::string last;
  std::string numbers;
  for (const std::string& size : setting.values("group_size")) {
    const auto of_parent = cost_of(setting, parent, size);
    const auto of_group = cost_of(setting, group, size);
    if (!of_parent || !of_group) continue;
    last = size;
    const bool at_least_as_fast = of_parent->seconds <= of_group->seconds;
    if (!at_least_as_fast) from.clear();
    if (at_least_as_fast && !from.empty()) continue;
    if (at_least_as_fast) from = size;
    numbers = fmt::format("at {}: {} and {}", size, in_fitting_unit(of_parent->seconds),
                          in_fitting_unit(of_group->seconds));
  }
  if (last.empty()) return {};
  return fmt::format("  {} against {}: {} ({})\n", parent, group,
                     from.empty() ? "never up to " + last : fmt::format("from {} ranks on", from),
                     numbers);
}

}  // namespace

std::string fastest_constructors(const MeasuredSetting& setting) {
  std::vector<Cells> rows{{"group_size", "creating an MPI communicator", "", "of all", ""}};
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

std::string crossovers(const MeasuredSetting& setting) {
  std::string lines;
  for (const char* group : {"create_group", "intercomm_merge", "create_from_group"}) {
    for (const char* parent : {"comm_create", "comm_split"}) {
      lines += crossover(setting, parent, group);
    }
  }
  return titled(
      "Group size from which on the parent-collective constructor is at least as fast, by medians",
      lines);
}

std::string range_gain(const MeasuredSetting& setting) {
  constexpr int from = 8;
  const auto both = [&](std::string_view strategy, const std::string& size) {
    const auto create = cost_of(setting, strategy, size);
    const auto free = cost_of(setting, strategy, size, "free", "free_median_s");
    return create && free ? std::optional(create->seconds + free->seconds) : std::nullopt;
  };
  std::string least;
  double gain = 0;
  for (const std::string& size : setting.values("group_size")) {
    const auto range = both("range", size);
    const auto group = both("create_group", size);
    if (parse<int>(size).value() < from || !range || !group || *range <= 0) continue;
    if (!least.empty() && *group / *range >= gain) continue;
    gain = *group / *range;
    least = fmt::format(
        "  at least {} times cheaper than create_group, from {} ranks on ({} and {} at {})\n",
        rounded(gain, gain < 100 ? 1 : 0), from, in_fitting_unit(*range), in_fitting_unit(*group),
        size);
  }
  return titled("Creating and freeing a range communicator", least);
}

std::string bystander_losses(const MeasuredSetting& setting) {
  std::string lines;
  for (const Caller caller : {Caller::parent, Caller::group}) {
    std::vector<Cost> losses;
    std::size_t judged = 0;
    std::size_t above_zero = 0;
    for (const Strategy* strategy : setting.strategies()) {
      if (strategy->caller != caller) continue;
      for (const std::string& size : setting.values("group_size")) {
        const auto loss = cost_of(setting, strategy->name, size, "bystander", "bystander_s");
        if (!loss) continue;
        losses.push_back(*loss);
        if (loss->interval) ++judged;
        if (loss->interval && loss->interval->low_s > 0) ++above_zero;
      }
    }
    if (losses.empty()) continue;
    const auto [low, high] = std::ranges::minmax(losses, {}, &Cost::seconds);
    const auto text = [](const Cost& cost) {
      return fmt::format("{} ({}, {})", in_fitting_unit(cost.seconds), cost.strategy,
                         cost.group_size);
    };
    const std::string verdict =
        judged == 0 ? "too few samples"
                    : fmt::format("{} of {} intervals are above 0", above_zero, judged);
    lines +=
        fmt::format("  {}-collective: from {} to {}; {}\n",
                    caller == Caller::parent ? "parent" : "group", text(low), text(high), verdict);
  }
  return titled("The same by who must call, over strategies and group sizes", lines);
}

// ---- guidelines

namespace {

using CostOf = std::function<std::optional<Cost>(const std::string& group_size)>;

/// Judges `small` <= `large` for every group size; nullopt if no size has both.
std::optional<Guideline> judge(const MeasuredSetting& setting, std::string_view what,
                               const CostOf& small, const CostOf& large) {
  std::vector<std::string> violations;
  std::vector<std::string> undecided;
  std::vector<std::string> too_few;
  std::string closest;
  double ratio = 0;
  for (const std::string& size : setting.values("group_size")) {
    const auto a = small(size);
    const auto b = large(size);
    if (!a || !b) continue;
    if (!a->interval || !b->interval) {
      too_few.push_back(size);
      continue;
    }
    const std::string numbers =
        fmt::format("{} {} and {} {} at {}", a->strategy, in_fitting_unit(a->seconds), b->strategy,
                    in_fitting_unit(b->seconds), size);
    if (closest.empty() || a->seconds / b->seconds > ratio) {
      ratio = a->seconds / b->seconds;
      closest = numbers;
    }
    if (a->seconds <= b->seconds) continue;
    (a->interval->low_s <= b->interval->high_s ? undecided : violations).push_back(numbers);
  }
  std::vector<std::string> details;
  if (!violations.empty()) {
    details.push_back(fmt::format("VIOLATED: {}", fmt::join(violations, "; ")));
  } else if (!undecided.empty()) {
    details.push_back(
        fmt::format("holds within the 95 % intervals: {}", fmt::join(undecided, "; ")));
  } else if (!closest.empty()) {
    details.push_back("holds; closest: " + closest);
  }
  if (!too_few.empty()) {
    details.push_back(fmt::format("too few samples (fewer than {}) at {}", fewest_samples,
                                  fmt::join(too_few, ", ")));
  }
  if (details.empty()) return std::nullopt;
  using enum Guideline::Verdict;
  return Guideline{std::string(what),
                   !violations.empty() ? violated
                   : !too_few.empty()  ? too_few_samples
                                       : holds,
                   fmt::format("{}", fmt::join(details, "; "))};
}

}  // namespace

std::vector<Guideline> judged(const MeasuredSetting& setting) {
  const auto of = [&](std::string_view strategy) -> CostOf {
    return
        [&setting, strategy](const std::string& size) { return cost_of(setting, strategy, size); };
  };
  const CostOf others = [&](const std::string& size) {
    return cheapest(setting, size, [](const Strategy& s) { return s.name != "range"; });
  };
  std::vector<Guideline> all;
  for (const auto& guideline :
       {judge(setting, "create_group <= intercomm_merge", of("create_group"),
              of("intercomm_merge")),
        judge(setting, "comm_create <= comm_split", of("comm_create"), of("comm_split")),
        judge(setting, "range <= every other", of("range"), others)}) {
    if (guideline) all.push_back(*guideline);
  }
  return all;
}

std::string guidelines(const std::vector<Guideline>& judged) {
  std::string lines;
  for (const Guideline& one : judged) lines += fmt::format("  {:<32} {}\n", one.what, one.details);
  return titled("Guidelines", lines);
}

// ---- Figure 1 of the paper

namespace {

constexpr std::string_view parent = "comm_create";
constexpr std::string_view algorithm1 = "intercomm_merge";
constexpr std::string_view direct = "create_group";

constexpr double largest_flat_ratio = 2;  // the largest median over the smallest
// Limits for the exponent of log2 g: 2 by the paper's complexity, 1 for one all-reduce. Above the
// upper limit, the growth is steeper than a power of a logarithm.
constexpr double least_exponent = 1.5;
constexpr double most_exponent = 3;

/// Returns the costs for groups of at least two ranks, by size.
std::vector<Cost> costs_of(const MeasuredSetting& setting, std::string_view strategy) {
  std::vector<Cost> costs;
  for (const std::string& size : setting.values("group_size")) {
    const auto cost = cost_of(setting, strategy, size);
    if (!cost || size == "1") continue;
    if (!cost->interval) {
      throw std::invalid_argument(
          fmt::format("too few samples of {} at {} (a confidence interval takes {})", strategy,
                      size, fewest_samples));
    }
    costs.push_back(*cost);
  }
  return costs;
}

const Cost* find_size(const std::vector<Cost>& costs, const std::string& size) {
  const auto found = std::ranges::find(costs, size, &Cost::group_size);
  return found == costs.end() ? nullptr : &*found;
}

std::string both(const Cost& a, const Cost& b) {
  return fmt::format("{} and {} at {}", in_fitting_unit(a.seconds), in_fitting_unit(b.seconds),
                     a.group_size);
}

Figure1Claim is_flat(const std::vector<Cost>& costs) {
  const auto [low, high] = std::ranges::minmax(costs, {}, &Cost::seconds);
  const double ratio = high.seconds / low.seconds;
  Figure1Claim claim{"MPI_Comm_create costs the same for all sizes", "flat",
                     fmt::format("{} to {}, {:.2f} ×", in_fitting_unit(low.seconds),
                                 in_fitting_unit(high.seconds), ratio)};
  claim.holds = ratio <= largest_flat_ratio;
  claim.details =
      fmt::format("{} {:g} ×", claim.holds ? "within" : "more than", largest_flat_ratio);
  return claim;
}

/// Judges whether `less` costs significantly less than `more`.
Figure1Claim is_cheaper(std::string what, std::string paper, const Cost& less, const Cost& more,
                        std::string ours) {
  Figure1Claim claim{std::move(what), std::move(paper), std::move(ours)};
  claim.holds = less.interval->high_s < more.interval->low_s;
  claim.details = claim.holds                    ? "the 95 % intervals do not overlap"
                  : less.seconds >= more.seconds ? "it is the other way round"
                                                 : "the 95 % intervals overlap";
  return claim;
}

/// Describes the size from which `ours` cost more than `theirs`, up to the largest size.
std::string crossing(const std::vector<Cost>& ours, const std::vector<Cost>& theirs) {
  std::string from;
  for (const Cost& cost : ours) {
    const Cost* other = find_size(theirs, cost.group_size);
    if (other == nullptr) continue;
    if (cost.seconds <= other->seconds) from.clear();
    if (cost.seconds > other->seconds && from.empty()) from = cost.group_size;
  }
  return from.empty() ? "" : fmt::format("; more expensive from {} on", from);
}

/// Fits k of time ~ (log2 g)^k, by least squares of the logarithms.
double exponent(const std::vector<Cost>& costs) {
  const auto number = static_cast<double>(costs.size());
  double x = 0;
  double y = 0;
  double xx = 0;
  double xy = 0;
  for (const Cost& cost : costs) {
    const double u = std::log(std::log2(parse<double>(cost.group_size).value()));
    const double v = std::log(cost.seconds);
    x += u / number;
    y += v / number;
    xx += u * u / number;
    xy += u * v / number;
  }
  return (xy - x * y) / (xx - x * x);
}

Figure1Claim grows(const std::vector<Cost>& costs, bool crowded) {
  const double k = exponent(costs);
  Figure1Claim claim{"Algorithm 1 grows with (log g)^2", "O((log p)^2)",
                     fmt::format("(log g)^{:.1f}", k)};
  const bool steeper = k > most_exponent;
  claim.holds = k >= least_exponent && (!steeper || crowded);
  claim.details = k < least_exponent ? "hardly more than one step of all-reduce"
                  : !steeper         ? "within the band"
                  : crowded ? "explained: ranks share cores, so steps that are concurrent in the "
                              "paper take turns"
                            : "steeper than any such power";
  return claim;
}

}  // namespace

std::vector<Figure1Claim> figure1_claims(const MeasuredSetting& setting) {
  constexpr std::size_t fewest_sizes = 3;
  const std::vector<Cost> ours = costs_of(setting, algorithm1);
  const std::vector<Cost> theirs = costs_of(setting, parent);
  const std::vector<Cost> mpi3 = costs_of(setting, direct);
  std::vector<Figure1Claim> claims;
  if (theirs.size() >= fewest_sizes) claims.push_back(is_flat(theirs));
  if (ours.empty()) return claims;
  const Cost& small = ours.front();
  const Cost& large = ours.back();
  if (const Cost* other = find_size(theirs, small.group_size)) {
    claims.push_back(is_cheaper("Algorithm 1 is cheaper for small groups", "significantly", small,
                                *other, both(small, *other)));
  }
  if (const Cost* other = find_size(theirs, large.group_size);
      other != nullptr && ours.size() > 1) {
    claims.push_back(is_cheaper("… and more expensive for large ones", "well beyond", *other, large,
                                both(large, *other)));
    claims.back().details += crossing(ours, theirs);
  }
  if (ours.size() >= fewest_sizes) claims.push_back(grows(ours, setting.crowded()));
  if (const Cost* other = find_size(mpi3, large.group_size); other != nullptr && ours.size() > 1) {
    claims.push_back(is_cheaper("A direct method saves a factor log g", "section 6", *other, large,
                                both(*other, large)));
  }
  return claims;
}

}  // namespace regroup
