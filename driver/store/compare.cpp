// SPDX-License-Identifier: BSD-3-Clause
#include "driver/store/compare.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>
#include <ranges>
#include <set>

#include "driver/store/keys.hpp"
#include "driver/store/settings.hpp"
#include "driver/store/table.hpp"
#include "kernel/files/schema.hpp"
#include "kernel/text/plain_text.hpp"
#include "kernel/text/shell_words.hpp"
#include "kernel/text/table.hpp"
#include "kernel/text/units.hpp"
#include "library/describe.hpp"
#include "regroup/numbers.hpp"

namespace regroup {
namespace {

constexpr double stored_z = 1.959963984540054;  // for the 95 % confidence of stored intervals
constexpr std::size_t most_exact = 40;          // samples; for more, the normal law is close

double normal_tail(double z) { return std::erfc(z / std::numbers::sqrt2) / 2; }

/// The null distribution of a rank statistic: the probabilities of the values 0, 1, ….
using Chances = std::vector<double>;

Chances normal_chances(std::size_t most, double variance) {
  const double mean = static_cast<double>(most) / 2;
  const auto above = [&](double x) { return normal_tail((x - mean) / std::sqrt(variance)); };
  Chances chances(most + 1);
  for (std::size_t w = 0; w <= most; ++w) {
    const auto at = static_cast<double>(w);
    chances[w] = (w == 0 ? 1 : above(at - 0.5)) - (w == most ? 0 : above(at + 0.5));
  }
  return chances;
}

/// Null distribution of the number of pairs in which the second sample is smaller. Recursion: the
/// largest of all n + m samples belongs to a side with a probability of its share.
Chances rank_sum_chances(std::size_t n, std::size_t m) {
  if (std::max(n, m) > most_exact) {
    const auto pairs = static_cast<double>(n * m);
    return normal_chances(n * m, pairs * static_cast<double>(n + m + 1) / 12);
  }
  std::vector<Chances> last(m + 1, Chances{1});  // without samples of the first side
  for (std::size_t i = 1; i <= n; ++i) {
    std::vector<Chances> next{Chances{1}};
    for (std::size_t j = 1; j <= m; ++j) {
      const double share = static_cast<double>(i) / static_cast<double>(i + j);
      Chances chances(i * j + 1);
      for (std::size_t w = 0; w < last[j].size(); ++w) chances[w + j] += share * last[j][w];
      for (std::size_t w = 0; w < next[j - 1].size(); ++w) {
        chances[w] += (1 - share) * next[j - 1][w];
      }
      next.push_back(std::move(chances));
    }
    last = std::move(next);
  }
  return last[m];
}

/// Null distribution of the sum of ranks of one sign, which each rank has with probability 1/2.
Chances signed_rank_chances(std::size_t n) {
  if (n > most_exact) {
    const auto count = static_cast<double>(n);
    return normal_chances(n * (n + 1) / 2, count * (count + 1) * (2 * count + 1) / 24);
  }
  Chances chances{1};
  for (std::size_t rank = 1; rank <= n; ++rank) {
    Chances next(chances.size() + rank);
    for (std::size_t w = 0; w < chances.size(); ++w) {
      next[w] += chances[w] / 2;
      next[w + rank] += chances[w] / 2;
    }
    chances = std::move(next);
  }
  return chances;
}

/// Returns the rank of the interval's ends from either side of the sorted numbers; 0: no interval.
std::size_t outside(const Chances& chances, double alpha) {
  double below = 0;
  std::size_t left_out = 0;
  while (left_out < chances.size() && (below += chances[left_out]) <= alpha / 2) ++left_out;
  return left_out;
}

/// Two-sided p-value for a shift of 0; ties count in favour of no shift.
double p_of(std::span<const double> sorted, const Chances& chances) {
  const auto [first, last] = std::ranges::equal_range(sorted, 0.0);
  const auto less = static_cast<std::size_t>(first - sorted.begin());
  const auto more = static_cast<std::size_t>(sorted.end() - last);
  const std::size_t w = sorted.size() - std::max(less, more);
  double tail = 0;
  for (std::size_t i = 0; i <= w; ++i) tail += chances[i];
  return std::min(1.0, 2 * tail);
}

/// Estimates a ratio. `differences` of logarithms: as many as the maximum of the statistic.
Ratio estimate(std::vector<double> differences, const Chances& chances, Method method,
               double alpha) {
  std::ranges::sort(differences);
  Ratio result{.ratio = std::exp(median(differences))};
  const std::size_t skip = outside(chances, alpha);
  if (skip == 0) return result;
  result.method = method;
  result.low = std::exp(differences[skip - 1]);
  result.high = std::exp(differences[differences.size() - skip]);
  result.p_same = p_of(differences, chances);
  return result;
}

}  // namespace

std::string_view name(Method method) {
  constexpr std::array<std::string_view, 5> names{"exact", "repetitions", "problems", "stored",
                                                  "none"};
  return names.at(static_cast<std::size_t>(method));
}

Ratio exact_ratio(double a, double b) {
  const double ratio = b / a;
  return {ratio, ratio, ratio, Method::exact, ratio == 1 ? 1.0 : 0.0};
}

Ratio ratio_of_repetitions(std::span<const double> a, std::span<const double> b, double alpha) {
  std::vector<double> differences;
  for (const double x : a) {
    for (const double y : b) differences.push_back(std::log(y / x));
  }
  return estimate(std::move(differences), rank_sum_chances(a.size(), b.size()), Method::repetitions,
                  alpha);
}

Ratio ratio_of_problems(std::span<const double> ratios, double alpha) {
  std::vector<double> averages;
  for (std::size_t i = 0; i < ratios.size(); ++i) {
    for (std::size_t j = i; j < ratios.size(); ++j) {
      averages.push_back((std::log(ratios[i]) + std::log(ratios[j])) / 2);
    }
  }
  return estimate(std::move(averages), signed_rank_chances(ratios.size()), Method::problems, alpha);
}

Ratio ratio_of_stored(const StoredMedian& a, const StoredMedian& b, double alpha) {
  const double difference = std::log(b.median_s / a.median_s);
  const double down =
      std::hypot(std::log(b.median_s / b.interval.low_s), std::log(a.interval.high_s / a.median_s));
  const double up =
      std::hypot(std::log(b.interval.high_s / b.median_s), std::log(a.median_s / a.interval.low_s));
  // The width of an interval is proportional to the normal quantile of its confidence.
  const double wider = exact::normal_quantile(1 - alpha / 2) / stored_z;
  const double off = std::abs(difference);
  const double p = off == 0 ? 1 : 2 * normal_tail(stored_z * off / (difference > 0 ? down : up));
  return {std::exp(difference), std::exp(difference - wider * down),
          std::exp(difference + wider * up), Method::stored, p};
}

double corrected_alpha(std::span<const double> p) {
  std::vector<double> sorted(p.begin(), p.end());
  std::ranges::sort(sorted);
  const double one = usual_alpha / static_cast<double>(std::max<std::size_t>(1, sorted.size()));
  double alpha = one;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const double all = one * static_cast<double>(i + 1);
    if (sorted[i] <= all) alpha = all;
  }
  return alpha;
}

