// SPDX-License-Identifier: BSD-3-Clause
//
// The time to sort elements: by Janus Quicksort over communicators of each strategy, by sample
// sort, and by std::sort on one rank. After Fig. 8 of the RBC paper (arXiv 1710.08027).
//
// The seed determines the input of each sample and the pivots, the same for all strategies.
// Creating the input and checking the result is not timed. Ranks that have finished sleep until the
// longest duration of the warm-ups has passed.
#include "measurements/sort.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "kernel/numbers/statistics.hpp"
#include "kernel/text/table.hpp"
#include "kernel/text/units.hpp"
#include "measurements/kinds.hpp"
#include "measurements/measure.hpp"
#include "measurements/summary.hpp"
#include "regroup/bench.hpp"
#include "regroup/numbers.hpp"
#include "regroup/range.hpp"
#include "regroup/sorting.hpp"
#include "sorting/inputs.hpp"

namespace regroup {
namespace {

// ---- checks

std::uint64_t hash_of_element(const std::byte* element, std::size_t size) {
  std::uint64_t hash = 0;
  for (std::size_t at = 0; at < size; at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, element + at, std::min(sizeof word, size - at));
    hash = hash_combined(hash, word);
  }
  return hash;
}

/// Returns the combined contents of all ranks. Collective.
Contents contents_of_all(const Contents& own, Site& world) {
  const std::array sums{own.number, own.sum};
  std::array<std::uint64_t, 2> all_sums{};
  Contents all;
  allreduce(sums.data(), all_sums.data(), 2, MPI_UINT64_T, MPI_SUM, world.all());
  allreduce(&own.exclusive_or, &all.exclusive_or, 1, MPI_UINT64_T, MPI_BXOR, world.all());
  all.number = all_sums[0];
  all.sum = all_sums[1];
  return all;
}

/// Faults of a sort; the one with the largest value is reported.
enum class Fault { none, unsorted, borders, contents, balance };

Fault fault_of(const ElementsView& elements, const Contents& before, long long number_of_each,
               Site& world) {
  const bool equal =
      contents_of_all(contents_of(elements), world) == contents_of_all(before, world);
  const bool follows = follows_lower_ranks(elements, world);
  if (number_of_each >= 0 && static_cast<long long>(elements.count) != number_of_each) {
    return Fault::balance;
  }
  if (!equal) return Fault::contents;
  if (!follows) return Fault::borders;
  for (std::size_t i = 1; i < elements.count; ++i) {
    if (elements.less(elements.at(i), elements.at(i - 1))) return Fault::unsorted;
  }
  return Fault::none;
}

}  // namespace

Contents contents_of(const ElementsView& elements) {
  Contents all{elements.count, 0, 0};
  for (std::size_t i = 0; i < elements.count; ++i) {
    const std::uint64_t hash = hash_of_element(elements.at(i), elements.size);
    all.sum += hash;
    all.exclusive_or ^= hash;
  }
  return all;
}

bool follows_lower_ranks(const ElementsView& elements, Site& world) {
  const std::size_t size = elements.size;
  std::vector<std::byte> own(size);  // the last element
  if (elements.count > 0) std::memcpy(own.data(), elements.at(elements.count - 1), size);
  const int some = elements.count > 0 ? 1 : 0;
  std::vector<std::byte> lasts(size * static_cast<std::size_t>(world.size()));
  std::vector<int> have_some(static_cast<std::size_t>(world.size()));
  const auto bytes = static_cast<int>(size);
  allgather(own.data(), bytes, MPI_BYTE, lasts.data(), bytes, MPI_BYTE, world.all());
  allgather(&some, 1, MPI_INT, have_some.data(), 1, MPI_INT, world.all());
  for (auto rank = static_cast<std::size_t>(world.rank()); some == 1 && rank-- > 0;) {
    if (have_some[rank] == 1) return !elements.less(elements.at(0), lasts.data() + rank * size);
  }
  return true;
}

