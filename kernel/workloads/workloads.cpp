// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/workloads/workloads.hpp"

#include <csv.h>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <stdexcept>

#include "kernel/files/files.hpp"
#include "kernel/numbers/parse.hpp"
#include "kernel/text/plain_text.hpp"
#include "kernel/workloads/recorded.hpp"
#include "regroup/numbers.hpp"

namespace regroup {
namespace {

/// Divides `per_group` · `groups` items as evenly as possible among the `count` groups from `first`
/// on.
Items shared(std::int64_t per_group, std::size_t groups, std::size_t first, std::size_t count) {
  const std::int64_t total = per_group * static_cast<std::int64_t>(groups);
  const auto among = static_cast<std::int64_t>(count);
  Items items(groups, 0);
  for (std::int64_t i = 0; i < among; ++i) {
    items[first + static_cast<std::size_t>(i)] = total / among + (i < total % among ? 1 : 0);
  }
  return items;
}

// The paper's workload: S(R) = multiplier · (R mod modulus), where R is the group's lowest rank.
// The paper prints "10 · R mod 32"; its sequence 0, 40, 80, …, 280, 0, … shows how to read this.
// Source: Dinan et al., Noncollective Communicator Creation in MPI, EuroMPI 2011, section 4.
constexpr std::array cyclic_options{
    integer_option("multiplier", "10", 0, 1e6, "factor in the formula"),
    integer_option("modulus", "32", 1, 1e9, "modulus in the formula"),
};
Items cyclic(const Options& options, Groups groups, std::uint64_t) {
  const std::int64_t multiplier = options.integer("multiplier");
  const std::int64_t modulus = options.integer("modulus");
  Items items;
  items.reserve(groups.size());
  for (const RankRange& group : groups) items.push_back(multiplier * (group.lo % modulus));
  return items;
}

// The other reading of the printed formula: S(R) = (multiplier · R) mod modulus.
constexpr std::array cyclic_literal_options{
    integer_option("multiplier", "10", 0, 1e6, "factor in the formula"),
    integer_option("modulus", "32", 1, 1e9, "modulus in the formula"),
};
Items cyclic_literal(const Options& options, Groups groups, std::uint64_t) {
  const std::int64_t multiplier = options.integer("multiplier");
  const std::int64_t modulus = options.integer("modulus");
  Items items;
  items.reserve(groups.size());
  for (const RankRange& group : groups) items.push_back(multiplier * group.lo % modulus);
  return items;
}

// No imbalance: shows the overhead of a balancer.
constexpr std::array constant_options{mean_option};
Items constant(const Options& options, Groups groups, std::uint64_t) {
  return Items(groups.size(), options.integer("mean_items"));
}

// The worst imbalance: one group has all the work.
constexpr std::array<std::string_view, 3> long_group_words{"first", "middle", "last"};
constexpr std::array single_options{
    mean_option,
    choice_option("long_group", "last", long_group_words,
                  "position of the walker that has all items"),
};
Items single(const Options& options, Groups groups, std::uint64_t) {
  const std::string& at = options.text("long_group");
  const std::size_t last = groups.size() - 1;
  const std::size_t place = at == "first" ? 0 : at == "last" ? last : groups.size() / 2;
  return shared(options.integer("mean_items"), groups.size(), place, 1);
}

// All long chains at one end. If groups only grow to the left, as with `asynchronous`, all ranks
// can reach work at the right end, but few can reach work at the left end.
constexpr std::array<std::string_view, 2> long_side_words{"left", "right"};
constexpr std::array blocks_options{
    mean_option,
    real_option("long_fraction", "0.25", 0, 1,
                "fraction of the walkers among which all items are divided. At least one walker "
                "has items."),
    choice_option("long_side", "right", long_side_words,
                  "whether the first walkers, on the lowest ranks (`left`), or the last walkers, "
                  "on the highest ranks (`right`), have items"),
};
Items blocks(const Options& options, Groups groups, std::uint64_t) {
  const auto wanted = options.real("long_fraction") * static_cast<double>(groups.size());
  const std::size_t count = std::max<std::size_t>(1, static_cast<std::size_t>(wanted + 0.5));
  const std::size_t first = options.text("long_side") == "left" ? 0 : groups.size() - count;
  return shared(options.integer("mean_items"), groups.size(), first, count);
}

// Workloads that draw the number of items of every group independently, with the given mean, up to
// rounding. Equal seeds give equal numbers on every machine.

/// Converts 64 random bits per group to its number of items by `draw`.
template <class Draw>
Items draw_each(Groups groups, std::uint64_t seed, Draw draw) {
  constexpr double most = 1e15;  // keeps sums of items exact for heavy tails
  Items items;
  items.reserve(groups.size());
  for (const RankRange& group : groups) {
    const auto who = static_cast<std::uint64_t>(group.lo);
    const double wanted = draw(random_bits(seed, Purpose::workload, who, 0));
    items.push_back(static_cast<std::int64_t>(std::min(wanted, most)));
  }
  return items;
}

/// Converts `bits` to an exponentially distributed number with mean 1.
double standard_exponential(std::uint64_t bits) { return -exact::log(1 - unit_interval(bits)); }

// Whole numbers from 0 to twice the mean, equally likely.
constexpr std::array uniform_options{mean_option};
Items uniform(const Options& options, Groups groups, std::uint64_t seed) {
  const double values = 2 * options.real("mean_items") + 1;
  return draw_each(groups, seed, [=](std::uint64_t bits) { return unit_interval(bits) * values; });
}

// Models chains in which every transition is equally likely to be the last.
constexpr std::array exponential_options{mean_option};
Items exponential(const Options& options, Groups groups, std::uint64_t seed) {
  const double mean = options.real("mean_items");
  return draw_each(groups, seed,
                   [=](std::uint64_t bits) { return mean * standard_exponential(bits) + 0.5; });
}

// Models the product of many small influences.
constexpr std::array lognormal_options{
    mean_option,
    real_option("log_stdev", "1", 0, 10, "standard deviation of the logarithm"),
};
Items lognormal(const Options& options, Groups groups, std::uint64_t seed) {
  const double mean = options.real("mean_items");
  const double sigma = options.real("log_stdev");
  return draw_each(groups, seed, [=](std::uint64_t bits) {
    return mean * exact::exp(sigma * standard_normal(bits) - sigma * sigma / 2) + 0.5;
  });
}

// A heavy tail: few chains have much of the work. The variance is infinite for alpha <= 2.
constexpr std::array pareto_options{
    mean_option,
    real_option("tail_exponent", "2.5", 1.01, 100,
                "exponent of the tail. A smaller exponent gives a heavier tail."),
};
Items pareto(const Options& options, Groups groups, std::uint64_t seed) {
  const double alpha = options.real("tail_exponent");
  const double smallest = options.real("mean_items") * (alpha - 1) / alpha;
  return draw_each(groups, seed, [=](std::uint64_t bits) {
    return smallest * exact::exp(standard_exponential(bits) / alpha) + 0.5;
  });
}

constexpr std::size_t most_walkers = 1 << 20;

using Fields = std::vector<std::string>;

/// Parses one line of CSV; std::nullopt if it is invalid. Lines are separate to locate errors.
std::optional<Fields> fields_of(const std::string& line) {
  Fields fields;
  csv_parser parser;
  csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI);
  const auto field = [](void* text, std::size_t length, void* to) {
    static_cast<Fields*>(to)->emplace_back(static_cast<const char*>(text), length);
  };
  const bool whole =
      csv_parse(&parser, line.data(), line.size(), field, nullptr, &fields) == line.size() &&
      csv_fini(&parser, field, nullptr, &fields) == 0;
  csv_free(&parser);
  return whole ? std::optional(std::move(fields)) : std::nullopt;
}

class Trace {
 public:
  Trace(std::string file, const TraceColumn& wanted) : file_(std::move(file)), wanted_(wanted) {
    if (const std::string complaint = input_complaint(file_); !complaint.empty()) {
      throw std::invalid_argument(fmt::format("{}: {}", file_, complaint));
    }
    std::ifstream stream(file_);
    for (std::string line; std::getline(stream, line);) {
      if (++line_ == 1) line = without_byte_order_mark(line);
      const auto fields = fields_of(line);
      if (!fields) wrong("not CSV: unbalanced quotes");
      if (!fields->empty()) read(*fields);
      if (numbers_.size() > most_walkers) wrong("more rows than the maximum number of walkers");
    }
  }