namespace {

/// Returns the parameters that identify a time. Repetition and seed count only for exact times.
Values parameters_of(const Record& record, bool exact) {
  const Task& task = record.task;
  Values values;
  for (const Parameter& parameter : parameters()) {
    if (parameter.column == Parameter::Column::none || !parameter.applies_to(task)) continue;
    if (parameter.is_belief(task)) continue;
    const std::string name(parameter.spec.name);
    if (!exact && (name == "seed" || name == "repetition")) continue;
    values[name] = parameter.text(task);
    if (!parameter.has_options || values[name].empty()) continue;
    const Choice choice = choice_from(values[name]);
    values[name] = choice.name;
    for (const auto& [option, value] : choice.options) values[option] = value;
  }
  if (!task.is_run()) {
    for (const auto& [option, value] : task.measurement().options) values[option] = value;
  } else if (!task.run().inputs.empty()) {
    values["inputs"] = task.run().inputs;
  }
  return values;
}

Values values_of(const Conditions& conditions) {
  return {{"waited", conditions.waited},
          {"cores", conditions.cores == 0 ? "" : std::to_string(conditions.cores)},
          {"circumstances", conditions.circumstances}};
}

/// Identifies the work of a row, as far as its parameters do not.
std::string problem_of(const Record& record) {
  if (record.task.is_run()) return record.problem;
  return draws(record.task.measurement()) ? fmt::format("seed {}", record.task.seed) : "";
}

/// Returns `name` without the suffix `end`; nullopt if it has another one.
std::optional<std::string> stem_of(std::string_view name, std::string_view end) {
  if (!name.ends_with(end)) return std::nullopt;
  return std::string(name.substr(0, name.size() - end.size()));
}

/// Selects the figures that are times, except ends of intervals and minima.
std::map<std::string, StoredTime> times_of(const std::map<std::string, double>& figures) {
  std::map<std::string, StoredTime> times;
  for (const auto& [name, seconds] : figures) {
    if (!name.ends_with("_s") || stem_of(name, "_min_s") || stem_of(name, "_low_s") ||
        stem_of(name, "_high_s")) {
      continue;
    }
    const auto median_of = stem_of(name, "_median_s");
    const std::string stem = median_of ? *median_of : *stem_of(name, "_s");
    const auto low = figures.find(stem + "_low_s");
    const auto high = figures.find(stem + "_high_s");
    StoredTime& time = times[name] = {seconds, std::nullopt};
    if (low != figures.end() && high != figures.end()) {
      time.interval = Interval{low->second, high->second};
    }
  }
  return times;
}

}  // namespace

