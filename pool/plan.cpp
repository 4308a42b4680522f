// SPDX-License-Identifier: BSD-3-Clause
#include "pool/plan.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <queue>
#include <utility>

namespace regroup {
namespace {

/// Builds a plan by placing tasks of given widths on groups.
class Layout {
 public:
  Layout(const TaskTimes& times, const std::vector<int>& set_of, double overhead_s)
      : times_(times), set_of_(set_of), overhead_s_(overhead_s), free_at_(set_of.size(), 0) {
    plan_.queues.resize(static_cast<std::size_t>(1 + std::ranges::max(set_of)));
  }

  double seconds(int task, int width) const {
    const double alone = times_.expected(static_cast<std::size_t>(task));
    return width == 1 ? alone : alone / times_.speedup(width) + overhead_s_;
  }

  /// Places `task` on the groups on which it can begin first.
  void add_wide(int task, int width) {
    const int groups = static_cast<int>(free_at_.size());
    int best = 0;
    double best_s = std::numeric_limits<double>::max();
    for (int first = 0; first + width <= groups; first += width) {
      const double begins =
          *std::max_element(free_at_.begin() + first, free_at_.begin() + first + width);
      if (begins < best_s) {
        best_s = begins;
        best = first;
      }
    }
    std::fill_n(free_at_.begin() + best, width, best_s + seconds(task, width));
    plan_.wide.push_back({task, best, width});
  }

  /// Appends each task to the queue of the set whose group is free first.
  void add_narrow(const std::vector<int>& tasks) {
    using Free = std::pair<double, std::size_t>;
    std::priority_queue<Free, std::vector<Free>, std::greater<>> next;
    for (std::size_t i = 0; i < free_at_.size(); ++i) next.emplace(free_at_[i], i);
    for (const int task : tasks) {
      const auto [at, group] = next.top();
      next.pop();
      free_at_[group] = at + seconds(task, 1);
      next.emplace(free_at_[group], group);
      plan_.queues[static_cast<std::size_t>(set_of_[group])].push_back(task);
    }
  }

  PoolPlan finished() {
    plan_.expected_s = std::ranges::max(free_at_);
    return std::move(plan_);
  }

 private:
  const TaskTimes& times_;
  const std::vector<int>& set_of_;
  double overhead_s_;
  std::vector<double> free_at_;  // of each group
  PoolPlan plan_;
};

class Planner {
 public:
  Planner(int tasks, const TaskTimes& times, const std::vector<int>& set_of, double overhead_s)
      : times_(times),
        set_of_(set_of),
        overhead_s_(overhead_s),
        order_(static_cast<std::size_t>(tasks)) {
    std::iota(order_.begin(), order_.end(), 0);
    std::ranges::stable_sort(order_, std::greater(), [&](int task) { return expected(task); });
    for (int width = 1; width < groups(); width *= 2) widths_.push_back(width);
    widths_.push_back(groups());
  }

  PoolPlan best() const {
    if (order_.empty()) return Layout(times_, set_of_, overhead_s_).finished();
    if (static_cast<int>(order_.size()) < groups() && !knows_speedup()) return divided();
    const std::optional<int> tried = trial_task();
    PoolPlan best = with_limit(no_limit, tried);
    const double longest = expected(order_.front());
    const double shortest = expected(order_.back());
    if (shortest <= 0 || groups() == 1) return best;
    constexpr double step = 1.2;
    for (double limit = longest / step; limit > shortest / (step * groups()); limit /= step) {
      PoolPlan other = with_limit(limit, tried);
      constexpr double clearly = 0.98;  // expected times are not exact
      if (other.expected_s < clearly * best.expected_s) best = std::move(other);
    }
    return best;
  }

 private:
  int groups() const { return static_cast<int>(set_of_.size()); }
  double expected(int task) const { return times_.expected(static_cast<std::size_t>(task)); }

  static constexpr double no_limit = std::numeric_limits<double>::max();
  static constexpr std::size_t comparisons_wanted = 3;
  bool knows_speedup() const { return times_.comparisons(groups()) >= comparisons_wanted; }

  /// Plans fewer tasks than groups: all get the same width, as groups would be idle otherwise.
  PoolPlan divided() const {
    Layout layout(times_, set_of_, overhead_s_);
    const int most = groups() / static_cast<int>(order_.size());
    const int width = *std::prev(std::ranges::upper_bound(widths_, most));
    if (width == 1) {
      layout.add_narrow(order_);
    } else {
      for (const int task : order_) layout.add_wide(task, width);
    }
    return layout.finished();
  }

  /// Returns the longest task that measures the speed-up and costs little time even without one.
  std::optional<int> trial_task() const {
    if (groups() == 1 || knows_speedup() || !times_.in_seconds()) return std::nullopt;
    constexpr double most = 1.15;           // of the time of the round
    constexpr double least_overheads = 10;  // shorter tasks would show the overhead
    const double usual_s = with_limit(no_limit, std::nullopt).expected_s;
    for (const int task : order_) {
      if (expected(task) < least_overheads * overhead_s_) break;
      if (!times_.comparable(static_cast<std::size_t>(task))) continue;
      if (with_limit(no_limit, task).expected_s <= most * usual_s) return task;
    }
    return std::nullopt;
  }

  PoolPlan with_limit(double limit, std::optional<int> tried) const {
    Layout layout(times_, set_of_, overhead_s_);
    std::vector<int> narrow;
    if (tried) layout.add_wide(*tried, groups());
    std::vector<std::pair<int, int>> wide;  // width, task
    for (const int task : order_) {
      if (task == tried) continue;
      const int width = width_of(task, limit, layout);
      if (width == 1) {
        narrow.push_back(task);
      } else {
        wide.emplace_back(width, task);
      }
    }
    std::ranges::stable_sort(wide, std::greater(), &std::pair<int, int>::first);
    for (const auto& [width, task] : wide) layout.add_wide(task, width);
    layout.add_narrow(narrow);
    return layout.finished();
  }

  /// Returns the smallest width with which `task` takes at most `limit`, or the fastest width.
  int width_of(int task, double limit, const Layout& layout) const {
    int fastest = 1;
    for (const int width : widths_) {
      if (layout.seconds(task, width) <= limit) return width;
      if (layout.seconds(task, width) < layout.seconds(task, fastest)) fastest = width;
    }
    return fastest;
  }

  const TaskTimes& times_;
  const std::vector<int>& set_of_;
  double overhead_s_;
  std::vector<int> order_;   // the longest task first
  std::vector<int> widths_;  // that are tried
};

}  // namespace

PoolPlan plan(int tasks, const TaskTimes& times, const std::vector<int>& set_of,
              double overhead_s) {
  return Planner(tasks, times, set_of, overhead_s).best();
}

}  // namespace regroup
