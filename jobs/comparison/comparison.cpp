// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/comparison/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "kernel/files/user_error.hpp"

namespace regroup {
namespace {

using Sides = std::array<std::vector<ComparedRow>, 2>;
using OfOne = std::vector<const ComparedRow*>;

/// A value of each side; an empty one where it has no such parameter.
std::string value_of(const Values& values, const std::string& name) {
  const auto found = values.find(name);
  return found == values.end() ? "" : found->second;
}

/// Those that are one on each side, and not the same one. Seeds and repetitions of virtual time are
/// never ignored: different ones are different runs.
void find_differing_parameters(const Sides& sides, Comparison& result) {
  std::array<std::map<std::string, std::set<std::string>>, 2> values;
  std::set<std::string> names;
  for (const auto& rows : sides) {
    for (const ComparedRow& row : rows) {
      for (const auto& [name, value] : row.parameters) names.insert(name);
    }
  }
  for (const std::string& name : names) {
    if (name == "seed" || name == "repetition") continue;
    for (std::size_t side = 0; side < 2; ++side) {
      for (const ComparedRow& row : sides[side]) {
        values[side][name].insert(value_of(row.parameters, name));
      }
    }
    const auto& [a, b] = values;
    if (a.at(name).size() == 1 && b.at(name).size() == 1 && a.at(name) != b.at(name)) {
      result.differences[name] = {*a.at(name).begin(), *b.at(name).begin()};
    }
  }
}

/// Conditions follow ranks and engines: more ranks may take more nodes. Else each side must have
/// one, or nobody could tell what made the difference.
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
          throw UserError(fmt::format(
              "{} holds results of several values of '{}': '{}' and '{}'; compare directories that "
              "have one each",
              side == 0 ? "A" : "B", name, place->second, value));
        }
        if (!value.empty()) values[side][name].insert(value);
      }
      if (!row.placement.empty()) values[side]["placement"].insert(row.placement);
    }
  }
  const auto told = [](const std::set<std::string>& all) {
    if (all.size() > 3) return fmt::format("{} of them", all.size());
    std::string text;
    for (const std::string& one : all) text += (text.empty() ? "" : ", ") + one;
    return text;
  };
  for (const auto& name :
       {"mpi_library", "regroup_version", "waited", "cores", "nodes", "invocation", "placement"}) {
    if (values[0][name] == values[1][name]) continue;
    result.differences[name] = {told(values[0][name]), told(values[1][name])};
  }
}

std::vector<double> seconds_of(const OfOne& rows, const std::string& time) {
  std::vector<double> all;
  for (const ComparedRow* row : rows) all.push_back(row->times.at(time).seconds);
  return all;
}

/// The median of medians, and what all of their intervals cover.
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

/// The rows of one setting that have the time. All of them had problems that both sides had.
Compared compare_time(const ByProblem& problems, const std::string& time, double limit) {
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
  if (std::ranges::min(a) <= 0 || std::ranges::min(b) <= 0) {
    result.why = "a time is not above 0: there is no ratio";
    result.ratio.ratio = std::nan("");
    return result;
  }
  if (rows[0].front()->exact) {
    result.ratio = exact_ratio(a.front(), b.front());
    return result;
  }
  result.ratio =
      problems.size() > 1 ? ratio_of_problems(ratios, limit) : ratio_of_repetitions(a, b, limit);
  if (result.ratio.method != Method::none) return result;
  const auto stored_a = stored_median(rows[0], time);
  const auto stored_b = stored_median(rows[1], time);
  if (problems.size() == 1 && stored_a && stored_b) {
    result.ratio = ratio_of_stored(*stored_a, *stored_b, limit);
    return result;
  }
  result.why = problems.size() > 1 ? "fewer than 6 problems in both" : "too few repetitions";
  return result;
}

/// What both sides have of one setting.
void compare_setting(const Values& parameters, const std::array<OfOne, 2>& rows, double limit,
                     Comparison& result) {
  std::map<std::string, ByProblem> by_time;
  std::set<std::string> problems;
  for (std::size_t side = 0; side < 2; ++side) {
    for (const ComparedRow* row : rows[side]) {
      for (const auto& [time, stored] : row->times) {
        by_time[time][row->problem][side].push_back(row);
      }
    }
  }
  std::array<std::set<const ComparedRow*>, 2> used;
  for (auto& [time, all] : by_time) {
    std::erase_if(all, [](const auto& of) { return of.second[0].empty() || of.second[1].empty(); });
    if (all.empty()) continue;
    for (const auto& [problem, both] : all) {
      for (std::size_t side = 0; side < 2; ++side)
        used[side].insert(both[side].begin(), both[side].end());
    }
    result.compared.push_back(compare_time(all, time, limit));
    result.compared.back().parameters = parameters;
  }
  for (std::size_t side = 0; side < 2; ++side) {
    for (const ComparedRow* row : rows[side]) {
      if (!used[side].contains(row)) result.alone[side].push_back(row->told);
    }
  }
}

/// Judges all together: of many comparisons some differ by chance.
void judge(Comparison& result, double limit) {
  std::vector<double> same;
  std::vector<double> worse;
  for (const Compared& one : result.compared) {
    if (one.ratio.method == Method::none || one.ratio.method == Method::exact) continue;
    same.push_back(one.ratio.p_same);
    worse.push_back(one.ratio.p_worse);
  }
  result.judged = same.size();
  const std::vector<bool> differs = discoveries(same);
  const std::vector<bool> is_worse = discoveries(worse);
  std::size_t next = 0;
  for (Compared& one : result.compared) {
    const Ratio& ratio = one.ratio;
    if (ratio.method == Method::none) continue;
    const bool exact = ratio.method == Method::exact;
    const bool real = exact ? ratio.ratio != 1 : differs[next];
    const bool beyond = exact ? ratio.ratio > limit : is_worse[next] && ratio.low > limit;
    if (!exact) ++next;
    one.verdict = beyond            ? Verdict::worse
                  : !real           ? Verdict::no_difference
                  : ratio.ratio > 1 ? Verdict::slower
                                    : Verdict::faster;
  }
}

}  // namespace

std::string_view name(Verdict verdict) {
  constexpr std::array<std::string_view, 5> names{"WORSE", "slower", "faster", "no difference",
                                                  "not judged"};
  return names.at(static_cast<std::size_t>(verdict));
}

std::size_t Comparison::count(Verdict verdict) const {
  return static_cast<std::size_t>(std::ranges::count(compared, verdict, &Compared::verdict));
}

Comparison compare(std::string_view kind, Sides sides, double limit) {
  Comparison result;
  result.kind = kind;
  find_differing_parameters(sides, result);
  find_differing_conditions(sides, result);
  std::map<Values, std::array<OfOne, 2>> settings;
  for (std::size_t side = 0; side < 2; ++side) {
    for (ComparedRow& row : sides[side]) {
      if (row.status != Status::ok) {
        result.not_well[side].push_back(row.told);
        continue;
      }
      std::erase_if(row.parameters,
                    [&](const auto& own) { return result.differences.contains(own.first); });
      settings[row.parameters][side].push_back(&row);
    }
  }
  for (const auto& [parameters, rows] : settings) {
    compare_setting(parameters, rows, limit, result);
  }
  judge(result, limit);
  return result;
}

}  // namespace regroup