std::vector<ComparedRow> compared_rows(const std::string& directory, const MeasurementKind* kind,
                                       const Catalog& catalog, const Where& where) {
  const InvocationNames invocations(directory);
  std::vector<ComparedRow> rows;
  each_record_where(where, directory, kind, catalog, [&](const CsvRow&, const Record& record) {
    ComparedRow& compared = rows.emplace_back();
    compared.exact = record.task.is_exact();
    compared.parameters = parameters_of(record, compared.exact);
    compared.status = record.ending.status;
    compared.description = describe(record.task);
    if (!record.ok()) {
      compared.description = fmt::format("{}: {}: {}", name(compared.status), compared.description,
                                         record.ending.message);
      return;
    }
    compared.conditions = values_of(conditions_of(record, invocations));
    compared.placement = record.outcome.where.placement;
    compared.problem = problem_of(record);
    compared.times = times_of(record.outcome.figures);
    if (record.task.is_run()) compared.times["makespan_s"] = {record.makespan_s, std::nullopt};
  });
  return rows;
}

namespace {

using Sides = std::array<std::vector<ComparedRow>, 2>;
using OfOne = std::vector<const ComparedRow*>;

/// Returns the value of `name`; empty if there is none.
std::string value_of(const Values& values, const std::string& name) {
  const auto found = values.find(name);
  return found == values.end() ? "" : found->second;
}

/// Finds parameters with one value on each side, but different ones. Seeds and repetitions of
/// virtual time are never ignored, because they distinguish runs.
void find_differing_parameters(const Sides& sides, Comparison& result) {
  std::set<std::string> names;
  for (const auto& rows : sides) {
    for (const ComparedRow& row : rows) {
      for (const auto& [name, value] : row.parameters) names.insert(name);
    }
  }
  for (const std::string& name : names) {
    if (name == "seed" || name == "repetition") continue;
    std::array<std::set<std::string>, 2> values;
    for (std::size_t side = 0; side < 2; ++side) {
      for (const ComparedRow& row : sides[side]) {
        values[side].insert(value_of(row.parameters, name));
      }
    }
    const auto& [a, b] = values;
    if (a.size() == 1 && b.size() == 1 && a != b)
      result.differences[name] = {*a.begin(), *b.begin()};
  }
}

/// Finds conditions that differ between the sides. For equal ranks and engines each side must have
/// one value of each condition, or else the cause of a difference would be unclear.
void find_differing_conditions(const Sides& sides, Comparison& result) {
  std::array<std::map<std::string, std::set<std::string>>, 2> values;
  for (std::size_t side = 0; side < 2; ++side) {
    std::map<std::string, std::string> known;
    for (const ComparedRow& row : sides[side]) {
      for (const auto& [name, value] : row.conditions) {
        const std::string of =
            fmt::format("{} of {} ranks, {}", name, value_of(row.parameters, "ranks"),
                        value_of(row.parameters, "engine"));
        const auto [place, added] = known.emplace(of, value);
        if (place->second != value) {
          throw UserError(
              fmt::format("{} contains results with several values of '{}': '{}' and '{}'; compare "
                          "directories with one value each",
                          side == 0 ? "A" : "B", name, place->second, value));
        }
        if (!value.empty()) values[side][name].insert(value);
      }
      if (!row.placement.empty()) values[side]["placement"].insert(row.placement);
    }
  }
  const auto told = [](const std::set<std::string>& all) {
    return all.size() > 3 ? fmt::format("{} of them", all.size())
                          : fmt::format("{}", fmt::join(all, ", "));
  };
  for (const auto& name : {"waited", "cores", "circumstances", "placement"}) {
    if (values[0][name] == values[1][name]) continue;
    result.differences[name] = {told(values[0][name]), told(values[1][name])};
  }
}

std::vector<double> seconds_of(const OfOne& rows, const std::string& time) {
  std::vector<double> all;
  for (const ComparedRow* row : rows) all.push_back(row->times.at(time).seconds);
  return all;
}

/// Returns the median of the medians, with the smallest interval that contains all their intervals.
std::optional<StoredMedian> stored_median(const OfOne& rows, const std::string& time) {
  std::optional<Interval> all;
  for (const ComparedRow* row : rows) {
    const auto& interval = row->times.at(time).interval;
    if (!interval || interval->low_s <= 0) return std::nullopt;
    if (!all) all = interval;
    all = {std::min(all->low_s, interval->low_s), std::max(all->high_s, interval->high_s)};
  }
  return StoredMedian{median(seconds_of(rows, time)), *all};
}

using ByProblem = std::map<std::string, std::array<OfOne, 2>>;

/// Compares a time of one setting. `problems`: its rows, by problem; both sides have each problem.
Compared compare_time(const ByProblem& problems, const std::string& time) {
  Compared result;
  result.time = time;
  std::array<OfOne, 2> rows;
  std::vector<double> ratios;
  for (const auto& [problem, both] : problems) {
    for (std::size_t side = 0; side < 2; ++side) {
      rows[side].insert(rows[side].end(), both[side].begin(), both[side].end());
    }
    ratios.push_back(median(seconds_of(both[1], time)) / median(seconds_of(both[0], time)));
  }
  const std::vector<double> a = seconds_of(rows[0], time);
  const std::vector<double> b = seconds_of(rows[1], time);
  result.a_s = median(a);
  result.b_s = median(b);
  result.a_rows = a.size();
  result.b_rows = b.size();
  if (std::ranges::max(a) == 0 && std::ranges::max(b) == 0) {  // no work
    result.ratio = exact_ratio(1, 1);
    return result;
  }
  if (std::ranges::min(a) <= 0 || std::ranges::min(b) <= 0) {
    result.why = "a time is not above 0, so there is no ratio";
    result.ratio.ratio = std::nan("");
    return result;
  }
  if (rows[0].front()->exact) {
    result.ratio = exact_ratio(a.front(), b.front());
    return result;
  }
  if (problems.size() > 1) {
    result.ratio_with = [=](double alpha) { return ratio_of_problems(ratios, alpha); };
  } else {
    result.ratio_with = [=](double alpha) { return ratio_of_repetitions(a, b, alpha); };
  }
  result.ratio = result.ratio_with(usual_alpha);
  if (result.ratio.method != Method::none) return result;
  const auto stored_a = stored_median(rows[0], time);
  const auto stored_b = stored_median(rows[1], time);
  if (problems.size() == 1 && stored_a && stored_b) {
    result.ratio_with = [x = *stored_a, y = *stored_b](double alpha) {
      return ratio_of_stored(x, y, alpha);
    };
    result.ratio = result.ratio_with(usual_alpha);
    return result;
  }
  result.why = problems.size() > 1 ? "fewer than 6 problems in both" : "too few repetitions";
  return result;
}

/// Compares all times of one setting. Rows that no comparison uses are `alone`.
void compare_setting(const Values& parameters, const std::array<OfOne, 2>& rows,
                     Comparison& result) {
  std::map<std::string, ByProblem> by_time;
  for (std::size_t side = 0; side < 2; ++side) {
    for (const ComparedRow* row : rows[side]) {
      for (const auto& [time, stored] : row->times) {
        by_time[time][row->problem][side].push_back(row);
      }
    }
  }
  std::set<const ComparedRow*> used;
  for (auto& [time, all] : by_time) {
    std::erase_if(all, [](const auto& of) { return of.second[0].empty() || of.second[1].empty(); });
    if (all.empty()) continue;
    for (const auto& [problem, both] : all) {
      for (const OfOne& one : both) used.insert(one.begin(), one.end());
    }
    result.compared.push_back(compare_time(all, time));
    result.compared.back().parameters = parameters;
  }
  for (std::size_t side = 0; side < 2; ++side) {
    for (const ComparedRow* row : rows[side]) {
      if (!used.contains(row)) result.alone[side].push_back(row->description);
    }
  }
}

/// Judges all comparisons together, with alpha corrected for their number.
void judge(Comparison& result, double limit) {
  std::vector<double> same;
  for (const Compared& one : result.compared) {
    const Method method = one.ratio.method;
    if (method != Method::none && method != Method::exact) same.push_back(one.ratio.p_same);
  }
  result.judged = same.size();
  result.alpha = corrected_alpha(same);
  for (Compared& one : result.compared) {
    if (one.ratio.method == Method::none) continue;
    if (one.ratio.method != Method::exact) one.ratio = one.ratio_with(result.alpha);
    const Ratio& ratio = one.ratio;
    if (ratio.method == Method::none) {
      one.why = fmt::format("too few repetitions for {} comparisons", result.judged);
      continue;
    }
    one.verdict = ratio.low > limit ? Verdict::worse
                  : ratio.low > 1   ? Verdict::slower
                  : ratio.high < 1  ? Verdict::faster
                                    : Verdict::no_difference;
  }
}

}  // namespace