  std::vector<std::int64_t> numbers() && { return std::move(numbers_); }

 private:
  void read(const Fields& fields) {
    const bool first = !column_;
    if (first) {
      const auto found = std::ranges::find(fields, wanted_.name);
      column_ = found == fields.end() ? 0 : static_cast<std::size_t>(found - fields.begin());
      if (found != fields.end()) return;
      if (!wanted_.may_be_alone) wrong(fmt::format("there is no column '{}'", wanted_.name));
      if (fields.size() > 1 || !number_in(fields[0])) {
        wrong(fmt::format("neither a number nor a column '{}'", wanted_.name));
      }
    }
    if (*column_ >= fields.size()) {
      wrong(fmt::format("the row has no column '{}'", wanted_.name));
    }
    const auto number = number_in(fields[*column_]);
    if (!number) {
      wrong(fmt::format("'{}' is not a number of {}; allowed: integer from {} to {}",
                        fields[*column_], wanted_.what, wanted_.least, wanted_.most));
    }
    numbers_.push_back(*number);
  }

  std::optional<std::int64_t> number_in(std::string_view text) const {
    const auto number = parse<std::int64_t>(text);
    return number && *number >= wanted_.least && *number <= wanted_.most ? number : std::nullopt;
  }

  [[noreturn]] void wrong(std::string_view what) const {
    throw std::invalid_argument(fmt::format("{}:{}: {}", file_, line_, what));
  }

