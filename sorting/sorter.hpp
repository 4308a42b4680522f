// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstddef>
#include <memory>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "regroup/groups.hpp"
#include "regroup/waiter.hpp"
#include "sorting/level.hpp"

namespace regroup::sorting {

/// A group that has just been divided: its communicator, and the ranks of its parts, of all ranks;
/// nothing where a part is one or two ranks, which need no communicator.
struct Division {
  Link& link;
  RankRange ranks;
  std::array<std::optional<RankRange>, 2> parts;
  int level;
};

/// The communicators of a division's parts, as far as the caller is in them.
using PartLinks = std::array<std::optional<Link>, 2>;

/// Janus Quicksort on one rank. `links` makes communicators: links.all() that of all ranks,
/// links.first(ranks) that of the first ones, called by all ranks, and links.parts(Division),
/// called by all ranks of the group, those of its parts.
///
/// A rank is in two groups at a time, at most, since places are in a row: on the border of both. It
/// looks at both in turn, and waits for none alone. Of two groups that are to be divided at the
/// same time it takes the right one first, and in a division that it is on the border of, the left
/// part: in a row of groups, every other such rank thus begins on its left, and the others on their
/// right, so that each group has all its ranks in the first or the second turn (the alternating
/// schedule; if all began on the left, each group would wait for the one before). Nor can there be
/// a deadlock: of two groups with a common rank the one that it is in does not wait for the other,
/// and a row has no circle.
template <class T, class Links>
class Sorter {
  static_assert(std::is_trivially_copyable_v<T>, "elements are sent as bytes");
  static_assert(
      requires(const T& one, const T& other) { static_cast<bool>(one < other); },
      "elements are compared by <");

 public:
  Sorter(Links& links, const Waiter& waiter, const SortOptions& options)
      : links_(links), waiter_(waiter), options_(options), world_(links.all()) {}

  SortFacts sort(std::vector<T>& data) {
    Task<T> whole{{}, balanced(data), 1};
    facts_.fewest_elements = facts_.most_elements = static_cast<long long>(whole.elements.size());
    const int ranks = static_cast<int>(std::min<long long>(slots_.all().size(), world_.size()));
    whole.places = slots_.all();
    begin(std::move(whole), ranks);
    while (!levels_.empty()) {
      waiter_.until([&] {
        bool further = false;
        for (const auto& level : levels_) further |= level->advance();
        return further;
      });
      divide_those_done();
    }
    finish(data);
    return facts_;
  }

 private:
  int rank() const { return world_.rank(); }
  bool joins(const Interval& places) const { return !common(places, slots_.of(rank())).empty(); }
  RankRange ranks_of(const Interval& places) const {
    return {slots_.first_of(places), slots_.last_of(places)};
  }

  void wait(Pending pending) {
    waiter_.until([&] { return pending.test(); });
  }

  /// What the caller has of the elements when each rank has its share of them, in no order.
  Buffer<T> balanced(const std::vector<T>& data) {
    const long long mine = static_cast<long long>(data.size());
    const std::array<long long, 2> bounds{mine, -mine};
    std::array<long long, 2> most{};
    wait(world_.allmax(bounds.data(), most.data(), 2));
    if (most[0] == -most[1]) {
      set_slots(mine * world_.size());
      return Buffer<T>(data.begin(), data.end());
    }
    long long before = 0;
    wait(world_.exscan(&mine, &before, 1));
    long long all = before + mine;
    wait(world_.bcast(&all, 1, MPI_LONG_LONG, world_.size() - 1));
    set_slots(all);
    Exchange<T> exchange;
    exchange.start(world_, type_.get(), small_tag, data.data(),
                   pieces_in_order(slots_, {before, before + mine}), 0, slots_.of(rank()).size());
    waiter_.until([&] { return exchange.advance(); });
    facts_.bytes_sent += exchange.bytes_sent();
    return std::move(exchange.received());
  }

  void set_slots(long long n) {
    slots_ = Slots(n, world_.size());
    if (slots_.fewest() >= INT_MAX) {
      throw std::length_error("a rank can sort fewer than 2^31 - 1 elements");
    }
  }

  void begin(Task<T> whole, int ranks) {
    if (ranks <= 2) {
      if (ranks > 0 && joins(whole.places)) pairs_.push_back(std::move(whole));
      return;
    }
    if (ranks == world_.size()) return start(std::move(whole), links_.all());
    const double began = MPI_Wtime();
    std::optional<Link> link = links_.first(ranks);
    facts_.creation_s += MPI_Wtime() - began;
    if (link) start(std::move(whole), std::move(*link));
  }

  void start(Task<T> task, Link link) {
    facts_.levels = std::max(facts_.levels, task.level);
    levels_.push_back(std::make_unique<Level<T>>(std::move(task), std::move(link), slots_, rank(),
                                                 type_.get(), options_));
  }

  void divide_those_done() {
    std::vector<std::unique_ptr<Level<T>>> done;
    for (auto& level : levels_) {
      if (level->done()) done.push_back(std::move(level));
    }
    std::erase(levels_, nullptr);
    std::ranges::sort(done, std::ranges::greater{},
                      [](const auto& level) { return level->task().places.begin; });
    // Told before any of them is divided: until then each holds what it has.
    long long held = 0;
    for (const auto& each : levels_) held += each->held();
    for (const auto& each : done) held += each->held();
    for (const auto& each : pairs_) held += static_cast<long long>(each.elements.size());
    for (const auto& level : done) tell(*level, held);
    for (const auto& level : done) divide(*level);
  }