std::string_view name(Verdict verdict) {
  constexpr std::array<std::string_view, verdicts> names{"WORSE", "slower", "faster",
                                                         "no difference", "not judged"};
  return names.at(static_cast<std::size_t>(verdict));
}

std::size_t Comparison::count(Verdict verdict) const {
  return static_cast<std::size_t>(std::ranges::count(compared, verdict, &Compared::verdict));
}

Comparison compare(std::string file, Sides sides, double limit) {
  Comparison result;
  result.file = std::move(file);
  find_differing_parameters(sides, result);
  find_differing_conditions(sides, result);
  std::map<Values, std::array<OfOne, 2>> settings;
  for (std::size_t side = 0; side < 2; ++side) {
    for (ComparedRow& row : sides[side]) {
      if (row.status != Status::ok) {
        result.not_well[side].push_back(row.description);
        continue;
      }
      std::erase_if(row.parameters,
                    [&](const auto& own) { return result.differences.contains(own.first); });
      settings[row.parameters][side].push_back(&row);
    }
  }
  for (const auto& [parameters, rows] : settings) {
    compare_setting(parameters, rows, result);
  }
  judge(result, limit);
  return result;
}

namespace {

constexpr std::array sides{"A", "B"};

/// Returns the names of the parameters with several values. Lines omit the others.
std::set<std::string> varying(const Comparison& comparison) {
  Values first;
  std::set<std::string> names;
  for (const Compared& one : comparison.compared) {
    for (const auto& [name, value] : one.parameters) {
      if (first.emplace(name, value).first->second != value) names.insert(name);
    }
  }
  return names;
}

std::string told(const Compared& one, const std::set<std::string>& names) {
  std::string text;
  for (const auto& [name, value] : one.parameters) {
    if (!names.contains(name) || value.empty()) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, value);
  }
  return text;
}