void check_sorted(const ElementsView& elements, const Contents& before, long long number_of_each,
                  Site& world) {
  constexpr std::array<std::string_view, 5> words{
      "", "its elements are not in order", "its first element is less than one of a lower rank",
      "the elements of all ranks are not those of the input", "it does not have its share"};
  const auto own = static_cast<int>(fault_of(elements, before, number_of_each, world));
  const int code = own * world.size() + (own == 0 ? 0 : world.rank());
  int worst = 0;
  allreduce(&code, &worst, 1, MPI_INT, MPI_MAX, world.all());
  if (worst == 0) return;
  throw std::runtime_error(fmt::format("wrong result of a sort on rank {}: {}",
                                       worst % world.size(),
                                       words.at(static_cast<std::size_t>(worst / world.size()))));
}

namespace {

// ---- elements

/// A sort that divides no communicator. Its name is a value of the option `communicator`.
struct PlainSort {
  std::string_view name;
  std::string_view help;
};
constexpr std::string_view sample_sort = "sample_sort";
constexpr std::string_view std_sort = "std_sort";
constexpr std::array plain_sorts{
    PlainSort{sample_sort,
              "sample sort instead of Janus Quicksort: samples determine which elements each rank "
              "receives, in one MPI_Alltoallv"},
    PlainSort{std_sort, "std::sort on one rank, instead of Janus Quicksort"},
};

bool is_plain_sort(std::string_view name) { return find_entry(plain_sorts, name) != nullptr; }

/// The elements of this rank, of any type.
class Elements {
 public:
  Elements() = default;
  Elements(const Elements&) = delete;
  Elements& operator=(const Elements&) = delete;
  virtual ~Elements() = default;

  /// Replaces the elements by an input with `number` elements on each rank.
  virtual void draw(sorting::Input input, const Site& world, long long number,
                    std::uint64_t seed) = 0;
  virtual ElementsView view() const = 0;

  virtual void std_sort() = 0;
  virtual sorting::SortFacts sample_sort(MPI_Comm comm, const sorting::SortOptions& options) = 0;
  virtual sorting::SortFacts sort_over(Site& world, const Strategy& strategy,
                                       const sorting::SortOptions& options) = 0;
};

template <class T>
class ElementsOf final : public Elements {
 public:
  void draw(sorting::Input input, const Site& world, long long number,
            std::uint64_t seed) override {
    elements_ = sorting::make_input<T>(input, world.rank(), world.size(), number, seed);
  }
  ElementsView view() const override { return view_of(elements_); }

  void std_sort() override { sorting::OperationsOn<T>::sort(elements_.data(), elements_.size()); }
  sorting::SortFacts sample_sort(MPI_Comm comm, const sorting::SortOptions& options) override {
    return sorting::sample_sort(elements_, comm, options);
  }
  sorting::SortFacts sort_over(Site& world, const Strategy& strategy,
                               const sorting::SortOptions& options) override {
    return sorting::sort_over(elements_, world, strategy, options);
  }

 private:
  std::vector<T> elements_;
};

/// A record, sorted by its key.
struct KeyedRecord {
  double key;
  std::uint64_t payload;

  static KeyedRecord of(double key, std::uint64_t number) { return {key, number}; }
  friend bool operator<(const KeyedRecord& a, const KeyedRecord& b) { return a.key < b.key; }
};

template <class T>
std::unique_ptr<Elements> make_elements() {
  return std::make_unique<ElementsOf<T>>();
}

struct ElementType {
  std::string_view name;
  std::unique_ptr<Elements> (*make)();
};
constexpr std::array element_types{
    ElementType{"double", make_elements<double>},
    ElementType{"float", make_elements<float>},
    ElementType{"int32", make_elements<std::int32_t>},
    ElementType{"int64", make_elements<std::int64_t>},
    ElementType{"uint64", make_elements<std::uint64_t>},
    ElementType{"int8", make_elements<std::int8_t>},
    ElementType{"record", make_elements<KeyedRecord>},
};

// ---- measuring

/// The facts about one sort, of all ranks together.
struct SortSample {
  double began_s = 0;
  double time_s = 0;
  double creation_s = 0;
  double levels = 0;
  double received = 0;
  double held = 0;  ///< elements on the fullest rank
  double moved_bytes = 0;
  double constructors = 0;
};

class SortBench {
 public:
  explicit SortBench(Bench& bench)
      : bench_(bench),
        way_(bench.text("communicator")),
        number_(bench.integer("elements_per_rank")),
        input_(find_entry(sorting::inputs, bench.text("input"))->input),
        elements_(find_entry(element_types, bench.text("element_type"))->make()) {
    options_.assignment = find_entry(sorting::assignments, bench.text("assignment"))->assignment;
  }

