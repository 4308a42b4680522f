// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <stdexcept>

#include "kernel/workloads/workloads.hpp"
#include "regroup/numbers.hpp"
#include "regroup/workload.hpp"

namespace regroup {
namespace {

constexpr double most = 1 << 20;

constexpr std::array fixed_options{
    integer_option("wanted_ranks", "", 1, most, "number of ranks that every walker wants")};
constexpr std::array uniform_options{integer_option("least_wanted_ranks", "1", 1, most,
                                                    "smallest number of ranks that a walker wants"),
                                     integer_option("most_wanted_ranks", "", 1, most,
                                                    "largest number of ranks that a walker wants")};
constexpr std::array trace_options{
    file_option("wants_file",
                "CSV file with one row per walker. Its column `wants` contains the number of ranks "
                "that the walker wants.")};

Wants as_groups(const Options&, Groups groups, std::uint64_t) {
  Wants wants;
  for (const RankRange& group : groups) wants.push_back(group.size());
  return wants;
}

Wants fixed(const Options& options, Groups groups, std::uint64_t) {
  return Wants(groups.size(), static_cast<int>(options.integer("wanted_ranks")));
}

Wants uniform(const Options& options, Groups groups, std::uint64_t seed) {
  const std::int64_t least = options.integer("least_wanted_ranks");
  const std::int64_t values = options.integer("most_wanted_ranks") - least + 1;
  if (values < 1) {
    throw std::invalid_argument(
        fmt::format("least_wanted_ranks {} is more than most_wanted_ranks {}", least,
                    options.integer("most_wanted_ranks")));
  }
  Wants wants;
  for (const RankRange& group : groups) {
    const auto who = static_cast<std::uint64_t>(group.lo);
    const double drawn = unit_interval(random_bits(seed, Purpose::wants, who, 0));
    wants.push_back(
        static_cast<int>(least + static_cast<std::int64_t>(drawn * static_cast<double>(values))));
  }
  return wants;
}

Wants recorded(const Options& options, Groups groups, std::uint64_t) {
  const auto numbers = column_of_trace(options.text("wants_file"), trace_wants, groups.size());
  return {numbers.begin(), numbers.end()};
}

constexpr std::array entries{
    WantsEntry{{"group_size", "every walker wants as many ranks as a group has at the start", {}},
               as_groups,
               false},
    WantsEntry{{"fixed", "the same number for every walker", fixed_options}, fixed, false},
    WantsEntry{{"uniform", "uniform distribution from `least_wanted_ranks` to `most_wanted_ranks`",
                uniform_options},
               uniform,
               true},
    WantsEntry{
        {"trace", "numbers from a file with one row per walker", trace_options}, recorded, false},
};

}  // namespace

std::span<const WantsEntry> wants() { return entries; }

}  // namespace regroup