std::string interval(const Ratio& ratio) {
  if (ratio.method == Method::none) return "";
  if (ratio.method == Method::exact) return "exact";
  return rounded(ratio.low, 3) + " … " + rounded(ratio.high, 3);
}

/// Returns `text` as a cell of a table, with bars escaped in Markdown.
std::string cell(const std::string& text, bool markdown) {
  std::string cell;
  for (const char c : one_line(text)) {
    if (markdown && c == '|') cell += '\\';
    cell += c;
  }
  return cell;
}

/// Counts the rows of each verdict by workload and balancer, or else by communicator.
std::string summary_table(const Comparison& comparison, const std::set<std::string>& varying,
                          bool markdown) {
  std::vector<std::string> names;
  for (const char* name : {"workload", "balancer"}) {
    if (varying.contains(name)) names.emplace_back(name);
  }
  if (names.empty() && varying.contains("communicator")) names.emplace_back("communicator");
  struct Summary {
    std::array<std::size_t, verdicts> counts{};
    std::vector<double> ratios;
  };
  std::map<Cells, Summary> summaries;
  for (const Compared& one : comparison.compared) {
    Cells values;
    for (const std::string& name : names) values.push_back(value_of(one.parameters, name));
    Summary& summary = summaries[values];
    ++summary.counts.at(static_cast<std::size_t>(one.verdict));
    if (!std::isnan(one.ratio.ratio)) summary.ratios.push_back(one.ratio.ratio);
  }
  std::vector<Cells> rows{names};
  for (std::size_t i = 0; i < verdicts; ++i) rows[0].emplace_back(name(static_cast<Verdict>(i)));
  rows[0].insert(rows[0].end(), {"median B / A", "worst"});
  for (const auto& [values, summary] : summaries) {
    Cells& cells = rows.emplace_back(values);
    for (std::string& text : cells) text = cell(text, markdown);
    for (const std::size_t number : summary.counts) cells.push_back(std::to_string(number));
    const auto& ratios = summary.ratios;
    cells.push_back(ratios.empty() ? "" : rounded(median(ratios), 3));
    cells.push_back(ratios.empty() ? "" : rounded(std::ranges::max(ratios), 3));
  }
  return text_table(rows, {0, names.size() > 1 ? 1U : 0U}, markdown);
}