  std::vector<SortSample> samples() {
    double longest_s = 0;
    for (int i = 0; i < Bench::warm_ups; ++i) longest_s = std::max(longest_s, sample(0).time_s);
    std::vector<SortSample> all;
    for (int i = 0; i < bench_.integer("samples"); ++i) all.push_back(sample(longest_s));
    return all;
  }

 private:
  SortSample sample(double window_s) {
    Site& world = bench_.world();
    options_.seed = hash_combined(bench_.stream(), drawn_++);
    elements_->draw(input_, world, number_, options_.seed);
    const Contents before = contents_of(elements_->view());
    const long long made_before = profiled_constructors().value_or(0);
    sorting::SortFacts facts;
    const Sample sample = bench_.once(window_s, [&](double start) {
      facts = sort();
      return bench_.now() - start;
    });
    const long long made = profiled_constructors().value_or(0) - made_before;
    check_sorted(elements_->view(), before, way_ == sample_sort ? -1 : number_, world);
    const std::vector<double> most =
        bench_.largest({sample.value_s, facts.creation_s, static_cast<double>(facts.levels),
                        static_cast<double>(facts.most_messages_received),
                        static_cast<double>(elements_->view().count)});
    const std::vector<double> sums =
        bench_.sums({static_cast<double>(facts.bytes_sent), static_cast<double>(made)});
    return {sample.began_s, most[0], most[1], most[2], most[3], most[4], sums[0], sums[1]};
  }

  sorting::SortFacts sort() {
    sorting::SortFacts facts;
    if (way_ == std_sort) {
      elements_->std_sort();
    } else if (way_ == sample_sort) {
      bench_.world().waiter().blocking(
          [&] { facts = elements_->sample_sort(bench_.world().comm(), options_); });
    } else {
      facts = elements_->sort_over(bench_.world(), bench_.strategy(), options_);
    }
    return facts;
  }

  Bench& bench_;
  const std::string way_;
  const long long number_;
  const sorting::Input input_;
  std::unique_ptr<Elements> elements_;
  sorting::SortOptions options_;
  std::uint64_t drawn_ = 0;
};

std::vector<double> values_of(const std::vector<SortSample>& samples, double SortSample::*value) {
  std::vector<double> all;
  for (const SortSample& sample : samples) all.push_back(sample.*value);
  return all;
}

std::vector<Sample> times_of(const std::vector<SortSample>& samples, double SortSample::*time) {
  std::vector<Sample> all;
  for (const SortSample& sample : samples) {
    all.push_back({static_cast<std::int64_t>(all.size()) + 1, sample.began_s, sample.*time});
  }
  return all;
}

Findings measure_sort(Bench& bench) {
  const std::vector<SortSample> samples = SortBench(bench).samples();
  const auto most = [&](double SortSample::*value) {
    return std::ranges::max(values_of(samples, value));
  };
  Findings findings;
  findings.samples["time_s"] = times_of(samples, &SortSample::time_s);
  Figures& figures = findings.figures;
  if (const int number = bench.integer("elements_per_rank"); number > 0) {
    figures["imbalance"] = most(&SortSample::held) / number;
  }
  if (bench.text("communicator") == std_sort) return findings;
  figures["moved_bytes"] = median(values_of(samples, &SortSample::moved_bytes));
  figures["received_messages_max"] = most(&SortSample::received);
  if (profiled_constructors()) {
    figures["constructor_calls"] = most(&SortSample::constructors);
  }
  if (bench.measurement().strategy == nullptr) return findings;
  findings.samples["creation_s"] = times_of(samples, &SortSample::creation_s);
  figures["levels"] = most(&SortSample::levels);
  return findings;
}

void settle_sort(Measurement& measurement, int ranks) {
  Options& options = measurement.options;
  if (ranks == 1) {
    options.set("communicator", std::string(std_sort));
    measurement.strategy = nullptr;
  }
  if (is_plain_sort(options.text("communicator"))) options.set("assignment", "greedy");
}

bool is_sort_left_out(const Measurement& measurement, int ranks) {
  return ranks > 1 && measurement.options.text("communicator") == std_sort;
}

std::string hindrance_of_sort(const Measurement& measurement, int ranks, std::uint64_t) {
  return is_sort_left_out(measurement, ranks) ? fmt::format("{} sorts on one rank only", std_sort)
                                              : "";
}

/// Includes the time to sort, hash and move each element on all levels.
double sample_s_of_sort(const Measurement& measurement, int ranks) {
  return 2e-7 * ranks * measurement.options.real("elements_per_rank");
}

// ---- summary

/// A way to sort: a communicator strategy or another algorithm, and the assignment.
struct SortWay {
  std::string communicator;
  std::string assignment;