  void divide(Level<T>& level) {
    if (level.all_equal()) {
      pairs_.push_back({common(level.task().places, slots_.of(rank())), std::move(level.elements()),
                        level.task().level});
      return;
    }
    Division division{level.link(), ranks_of(level.task().places), {}, level.task().level};
    for (const int part : {0, 1}) {
      const RankRange ranks = ranks_of(level.places(part));
      if (ranks.size() > 2) division.parts[static_cast<std::size_t>(part)] = ranks;
    }
    const double began = MPI_Wtime();
    PartLinks links = links_.parts(division, rank());
    facts_.creation_s += MPI_Wtime() - began;
    for (const int part : {0, 1}) {
      if (!joins(level.places(part))) continue;
      Task<T> task{level.places(part), std::move(level.part(part).received()),
                   level.task().level + 1};
      std::optional<Link>& link = links[static_cast<std::size_t>(part)];
      if (link) {
        start(std::move(task), std::move(*link));
      } else {
        pairs_.push_back(std::move(task));
      }
    }
  }

  void tell(Level<T>& level, long long held) {
    facts_.fewest_elements = std::min(facts_.fewest_elements, held);
    facts_.most_elements = std::max(facts_.most_elements, held);
    facts_.bytes_sent += level.bytes_sent();
    LevelReport report;
    report.level = level.task().level;
    report.places = level.task().places.size();
    report.small = level.places(0).size();
    const RankRange ranks = ranks_of(level.task().places);
    report.first = ranks.lo;
    report.last = ranks.hi;
    report.elements = held;
    for (const std::size_t part : {0, 1}) {
      const Exchange<T>& exchange = level.part(static_cast<int>(part));
      facts_.bytes_sent += exchange.bytes_sent();
      report.messages_received[part] = exchange.messages_received();
      report.messages_sent[part] = exchange.messages_sent();
      if (!level.places(static_cast<int>(part)).empty()) {
        report.targets[part] = ranks_of(level.places(static_cast<int>(part))).size();
      }
    }
    const auto both = [](const std::array<long long, 2>& of) { return of[0] + of[1]; };
    facts_.most_messages_received =
        std::max(facts_.most_messages_received, both(report.messages_received));
    facts_.most_messages_sent = std::max(facts_.most_messages_sent, both(report.messages_sent));
    if (options_.after_level) options_.after_level(report);
  }

  /// The tasks of one rank or two, which are left. Each rank sorts what it has; of two, each sends
  /// the other all of it, and keeps the smaller or the larger elements.
  void finish(std::vector<T>& data) {
    std::ranges::sort(pairs_, {}, [](const Task<T>& task) { return task.places.begin; });
    std::vector<Buffer<T>> others(pairs_.size());
    std::vector<Pending> pending;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      if (ranks_of(pairs_[i].places).size() == 2) exchange_pair(pairs_[i], others[i], pending);
    }
    // What the caller has alone comes last, while messages are under way.
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      if (others[i].empty()) sort_own(pairs_[i]);
    }
    waiter_.until([&] {
      bool all = true;
      for (Pending& each : pending) all &= each.test();
      return all;
    });
    data.clear();
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      Buffer<T>& elements = pairs_[i].elements;
      if (!others[i].empty()) elements = own_part(pairs_[i], others[i]);
      data.insert(data.end(), elements.begin(), elements.end());
    }
  }

  void sort_own(Task<T>& task) { std::sort(task.elements.begin(), task.elements.end()); }

  bool is_left(const Task<T>& task) const { return slots_.first_of(task.places) == rank(); }

  void exchange_pair(Task<T>& task, Buffer<T>& others, std::vector<Pending>& pending) {
    const auto count = static_cast<int>(task.elements.size());
    const int other = rank() + (is_left(task) ? 1 : -1);
    others.resize(static_cast<std::size_t>(task.places.size()) - task.elements.size());
    pending.push_back(world_.receive(others.data(), static_cast<int>(others.size()), type_.get(),
                                     other, pair_tag));
    sort_own(task);
    pending.push_back(world_.send(task.elements.data(), count, type_.get(), other, pair_tag));
    facts_.bytes_sent += count * static_cast<long long>(sizeof(T));
  }

  /// The smaller or the larger elements of both ranks. Of equal ones those of the left rank are the
  /// smaller, on both, so that each is kept by one of them.
  Buffer<T> own_part(const Task<T>& task, const Buffer<T>& others) const {
    const Buffer<T>& own = task.elements;
    Buffer<T> part(own.size());
    if (is_left(task)) {
      merge_some<T>(own.begin(), others.begin(), others.end(), part.begin(), part.size(),
                    [](const T& one, const T& other) { return one < other; });
    } else {
      merge_some<T>(own.rbegin(), others.rbegin(), others.rend(), part.rbegin(), part.size(),
                    [](const T& one, const T& other) { return other < one; });
    }
    return part;
  }

  Links& links_;
  const Waiter& waiter_;
  const SortOptions& options_;
  Link world_;
  ElementType type_{static_cast<int>(sizeof(T))};
  Slots slots_{0, 1};
  std::vector<std::unique_ptr<Level<T>>> levels_;
  std::vector<Task<T>> pairs_;
  SortFacts facts_;
};

}  // namespace regroup::sorting
