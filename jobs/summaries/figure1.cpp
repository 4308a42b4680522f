// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/summaries/figure1.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "jobs/words/describe.hpp"
#include "kernel/numbers/parse.hpp"

namespace regroup {
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