  std::string label() const {
    return assignment == "greedy" ? communicator : communicator + " " + assignment;
  }
  friend bool operator==(const SortWay&, const SortWay&) = default;
};

/// Tables with the elements per rank as rows and the ways to sort as columns. Sorts over range
/// communicators, with which all others are compared, come first.
class SortTables {
 public:
  explicit SortTables(const MeasuredSetting& setting)
      : setting_(setting), sizes_(setting.values("elements_per_rank")) {
    for (const std::string& assignment : setting.values("assignment")) {
      for (const std::string& communicator : setting.values("communicator")) {
        const Options options{{"communicator", communicator}, {"assignment", assignment}};
        if (setting.median("time_median_s", options)) ways_.push_back({communicator, assignment});
      }
    }
    std::ranges::stable_partition(ways_,
                                  [](const SortWay& way) { return way.communicator == "range"; });
  }

  std::string times() const {
    std::vector<Cells> rows{{"n/p"}};
    for (const SortWay& way : ways_) {
      rows.front().push_back(way.label());
      if (base_of(way)) rows.front().emplace_back("/ range");
    }
    for (const std::string& size : sizes_) {
      Cells& row = rows.emplace_back(Cells{size});
      for (const SortWay& way : ways_) {
        const auto time = of("time_median_s", size, way);
        row.push_back(time_text(time));
        const auto base = base_of(way);
        if (!base) continue;
        const auto range = of("time_median_s", size, *base);
        row.push_back(time && range && *range > 0 ? rounded(*time / *range, 2) : "");
      }
    }
    return text_table(rows, {});
  }

  /// Returns a table of the share of time spent in creating communicators.
  std::string creations() const {
    std::vector<Cells> rows{{"n/p"}};
    for (const SortWay& way : ways_) rows.front().push_back(way.label());
    bool is_known = false;
    for (const std::string& size : sizes_) {
      Cells& row = rows.emplace_back(Cells{size});
      for (const SortWay& way : ways_) {
        const auto time = of("time_median_s", size, way);
        const auto creation = of("creation_s", size, way);
        const bool known = time && creation && *time > 0;
        row.push_back(known ? rounded(100 * *creation / *time, 1) + " %" : "");
        is_known = is_known || known;
      }
    }
    if (!is_known) return {};
    return "\nShare of creating communicators, on the rank that spends most time in it\n" +
           text_table(rows, {});
  }

  /// Returns a table of the figures other than times.
  std::string counts() const {
    struct Count {
      std::string_view figure;
      std::string_view heading;
      int decimals;
    };
    constexpr std::array counts{Count{"levels", "levels", 0},
                                Count{"received_messages_max", "received on a level", 0},
                                Count{"moved_bytes", "bytes moved", 0},
                                Count{"constructor_calls", "calls of constructors", 0},
                                Count{"imbalance", "fullest / mean", 3}};
    std::vector<Cells> rows{{"n/p", "communicator"}};
    for (const Count& count : counts) rows.front().emplace_back(count.heading);
    for (const std::string& size : sizes_) {
      for (const SortWay& way : ways_) {
        if (way.communicator == std_sort) continue;
        Cells row{size, way.label()};
        bool is_known = false;
        for (const Count& count : counts) {
          const auto found = of(count.figure, size, way);
          row.push_back(found ? fmt::format("{:.{}f}", *found, count.decimals) : "");
          is_known = is_known || found;
        }
        if (is_known) rows.push_back(std::move(row));
      }
    }
    if (rows.size() == 1) return {};
    return "\nCounts; the result of every sort was checked\n" + text_table(rows, {1});
  }

