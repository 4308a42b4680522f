// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <optional>
#include <stdexcept>

#include "driver/store/columns.hpp"
#include "driver/store/record.hpp"
#include "driver/store/summaries.hpp"
#include "kernel/numbers/parse.hpp"
#include "kernel/text/plain_text.hpp"
#include "kernel/text/table.hpp"
#include "library/describe.hpp"
#include "regroup/catalog.hpp"

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

namespace {

const std::vector<std::string> told_by_table{"communicator", "pattern", "group_size"};

/// A figure of one cell's options; empty where there is none.
using Show = std::string (*)(const Setting& setting, const std::string& figure,
                             const Options& options);

std::string median_only(const Setting& setting, const std::string& figure, const Options& options) {
  const auto found = setting.median(figure, options);
  return found ? in_fitting_unit(*found) : "";
}

/// "1.20 [0.90, 1.40] ms"; `figure` is NAME_s, and its interval NAME_low_s to NAME_high_s.
std::string with_interval(const Setting& setting, const std::string& figure,
                          const Options& options) {
  const auto found = setting.median(figure, options);
  if (!found) return {};
  const auto interval = setting.interval(figure.substr(0, figure.size() - 2), options);
  if (!interval) return in_fitting_unit(*found) + " (too few)";
  return in_fitting_unit(*found, *interval);
}

bool has_no_figures(const Cells& row, std::size_t texts) {
  return std::all_of(row.begin() + static_cast<std::ptrdiff_t>(texts), row.end(),
                     [](const std::string& text) { return text.empty(); });
}

/// Strategies by group sizes, for one group; empty where nobody has this figure.
std::string one_group(const Setting& setting, std::string_view title, const std::string& figure,
                      Show show = median_only) {
  std::vector<std::string> sizes = setting.values("group_size");
  std::erase_if(sizes, [&](const std::string& size) {
    return !setting.median(figure, {{"pattern", "one_group"}, {"group_size", size}});
  });
  if (sizes.empty()) return {};
  std::vector<Cells> rows{{"communicator"}};
  rows.front().insert(rows.front().end(), sizes.begin(), sizes.end());
  for (const std::string& strategy : setting.values("communicator")) {
    Cells row{strategy};
    for (const std::string& size : sizes) {
      row.push_back(
          show(setting, figure,
               {{"pattern", "one_group"}, {"communicator", strategy}, {"group_size", size}}));
    }
    if (!has_no_figures(row, 1)) rows.push_back(std::move(row));
  }
  return fmt::format("\n{}, by group size\n{}", title, text_table(rows, {0}));
}

/// The other patterns by strategies.
std::string other_patterns(const Setting& setting) {
  std::vector<std::string> columns;
  for (const std::string& strategy : setting.values("communicator")) {
    const auto there = [&](const Record* record) {
      const Options& options = record->task.measure.options;
      return options.text("communicator") == strategy && options.text("pattern") != "one_group";
    };
    if (std::ranges::any_of(setting.records, there)) columns.push_back(strategy);
  }
  std::vector<Cells> rows{{"pattern", "group_size"}};
  rows.front().insert(rows.front().end(), columns.begin(), columns.end());
  for (const std::string& pattern : setting.values("pattern")) {
    if (pattern == "one_group") continue;
    for (const std::string& size : setting.values("group_size")) {
      Cells row{pattern, size};
      for (const std::string& strategy : columns) {
        row.push_back(
            median_only(setting, "create_median_s",
                        {{"pattern", pattern}, {"communicator", strategy}, {"group_size", size}}));
      }
      if (!has_no_figures(row, 2)) rows.push_back(std::move(row));
    }
  }
  if (rows.size() == 1) return {};
  return fmt::format("\nTime to create, other patterns\n{}", text_table(rows, {0}));
}

/// Creations at once, by strategies that do not block; empty where nobody has measured them.
std::string in_flight(const Setting& setting) {
  std::vector<Cells> rows{{"communicator", "pattern", "group_size", "alone", "hidden by work"}};
  for (const std::string& strategy : setting.values("communicator")) {
    for (const std::string& pattern : setting.values("pattern")) {
      for (const std::string& size : setting.values("group_size")) {
        const Options of{{"communicator", strategy}, {"pattern", pattern}, {"group_size", size}};
        const auto hidden = setting.median("hidden_fraction", of);
        if (!hidden) continue;
        const auto low = setting.median("hidden_fraction_low", of);
        const auto high = setting.median("hidden_fraction_high", of);
        const std::string interval =
            low && high ? fmt::format(" [{:.0f}, {:.0f}]", 100 * *low, 100 * *high) : " (too few)";
        rows.push_back({strategy, pattern, size, with_interval(setting, "in_flight_s", of),
                        fmt::format("{:.0f}{} %", 100 * *hidden, interval)});
      }
    }
  }
  if (rows.size() == 1) return {};
  return fmt::format(
      "\nTime of all creations that are in flight at once, and what part of it work of the same "
      "length hides\n{}",
      text_table(rows, {0, 1}));
}

/// How many communicators can be alive, by strategies; empty where nobody has counted.
std::string limits(const Setting& setting) {
  constexpr std::array figures{"communicators_limit_local",
                               "communicators_limit_common",
                               "storm_alive",
                               "storm_limit_local",
                               "storm_limit_common",
                               "storm_lost",
                               "storm_leaked"};
  std::vector<Cells> rows{{"communicator", "one process", "all ranks", "alive then",
                           "one process then", "all ranks then", "lost", "leaked"}};
  for (const std::string& strategy : setting.values("communicator")) {
    Cells row{strategy};
    for (const char* figure : figures) {
      const auto found = setting.median(figure, {{"communicator", strategy}});
      row.push_back(found ? fmt::format("{:.0f}{}", *found, *found == 4096 ? " or more" : "") : "");
    }
    if (!has_no_figures(row, 1)) rows.push_back(std::move(row));
  }
  if (rows.size() == 1) return {};
  return fmt::format(
      "\nCommunicators that can be alive at a time: at first, then beside those that are alive "
      "after "
      "random regroupings, and what is lost to fragmentation\n{}",
      text_table(rows, {0}));
}

/// `records`, in which groups that the machine put together, whatever was asked for, have the size
/// that came out: of the largest, where there are several.
std::vector<Record> by_what_was_formed(std::vector<Record> records) {
  for (Record& record : records) {
    if (!record.outcome) continue;
    Options& options = record.task.measure.options;
    const Strategy* strategy =
        find_entry(standard_catalog().strategies, options.text("communicator"));
    const auto formed = record.outcome->figures.find("formed_ranks_max");
    if (strategy->forms != Forms::shared || formed == record.outcome->figures.end()) continue;
    options.set("group_size", fmt::format("{:.0f}", formed->second));
  }
  return records;
}

}  // namespace

