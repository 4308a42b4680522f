// SPDX-License-Identifier: BSD-3-Clause
//
// What it takes to sort elements that all ranks have as many of: by Janus Quicksort over
// communicators of each strategy, by the sample sort, and by std::sort on one rank. After Fig. 8 of
// the RBC paper (arXiv 1710.08027).
//
// Each sample sorts another input, drawn by the seed, with pivots that the seed draws, too; both
// are the same for all strategies. It begins at a common start; making the input and checking what
// comes out does not count. Who is done sleeps for as long as the warm-ups took at most.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

#include "kernel/items/sleep.hpp"
#include "kernel/measurement/sampled.hpp"
#include "kernel/measurement/sorts.hpp"
#include "kernel/mpi/measurement/message_count.hpp"
#include "kernel/mpi/measurement/samples.hpp"
#include "kernel/mpi/sorting/sort_check.hpp"
#include "kernel/mpi/stage/common_start.hpp"
#include "kernel/numbers/spread.hpp"
#include "sorting/inputs.hpp"
#include "sorting/sample_sort.hpp"
#include "sorting/sort_over.hpp"

namespace regroup {
namespace {

/// Records are sorted by their keys.
struct KeyedRecord {
  double key;
  std::uint64_t payload;

  static KeyedRecord of(double key, std::uint64_t number) { return {key, number}; }
  friend bool operator<(const KeyedRecord& a, const KeyedRecord& b) { return a.key < b.key; }
};

/// What a sort was, all ranks together.
struct Sorted {
  double began_s = 0;
  double time_s = 0;
  double creation_s = 0;
  double moved_bytes = 0;
  double constructors = 0;
  double levels = 0;
  double received = 0;
  double held = 0;  ///< by the fullest rank
};

template <class T>
class SortBench {
 public:
  explicit SortBench(const Bench& bench)
      : bench_(bench),
        world_(bench.world),
        way_(bench.subject.options.text("communicator")),
        number_(bench.integer("elements_per_rank")),
        input_(find_entry(sorting::inputs, bench.subject.options.text("input"))->input) {
    const std::string& assignment = bench.subject.options.text("assignment");
    options_.assignment = find_entry(sorting::assignments, assignment)->assignment;
  }

  std::vector<Sorted> sorts(int samples) {
    double longest_s = 0;
    for (int i = 0; i < warm_ups; ++i) longest_s = std::max(longest_s, sample(0).time_s);
    std::vector<Sorted> all;
    for (int i = 0; i < samples; ++i) all.push_back(sample(longest_s));
    return all;
  }

 private:
  /// Ends `window_s` after its start at the earliest.
  Sorted sample(double window_s) {
    const std::uint64_t seed = hash_combined(bench_.subject.stream, drawn_++);
    std::vector<T> elements =
        sorting::make_input<T>(input_, world_.rank(), world_.size(), number_, seed);
    const Contents before = contents_of(elements);
    const long long made_before = profiled_constructors().value_or(0);
    options_.seed = seed;

    const double start = common_start(world_, bench_.clock);
    const sorting::SortFacts facts = sort(elements);
    const double took = bench_.clock.now() - start;
    if (took < window_s) sleep_for(window_s - took);

    const long long made = profiled_constructors().value_or(0) - made_before;
    check_sorted(elements, before, way_ == sample_sort_entry.name ? -1 : number_, world_);
    Sorted all =
        together(facts, took, static_cast<double>(made), static_cast<double>(elements.size()));
    all.began_s = start;
    return all;
  }

  sorting::SortFacts sort(std::vector<T>& elements) {
    if (way_ == std_sort_entry.name) {
      std::sort(elements.begin(), elements.end());
      return {};
    }
    if (way_ == sample_sort_entry.name) {
      sorting::SortFacts facts;
      world_.waiter().blocking(
          [&] { facts = sorting::sample_sort(elements, world_.comm(), options_); });
      return facts;
    }
    return sorting::sort_over(elements, world_, bench_.subject.strategy, bench_.subject.make,
                              options_);
  }

  Sorted together(const sorting::SortFacts& facts, double took, double made, double held) {
    const std::vector<double> most =
        largest_of_all({took, facts.creation_s, static_cast<double>(facts.levels),
                        static_cast<double>(facts.most_messages_received), held},
                       world_);
    const std::array own{static_cast<double>(facts.bytes_sent), made};
    std::array<double, 2> sums{};
    allreduce(own.data(), sums.data(), 2, MPI_DOUBLE, MPI_SUM, world_.all());
    return {0, most[0], most[1], sums[0], sums[1], most[2], most[3], most[4]};
  }

  const Bench& bench_;
  Site& world_;
  const std::string way_;
  const long long number_;
  const sorting::Input input_;
  sorting::SortOptions options_;
  std::uint64_t drawn_ = 0;
};

template <class T>
std::vector<Sorted> sorts_of(const Bench& bench) {
  return SortBench<T>(bench).sorts(bench.integer("samples"));
}

struct ElementType {
  std::string_view name;
  std::vector<Sorted> (*sorts)(const Bench& bench);
};
constexpr std::array types{
    ElementType{"double", sorts_of<double>},        ElementType{"float", sorts_of<float>},
    ElementType{"int32", sorts_of<std::int32_t>},   ElementType{"int64", sorts_of<std::int64_t>},
    ElementType{"uint64", sorts_of<std::uint64_t>}, ElementType{"int8", sorts_of<std::int8_t>},
    ElementType{"record", sorts_of<KeyedRecord>}};

std::vector<double> each(const std::vector<Sorted>& sorts, double Sorted::*what) {
  std::vector<double> all;
  for (const Sorted& sort : sorts) all.push_back(sort.*what);
  return all;
}

std::vector<Sample> samples_of(const std::vector<Sorted>& sorts, double Sorted::*what) {
  std::vector<Sample> all;
  for (const Sorted& sort : sorts) add(all, sort.began_s, sort.*what);
  return all;
}

}  // namespace

Findings measure_sort(const Bench& bench) {
  const ElementType* type = find_entry(types, bench.subject.options.text("element_type"));
  if (type == nullptr) throw std::invalid_argument("unknown type of elements");
  const std::vector<Sorted> sorts = type->sorts(bench);
  Findings findings;
  findings.samples["time_s"] = samples_of(sorts, &Sorted::time_s);
  std::map<std::string, double>& figures = findings.figures;
  if (const int number = bench.integer("elements_per_rank"); number > 0) {
    figures["imbalance"] = std::ranges::max(each(sorts, &Sorted::held)) / number;
  }
  if (bench.subject.options.text("communicator") == std_sort_entry.name) return findings;
  figures["moved_bytes"] = median(each(sorts, &Sorted::moved_bytes));
  figures["received_messages_max"] = std::ranges::max(each(sorts, &Sorted::received));
  if (profiled_constructors()) {
    figures["constructor_calls"] = std::ranges::max(each(sorts, &Sorted::constructors));
  }
  if (bench.subject.make == nullptr) return findings;
  findings.samples["creation_s"] = samples_of(sorts, &Sorted::creation_s);
  figures["levels"] = std::ranges::max(each(sorts, &Sorted::levels));
  return findings;
}

}  // namespace regroup