/// Returns options --where that leave few rows: with the values of the last row.
std::string narrowing(const Comparison& comparison, const std::set<std::string>& varying) {
  std::vector<std::pair<std::string, std::size_t>> counts;
  for (const std::string& name : varying) {
    std::set<std::string> values;
    for (const Compared& one : comparison.compared) values.insert(value_of(one.parameters, name));
    counts.emplace_back(name, values.size());
  }
  // Balancers and communicators come last, so that they remain comparable if possible.
  std::ranges::stable_sort(counts, std::greater<>(), [](const auto& one) {
    const bool compared = one.first == "balancer" || one.first == "communicator";
    return compared ? 0 : one.second;
  });
  std::size_t left = comparison.compared.size();
  std::string conditions;
  for (const auto& [name, count] : counts) {
    if (left <= most_rows) break;
    const std::string value = value_of(comparison.compared.back().parameters, name);
    conditions += " --where " + quoted(name + "=" + value);
    left = (left + count - 1) / count;
  }
  return conditions;
}

std::string table(const std::vector<const Compared*>& order, const std::set<std::string>& varying,
                  bool markdown) {
  std::vector<Cells> rows{{"verdict", "B / A", "interval", "A", "B", "rows", "from", "time", "of"}};
  for (const Compared* one : order) {
    rows.push_back({std::string(name(one->verdict)), rounded(one->ratio.ratio, 3),
                    interval(one->ratio), in_fitting_unit(one->a_s), in_fitting_unit(one->b_s),
                    fmt::format("{}, {}", one->a_rows, one->b_rows),
                    one->why.empty() ? std::string(name(one->ratio.method)) : one->why, one->time,
                    cell(told(*one, varying), markdown)});
  }
  return text_table(rows, {0, 6, 7, 8}, markdown);
}

std::string table(const Comparison& comparison, const std::string& command, bool markdown) {
  const std::set<std::string> names = varying(comparison);
  std::vector<const Compared*> order;
  for (const Compared& one : comparison.compared) order.push_back(&one);
  std::ranges::stable_sort(order, {}, &Compared::verdict);  // the worst first
  if (order.size() <= most_rows) return table(order, names, markdown);

  std::string text = summary_table(comparison, names, markdown);
  constexpr std::size_t most_worse = 20;
  order.resize(std::min(most_worse, comparison.count(Verdict::worse)));
  if (!order.empty()) text += "\n" + table(order, names, markdown);
  const std::string_view indent = markdown ? "    " : "  ";
  return text + fmt::format(
                    "\nThe whole table has {} rows; this is a summary. To print a part of it, or "
                    "all rows:\n{}{}{}{}\n{}{} --format json\n",
                    comparison.compared.size(), markdown ? "\n" : "", indent, command,
                    narrowing(comparison, names), indent, command);
}