std::string creation_summary(const MeasurementKind& kind, const std::vector<Record>& stored) {
  const std::vector<Record> records = by_what_was_formed(stored);
  std::string text;
  for (const Setting& setting : by_setting(kind, records, told_by_table)) {
    text += fmt::format("\n== {}\n", setting.title);
    text += one_group(setting, "Time to create one group", "create_median_s");
    text += one_group(setting, "Time to free it", "free_median_s");
    text += fastest_constructors(setting);
    text += crossovers(setting);
    text += guidelines(judged(setting));
    text += range_gain(setting);
    text += one_group(setting, "What a rank outside loses by one creation, with its 95 % interval",
                      "bystander_s", with_interval);
    text += bystander_losses(setting);
    text += one_group(setting, "Time to create while ranks outside execute items", "busy_create_s");
    text += one_group(setting, "Time to create where one member comes late, minus its delay",
                      "late_create_s");
    text += other_patterns(setting);
    text += in_flight(setting);
    text += limits(setting);
  }
  return text;
}

int check_guidelines(const std::string& directory) {
  const MeasurementKind& kind = *find_entry(standard_catalog().measurements, "creation");
  const std::string path = fmt::format("{}/{}", directory, file_of(kind.name));
  const std::vector<Record> records = stored_records(directory, kind.name);
  std::vector<Guideline> all;
  for (const Setting& setting : by_setting(kind, records, told_by_table)) {
    std::ranges::move(judged(setting), std::back_inserter(all));
  }
  const auto any = [&](Guideline::Verdict verdict) {
    return std::ranges::find(all, verdict, &Guideline::verdict) != all.end();
  };
  if (any(Guideline::Verdict::violated)) return 1;
  if (any(Guideline::Verdict::too_few_samples)) {
    throw UserError(
        fmt::format("{}: a guideline cannot be judged: there are too few samples (a confidence "
                    "interval takes {})",
                    path, fewest_samples));
  }
  if (all.empty()) {
    throw UserError(
        fmt::format("{}: there is no guideline to judge: none has both sides measured", path));
  }
  return 0;
}

namespace {

constexpr std::string_view parent = "comm_create";
constexpr std::string_view algorithm1 = "intercomm_merge";
constexpr std::string_view direct = "create_group";

constexpr double most_of_what_is_flat = 2;  // the largest median over the smallest
// The exponent of log2 g: 2 by the paper's complexity, 1 for one step of all-reduce. More than the
// last is no logarithm any more.
constexpr double least_exponent = 1.5;
constexpr double most_exponent = 3;

/// What creating a group costs.
struct Cost {
  std::string group_size;
  double seconds;
  Interval interval;

