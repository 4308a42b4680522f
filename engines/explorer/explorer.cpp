// SPDX-License-Identifier: BSD-3-Clause
#include "engines/explorer/explorer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <iterator>
#include <optional>
#include <unordered_map>

namespace regroup {
namespace {

using State = std::uint32_t;  // index of a state, in the order in which states are found

/// A breadth-first search, so that the first path to a state is a shortest one. Stores a
/// RunWithoutTime only until its steps have been taken, and then only its key.
class Search {
 public:
  Search(const Balancer& prototype, std::span<const std::vector<std::int64_t>> starts,
         int group_size, ExplorerSetup behind)
      : prototype_(prototype), starts_(starts), group_size_(group_size), behind_(behind) {}

  Exploration run() {
    for (const auto& items : starts_) {
      const auto root = static_cast<State>(parents_.size());
      find(RunWithoutTime(prototype_, items, group_size_, behind_), root);
    }
    for (State state = 0; !frontier_.empty() && !result_.violation; ++state) {
      expand(state);
    }
    result_.states = parents_.size();
    result_.steps = successors_.size();
    if (!result_.violation) look_for_traps();
    return std::move(result_);
  }

 private:
  /// Returns the index of `world`. If the state is new, it was reached from `parent`.
  State find(RunWithoutTime world, State parent) {
    const auto [place, is_new] =
        numbers_.try_emplace(world.key(), static_cast<State>(parents_.size()));
    if (is_new) {
      parents_.push_back(parent);
      frontier_.push_back(std::move(world));
    }
    return place->second;
  }

  /// Returns the state after `step` from `world`, which is `state`; nothing if `step` is invalid.
  std::optional<State> take(const Step& step, const RunWithoutTime& world, State state) {
    RunWithoutTime next = world;
    try {
      next.take(step);
    } catch (const ContractViolation& broken) {
      result_.violation = told(state, &step, broken.what());
      return std::nullopt;
    }
    return find(std::move(next), state);
  }

  void expand(State state) {
    const RunWithoutTime world = std::move(frontier_.front());
    frontier_.pop_front();
    const std::size_t first = successors_.size();
    first_successor_.push_back(first);
    for (const Step& step : world.steps()) {
      const std::optional<State> taken = take(step, world, state);
      if (!taken) return;
      const State to = *taken;
      const auto known = successors_.begin() + static_cast<std::ptrdiff_t>(first);
      if (std::find(known, successors_.end(), to) == successors_.end()) successors_.push_back(to);
    }
    for (const Step& step : world.losses()) {
      if (!take(step, world, state)) return;
    }
    if (world.finished()) finals_.push_back(state);
  }

  /// Searches backwards from the final states; states that it does not reach are traps.
  void look_for_traps() {
    result_.finals = finals_.size();
    first_successor_.push_back(successors_.size());
    const std::size_t states = parents_.size();
    std::vector<std::size_t> first_predecessor(states + 1, 0);
    for (const State to : successors_) ++first_predecessor[to + 1];
    for (std::size_t i = 0; i < states; ++i) first_predecessor[i + 1] += first_predecessor[i];
    std::vector<State> predecessors(successors_.size());
    std::vector<std::size_t> next = first_predecessor;
    for (State from = 0; from < states; ++from) {
      for (std::size_t i = first_successor_[from]; i < first_successor_[from + 1]; ++i) {
        predecessors[next[successors_[i]]++] = from;
      }
    }

    std::vector<bool> ends(states, false);
    for (const State state : finals_) ends[state] = true;
    for (std::vector<State> open = finals_; !open.empty();) {
      const State state = open.back();
      open.pop_back();
      for (std::size_t i = first_predecessor[state]; i < first_predecessor[state + 1]; ++i) {
        if (ends[predecessors[i]]) continue;
        ends[predecessors[i]] = true;
        open.push_back(predecessors[i]);
      }
    }
    report_trap(ends);
  }

  /// Prefers a deadlock to other traps, since it shows the error more clearly.
  void report_trap(const std::vector<bool>& ends) {
    std::optional<State> trap;
    for (State state = 0; state < ends.size(); ++state) {
      if (ends[state]) continue;
      if (first_successor_[state] == first_successor_[state + 1]) {
        result_.violation = told(state, nullptr, "nothing can happen any more");
        return;
      }
      if (!trap) trap = state;
    }
    if (trap) result_.violation = told(*trap, nullptr, "from here on not everybody can stop");
  }

  /// Returns `wrong` and a description of the path to `state`, followed by `last` if given.
  std::string told(State state, const Step* last, std::string_view wrong) const {
    std::vector<State> way{state};
    while (parents_[way.back()] != way.back()) way.push_back(parents_[way.back()]);
    RunWithoutTime world(prototype_, start_of(way.back()), group_size_, behind_);
    RunWithoutTime::Log log = world.words();
    log.insert(log.begin(), "at the start:");
    log.push_back("and then:");
    for (auto to = way.rbegin() + 1; to != way.rend(); ++to) step_to(*to, world, log);
    if (last != nullptr) {
      try {
        world.take(*last, &log);
      } catch (const ContractViolation&) {
      }
    } else {
      log.push_back("in the end:");
      std::ranges::copy(world.words(), std::back_inserter(log));
    }
    return fmt::format("{}\n{}\n", wrong, fmt::join(log, "\n"));
  }

  const std::vector<std::int64_t>& start_of(State root) const {
    return *std::ranges::find_if(starts_, [&](const auto& items) {
      return numbers_.at(RunWithoutTime(prototype_, items, group_size_, behind_).key()) == root;
    });
  }

  void step_to(State state, RunWithoutTime& world, RunWithoutTime::Log& log) const {
    std::vector<Step> steps = world.steps();
    std::ranges::copy(world.losses(), std::back_inserter(steps));
    for (const Step& step : steps) {
      RunWithoutTime next = world;
      RunWithoutTime::Log line;
      next.take(step, &line);
      const auto found = numbers_.find(next.key());
      if (found == numbers_.end() || found->second != state) continue;
      std::ranges::move(line, std::back_inserter(log));
      world = std::move(next);
      return;
    }
  }

  const Balancer& prototype_;
  std::span<const std::vector<std::int64_t>> starts_;
  int group_size_;
  ExplorerSetup behind_;
  std::unordered_map<std::string, State> numbers_;  // by key
  std::vector<State> parents_;                      // a start is its own parent
  std::vector<State> successors_;                   // of state 0, of state 1, …
  std::vector<std::size_t> first_successor_;
  std::vector<State> finals_;
  std::deque<RunWithoutTime> frontier_;  // found, but not yet expanded
  Exploration result_;
};

}  // namespace

Exploration explore(const Balancer& prototype, std::span<const std::vector<std::int64_t>> starts,
                    int group_size, ExplorerSetup behind) {
  return Search(prototype, starts, group_size, behind).run();
}

std::vector<std::vector<std::int64_t>> all_starts(int groups, std::int64_t most) {
  std::vector<std::vector<std::int64_t>> starts{{}};
  for (int group = 0; group < groups; ++group) {
    std::vector<std::vector<std::int64_t>> longer;
    for (const auto& start : starts) {
      for (std::int64_t items = 0; items <= most; ++items) {
        longer.push_back(start);
        longer.back().push_back(items);
      }
    }
    starts = std::move(longer);
  }
  return starts;
}

}  // namespace regroup