std::string list(const Comparison& comparison, bool markdown) {
  std::string text;
  const auto add = [&](std::size_t side, const std::vector<std::string>& rows,
                       std::string_view what) {
    if (rows.empty()) return;
    constexpr std::size_t most = 20;
    text += fmt::format("\n{} rows of {} {}, not compared:\n{}", rows.size(), sides.at(side), what,
                        markdown ? "\n" : "");
    for (const std::string& row : rows | std::views::take(most)) {
      text += fmt::format("- {}\n", one_line(row));
    }
    if (rows.size() > most) text += fmt::format("- … and {} more\n", rows.size() - most);
  };
  for (std::size_t side = 0; side < 2; ++side) {
    add(side, comparison.alone.at(side), "without partner");
    add(side, comparison.not_well.at(side), "that did not end well");
  }
  return text;
}

bool uses(const Comparison& comparison, Method method) {
  return std::ranges::any_of(comparison.compared,
                             [&](const Compared& one) { return one.ratio.method == method; });
}

std::string summary(const Comparison& comparison, double limit) {
  std::string text = fmt::format(
      "\n{} compared: {} worse (slower by more than {:.4g} %), {} slower, {} faster, {} without "
      "difference, {} not judged.\n",
      comparison.compared.size(), comparison.count(Verdict::worse), 100 * (limit - 1),
      comparison.count(Verdict::slower), comparison.count(Verdict::faster),
      comparison.count(Verdict::no_difference), comparison.count(Verdict::not_judged));
  if (comparison.judged > 0) {
    text += fmt::format(
        "{} judged statistically. Each interval has a confidence of {:.4g} %, which corrects for "
        "their\nnumber: of the intervals that exclude 1, about 5 % do so by chance "
        "(Benjamini-Hochberg).\n",
        comparison.judged, 100 * (1 - comparison.alpha));
  }
  if (uses(comparison, Method::stored)) {
    text +=
        "'stored': computed from intervals in the rows, because there are fewer than 4 "
        "repetitions; they do not\ninclude differences between launches.\n";
  }
  return text;
}

nlohmann::ordered_json json_of(const Compared& one) {
  nlohmann::ordered_json json{{"time", one.time},
                              {"parameters", one.parameters},
                              {"a_s", one.a_s},
                              {"b_s", one.b_s},
                              {"a_rows", one.a_rows},
                              {"b_rows", one.b_rows},
                              {"verdict", name(one.verdict)}};
  const Ratio& ratio = one.ratio;
  json["ratio"] = ratio.ratio;  // NaN becomes null
  json["method"] = name(ratio.method);
  if (ratio.method == Method::none) {
    json["why"] = one.why;
    return json;
  }
  json["low"] = ratio.low;
  json["high"] = ratio.high;
  json["p_same"] = ratio.p_same;
  return json;
}

}  // namespace

std::string as_text(const Comparison& comparison, double limit, const std::string& command,
                    bool markdown) {
  std::string text = fmt::format("{}{}\n", markdown ? "### " : "== ", comparison.file);
  if (markdown && !comparison.differences.empty()) text += "\n";
  for (const auto& [name, values] : comparison.differences) {
    const auto of = [&](std::size_t side) {
      return values.at(side).empty() ? std::string("none") : one_line(values.at(side));
    };
    text += fmt::format("{}differs: {}: A {}, B {}\n", markdown ? "- " : "", name, of(0), of(1));
  }
  text += "\n";
  if (!comparison.compared.empty()) text += table(comparison, command, markdown);
  return text + list(comparison, markdown) + summary(comparison, limit);
}

std::string as_json(std::span<const Comparison> all, const std::array<std::string, 2>& directories,
                    double limit) {
  nlohmann::ordered_json files = nlohmann::ordered_json::array();
  for (const Comparison& comparison : all) {
    nlohmann::ordered_json compared = nlohmann::ordered_json::array();
    for (const Compared& one : comparison.compared) compared.push_back(json_of(one));
    files.push_back({{"file", comparison.file},
                     {"differences", comparison.differences},
                     {"judged", comparison.judged},
                     {"confidence", 1 - comparison.alpha},
                     {"compared", compared},
                     {"alone_a", comparison.alone[0]},
                     {"alone_b", comparison.alone[1]},
                     {"not_well_a", comparison.not_well[0]},
                     {"not_well_b", comparison.not_well[1]}});
  }
  const nlohmann::ordered_json json{{"schema", schema},
                                    {"a", directories[0]},
                                    {"b", directories[1]},
                                    {"worse_above", limit},
                                    {"correction", "Benjamini-Hochberg"},
                                    {"files", files}};
  return json.dump(2) + "\n";
}

}  // namespace regroup