  double size() const { return parse<double>(group_size).value(); }
};

/// Of groups of two ranks and more, by their sizes.
std::vector<Cost> costs_of(const Setting& setting, std::string_view strategy) {
  std::vector<Cost> costs;
  for (const std::string& size : setting.values("group_size")) {
    const Options options{
        {"pattern", "one_group"}, {"communicator", std::string(strategy)}, {"group_size", size}};
    const auto found = setting.median("create_median_s", options);
    if (!found || size == "1") continue;
    const auto interval = setting.interval("create", options);
    if (!interval) {
      throw std::invalid_argument(
          fmt::format("too few samples of {} at {} (a confidence interval takes {})", strategy,
                      size, fewest_samples));
    }
    costs.push_back({size, *found, *interval});
  }
  return costs;
}

const Cost* at(const std::vector<Cost>& costs, const std::string& size) {
  const auto found = std::ranges::find(costs, size, &Cost::group_size);
  return found == costs.end() ? nullptr : &*found;
}

std::string beside(const Cost& a, const Cost& b) {
  return fmt::format("{} and {} at {}", in_fitting_unit(a.seconds), in_fitting_unit(b.seconds),
                     a.group_size);
}

Figure1Claim is_flat(const std::vector<Cost>& costs) {
  const auto [low, high] = std::ranges::minmax(costs, {}, &Cost::seconds);
  const double ratio = high.seconds / low.seconds;
  Figure1Claim claim{"MPI_Comm_create costs the same for all", "flat",
                     fmt::format("{} to {}, {:.2f} ×", in_fitting_unit(low.seconds),
                                 in_fitting_unit(high.seconds), ratio)};
  claim.holds = ratio <= most_of_what_is_flat;
  claim.says = fmt::format("{} {:g} ×", claim.holds ? "within" : "more than", most_of_what_is_flat);
  return claim;
}

/// That `less` costs less than `more`, chance excluded.
Figure1Claim is_cheaper(std::string what, std::string paper, const Cost& less, const Cost& more,
                        std::string ours) {
  Figure1Claim claim{std::move(what), std::move(paper), std::move(ours)};
  claim.holds = less.interval.high_s < more.interval.low_s;
  claim.says = claim.holds                    ? "the 95 % intervals are apart"
               : less.seconds >= more.seconds ? "it is the other way round"
                                              : "the 95 % intervals overlap";
  return claim;
}

/// The size from which on Algorithm 1 costs more than the other, up to the largest; in words.
std::string crossing(const std::vector<Cost>& ours, const std::vector<Cost>& theirs) {
  std::string from;
  for (const Cost& cost : ours) {
    const Cost* other = at(theirs, cost.group_size);
    if (other == nullptr) continue;
    if (cost.seconds <= other->seconds) from.clear();
    if (cost.seconds > other->seconds && from.empty()) from = cost.group_size;
  }
  return from.empty() ? "" : fmt::format("; dearer from {} on", from);
}

/// k of time ~ (log2 g)^k, by least squares of the logarithms.
double exponent(const std::vector<Cost>& costs) {
  const auto number = static_cast<double>(costs.size());
  double x = 0;
  double y = 0;
  double xx = 0;
  double xy = 0;
  for (const Cost& cost : costs) {
    const double u = std::log(std::log2(cost.size()));
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
  claim.says = k < least_exponent ? "hardly more than one step of all-reduce"
               : !steeper         ? "within the band"
               : crowded
                   ? "explained: ranks share cores, so what goes side by side there takes turns"
                   : "steeper than any such power";
  return claim;
}

}  // namespace

std::vector<Figure1Claim> figure1_claims(const Setting& setting, bool crowded) {
  constexpr std::size_t fewest_sizes = 3;
  const std::vector<Cost> ours = costs_of(setting, algorithm1);
  const std::vector<Cost> theirs = costs_of(setting, parent);
  const std::vector<Cost> mpi3 = costs_of(setting, direct);
  std::vector<Figure1Claim> claims;
  if (theirs.size() >= fewest_sizes) claims.push_back(is_flat(theirs));
  if (!ours.empty()) {
    const Cost& small = ours.front();
    const Cost& large = ours.back();
    if (const Cost* other = at(theirs, small.group_size)) {
      claims.push_back(is_cheaper("Algorithm 1 is cheaper for small groups", "significantly", small,
                                  *other, beside(small, *other)));
    }
    if (const Cost* other = at(theirs, large.group_size); other != nullptr && ours.size() > 1) {
      claims.push_back(is_cheaper("… and dearer for large ones", "well beyond", *other, large,
                                  beside(large, *other)));
      claims.back().says += crossing(ours, theirs);
    }
    if (ours.size() >= fewest_sizes) claims.push_back(grows(ours, crowded));
    if (const Cost* other = at(mpi3, large.group_size); other != nullptr && ours.size() > 1) {
      claims.push_back(is_cheaper("A direct method saves a factor log g", "section 6", *other,
                                  large, beside(*other, large)));
    }
  }
  return claims;
}

}  // namespace regroup
