// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "engines/mpi/shared_clock.hpp"
#include "kernel/clocks/sleep.hpp"
#include "kernel/numbers/statistics.hpp"
#include "measurements/bench.hpp"
#include "measurements/sorts.hpp"
#include "regroup/communicator.hpp"
#include "regroup/numbers.hpp"
#include "regroup/options.hpp"
#include "regroup/range.hpp"
#include "sorting/inputs.hpp"
#include "sorting/sample_sort.hpp"
#include "sorting/sort_over.hpp"

namespace regroup {

bool is_plain_sort(std::string_view name) { return find_entry(plain_sorts, name) != nullptr; }

std::vector<std::string_view> ways_to_sort(std::span<const Strategy> all) {
  std::vector<std::string_view> names;
  for (const Strategy& strategy : all) {
    if (strategy.serves_balancers()) names.push_back(strategy.name);
  }
  for (const PlainSort& sort : plain_sorts) names.push_back(sort.name);
  return names;
}

namespace {

// A fast sort that does not sort is no result: what must hold of every sort that is measured.

/// What tells elements from others whatever their order: their number, and sum and exclusive or of
/// hashes of their bytes.
struct Contents {
  std::uint64_t number = 0;
  std::uint64_t sum = 0;
  std::uint64_t exclusive_or = 0;
  friend bool operator==(const Contents&, const Contents&) = default;
};

/// Those of the elements of all ranks of `world`. Collective.
Contents of_all(const Contents& own, Site& world);

/// What is wrong with a sort; the greater is told first.
enum class WrongSort { nothing, unsorted, borders, contents, balance };

/// Throws std::runtime_error, on all ranks of `world`, where something is wrong on one of them; it
/// names the last such rank. Collective.
void expect_right(WrongSort own, Site& world);

/// `element` has no padding.
template <class T>
std::uint64_t hash_of_element(const T& element) {
  std::uint64_t hash = 0;
  for (std::size_t at = 0; at < sizeof(T); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, reinterpret_cast<const char*>(&element) + at,
                std::min(sizeof word, sizeof(T) - at));
    hash = hash_combined(hash, word);
  }
  return hash;
}

template <class T>
Contents contents_of(const std::vector<T>& elements) {
  Contents all{elements.size(), 0, 0};
  for (const T& element : elements) {
    const std::uint64_t hash = hash_of_element(element);
    all.sum += hash;
    all.exclusive_or ^= hash;
  }
  return all;
}

/// Whether no element of a rank is less than one of a rank before. Collective; all ranks that break
/// it answer false.
template <class T>
bool follows_those_before(const std::vector<T>& elements, Site& world) {
  struct Border {
    T first;
    T last;
  };
  const Border own = elements.empty() ? Border() : Border{elements.front(), elements.back()};
  const int some = elements.empty() ? 0 : 1;
  std::vector<Border> borders(static_cast<std::size_t>(world.size()));
  std::vector<int> holding(borders.size());
  allgather(&own, sizeof own, MPI_BYTE, borders.data(), sizeof own, MPI_BYTE, world.all());
  allgather(&some, 1, MPI_INT, holding.data(), 1, MPI_INT, world.all());
  for (auto rank = static_cast<std::size_t>(world.rank()); some == 1 && rank-- > 0;) {
    if (holding[rank] == 1) return !(own.first < borders[rank].last);
  }
  return true;
}

/// Checks what came out of a sort of elements that had these contents, on all ranks together: all
/// are there, and in order, also from rank to rank. Each rank must have `number_of_each`; below 0:
/// any number. Collective; throws as expect_right does.
template <class T>
void check_sorted(const std::vector<T>& elements, const Contents& before, long long number_of_each,
                  Site& world) {
  const bool even = number_of_each < 0 || static_cast<long long>(elements.size()) == number_of_each;
  const bool same = of_all(contents_of(elements), world) == of_all(before, world);
  const bool follows = follows_those_before(elements, world);
  expect_right(!even                                               ? WrongSort::balance
               : !same                                             ? WrongSort::contents
               : !follows                                          ? WrongSort::borders
               : !std::is_sorted(elements.begin(), elements.end()) ? WrongSort::unsorted
                                                                   : WrongSort::nothing,
               world);
}

Contents of_all(const Contents& own, Site& world) {
  const std::array sums{own.number, own.sum};
  std::array<std::uint64_t, 2> all_sums{};
  Contents all;
  allreduce(sums.data(), all_sums.data(), 2, MPI_UINT64_T, MPI_SUM, world.all());
  allreduce(&own.exclusive_or, &all.exclusive_or, 1, MPI_UINT64_T, MPI_BXOR, world.all());
  all.number = all_sums[0];
  all.sum = all_sums[1];
  return all;
}

void expect_right(WrongSort own, Site& world) {
  constexpr std::array<std::string_view, 5> words{
      "", "its elements are not in order", "its first element is less than one of a rank before",
      "what came out of all ranks is not what went in", "it has not its share of the elements"};
  const int code =
      static_cast<int>(own) * world.size() + (own == WrongSort::nothing ? 0 : world.rank());
  int worst = 0;
  allreduce(&code, &worst, 1, MPI_INT, MPI_MAX, world.all());
  if (worst == 0) return;
  throw std::runtime_error(fmt::format("wrongly sorted, as rank {} finds: {}", worst % world.size(),
                                       words.at(static_cast<std::size_t>(worst / world.size()))));
}

// What it takes to sort elements that all ranks have as many of: by Janus Quicksort over
// communicators of each strategy, by the sample sort, and by std::sort on one rank. After Fig. 8 of
// the RBC paper (arXiv 1710.08027).
//
// Each sample sorts another input, drawn by the seed, with pivots that the seed draws, too; both
// are the same for all strategies. It begins at a common start; making the input and checking what
// comes out does not count. Who is done sleeps for as long as the warm-ups took at most.

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