 private:
  std::optional<double> of(std::string_view figure, const std::string& size,
                           const SortWay& way) const {
    return setting_.median(figure, {{"elements_per_rank", size},
                                    {"communicator", way.communicator},
                                    {"assignment", way.assignment}});
  }

  /// Returns the baseline of `way`: a sort over range communicators, by the same assignment if that
  /// has an effect. None if that was not measured, or if `way` itself is over them.
  std::optional<SortWay> base_of(const SortWay& way) const {
    if (way.communicator == "range") return std::nullopt;
    const SortWay same{"range", way.assignment};
    if (std::ranges::find(ways_, same) != ways_.end()) return same;
    const bool any = is_plain_sort(way.communicator) && ways_.front().communicator == "range";
    return any ? std::optional(ways_.front()) : std::nullopt;
  }

  const MeasuredSetting& setting_;
  std::vector<std::string> sizes_;
  std::vector<SortWay> ways_;
};

std::string summarize_sort(const MeasuredSetting& setting) {
  const SortTables tables(setting);
  return tables.times() + tables.creations() + tables.counts();
}

// ---- the row

constexpr std::array options{
    choice_option("element_type", "double", names_of_rows<element_types>,
                  "type of the elements. A `record` has 16 bytes, of which a double is the key."),
    choice_option<sorting::inputs>("input", "uniform", "distribution of the elements at the start"),
    integer_option("elements_per_rank", "", 0, 1 << 20, "number of elements on each rank"),
    choice_option<sorting::assignments>(
        "assignment", "greedy",
        "rule by which Janus Quicksort assigns elements to ranks, on each level of its recursion"),
    strategy_option<plain_sorts>(
        "communicator", "",
        "strategy that creates the communicators of Janus Quicksort. The values `sample_sort` and "
        "`std_sort` select another algorithm instead."),
    samples_option,
};
constexpr std::array times{
    SampledTime{"time_s", "time to sort, from the common start to the end of the last rank"},
    SampledTime{"creation_s",
                "time that a rank spends in creating communicators, maximum over the ranks",
                Becomes::median},
};
constexpr std::array figures{
    Figure{"constructor_calls",
           "calls of MPI functions that create communicators, sum over all ranks: maximum of the "
           "samples",
           true},
    Figure{
        "levels",
        "levels of recursion, on each of which groups of ranks are divided: maximum of the samples",
        true},
    Figure{"received_messages_max",
           "messages with elements that a rank receives on one level of the recursion (with "
           "`sample_sort`, in total): maximum over ranks and samples",
           true},
    Figure{"moved_bytes",
           "bytes of elements sent to other ranks, sum over all ranks: median of the samples"},
    Figure{"imbalance",
           "largest number of elements of a rank after sorting, divided by the mean over the "
           "ranks: maximum of the samples"},
};
constexpr std::array<std::string_view, 3> compared{"elements_per_rank", "communicator",
                                                   "assignment"};

}  // namespace

MeasurementKind sort_kind() {
  MeasurementKind kind{{"sort",
                        "cost of sorting with Janus Quicksort, which divides groups of ranks on "
                        "each level of its recursion",
                        options}};
  kind.times = times;
  kind.figures = figures;
  kind.measure = measure_sort;
  kind.accepts = [](const Strategy& strategy) { return strategy.serves_balancers(); };
  kind.settle = settle_sort;
  kind.left_out = is_sort_left_out;
  kind.hindrance = hindrance_of_sort;
  kind.sample_s = sample_s_of_sort;
  kind.summarize = summarize_sort;
  kind.compared = compared;
  return kind;
}

}  // namespace regroup