  std::string file_;
  int line_ = 0;
  const TraceColumn& wanted_;
  std::optional<std::size_t> column_;  // index of the column of the numbers, after the first row
  std::vector<std::int64_t> numbers_;
};

}  // namespace

std::vector<std::int64_t> column_of_trace(const std::string& file, const TraceColumn& column,
                                          std::size_t walkers) {
  std::vector<std::int64_t> numbers = Trace(file, column).numbers();
  if (numbers.size() == walkers) return numbers;
  throw std::invalid_argument(
      fmt::format("{}: {} rows of {} for {} walkers", file, numbers.size(), column.name, walkers));
}

Items trace(const Options& options, Groups groups, std::uint64_t) {
  return column_of_trace(options.text("trace_file"), trace_items, groups.size());
}

namespace {

constexpr bool fixed = false;
constexpr bool drawn = true;

constexpr std::array entries{
    WorkloadEntry{{"cyclic",
                   "`multiplier` · (r mod `modulus`) items, where r is the lowest rank of the "
                   "walker's group at the start. For walkers that wait in a queue at the start, r "
                   "continues as if the groups were repeated on higher ranks. This is the workload "
                   "of Dinan et al. (EuroMPI 2011).",
                   cyclic_options},
                  cyclic,
                  fixed},
    WorkloadEntry{{"cyclic_literal",
                   "(`multiplier` · r) mod `modulus` items, with r as in `cyclic`. This is the "
                   "other possible reading of the formula 10 · R mod 32 of Dinan et al.",
                   cyclic_literal_options},
                  cyclic_literal,
                  fixed},
    WorkloadEntry{{"constant", "all walkers have the same number of items", constant_options},
                  constant,
                  fixed},
    WorkloadEntry{{"single", "one walker has all items", single_options}, single, fixed},
    WorkloadEntry{
        {"blocks", "only the first or only the last walkers, in the order of ranks, have items",
         blocks_options},
        blocks,
        fixed},
    WorkloadEntry{{"uniform", "uniform distribution from 0 to twice the mean", uniform_options},
                  uniform,
                  drawn},
    WorkloadEntry{
        {"exponential", "exponential distribution", exponential_options}, exponential, drawn},
    WorkloadEntry{{"lognormal", "lognormal distribution", lognormal_options}, lognormal, drawn},
    WorkloadEntry{
        {"pareto", "Pareto distribution, which has a heavy tail", pareto_options}, pareto, drawn},
    WorkloadEntry{{"trace", "reads the number of items of each walker from a file", trace_options},
                  trace,
                  fixed},
    WorkloadEntry{{"recorded",
                   "item times from a file, recorded in a real run or by another program. If a "
                   "group has another size than in the recording, its times are scaled by "
                   "`speedup` or `true_speedup`. Balancers assume `item_ms`.",
                   recorded_options},
                  recorded,
                  fixed,
                  recording},
};

}  // namespace

std::span<const WorkloadEntry> workloads() { return entries; }

}  // namespace regroup
