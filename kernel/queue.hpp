// SPDX-License-Identifier: BSD-3-Clause
//
// Walkers that wait at the start of a run.
//
// A run may have more walkers than groups. Those that groups begin with are named by their group's
// lowest rank, and the others in the same way as though there were more ranks (walker_names.hpp):
// with G ranks in each group, walker i is named i · G. They wait in a queue until a group that is
// done with its own walker takes up the next; which one is its balancer's choice. Balancers that
// ask nobody deal the queue like cards: the groups of the start each have a line of their own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace regroup {

/// A walker that waits.
struct Task {
  int walker = 0;
  std::int64_t items = 0;
  int wants = 1;  ///< ranks that it would like to have; only some balancers heed it
  friend bool operator==(const Task&, const Task&) = default;
};

class Queue {
 public:
  /// Nobody waits.
  Queue() = default;
  /// `tasks` by their walkers, ascending; those of one line are `turn` apart.
  Queue(std::vector<Task> tasks, int turn) : tasks_(std::move(tasks)), turn_(turn) {}

  bool empty() const { return tasks_.empty(); }
  std::span<const Task> tasks() const { return tasks_; }

  /// Nobody where `walker` does not wait at the start.
  const Task* find(int walker) const {
    const auto found = std::ranges::lower_bound(tasks_, walker, {}, &Task::walker);
    return found != tasks_.end() && found->walker == walker ? &*found : nullptr;
  }

  /// The next in the line of `walker`; nobody where it is the last.
  const Task* after(int walker) const {
    const bool none = walker < 0 || tasks_.empty() || walker > tasks_.back().walker - turn_;
    return none ? nullptr : find(walker + turn_);
  }

  /// Items of all that are behind `walker` in its line.
  std::int64_t items_after(int walker) const {
    std::int64_t items = 0;
    while (const Task* task = after(walker)) {
      items += task->items;
      walker = task->walker;
    }
    return items;
  }

 private:
  std::vector<Task> tasks_;
  int turn_ = 0;
};

inline const Queue nobody_waits;

/// Who of a queue has not been taken up.
class StillWaiting {
 public:
  explicit StillWaiting(const Queue& queue) : queue_(&queue), waits_(queue.tasks().size(), true) {}

  bool nobody() const { return std::ranges::find(waits_, true) == waits_.end(); }

  bool has(int walker, std::int64_t items) const {
    const Task* task = queue_->find(walker);
    return task != nullptr && task->items == items && waits_[place(*task)];
  }

  /// `walker` has begun, who may never have waited.
  void take(int walker) {
    if (const Task* task = queue_->find(walker)) waits_[place(*task)] = false;
  }

  const std::vector<bool>& all() const { return waits_; }

 private:
  std::size_t place(const Task& task) const {
    return static_cast<std::size_t>(&task - queue_->tasks().data());
  }

  const Queue* queue_;
  std::vector<bool> waits_;  // in the order of the queue
};

inline const StillWaiting nobody_is_left{nobody_waits};

}  // namespace regroup
