// SPDX-License-Identifier: BSD-3-Clause
#include "engines/virtual/losses.hpp"

#include <algorithm>
#include <optional>
#include <ranges>

namespace regroup {

Losses::Losses(std::span<const Fault> faults) {
  for (const Fault& fault : faults) {
    if (!fault.loses_rank()) {
      slow_.emplace_back(fault.rank, fault.factor);
    } else if (fault.at_item > 0) {
      counted_.push_back({fault.rank, fault.at_item, 0});
    } else if (fault.at_s < seconds(last_tick) / 2) {
      add({fault.rank, ticks(fault.at_s)});
    }
  }
}

void Losses::add(Loss loss) {
  timed_.insert(std::ranges::upper_bound(timed_, loss.at, {}, &Loss::at), loss);
}

Losses::Loss Losses::take() {
  const Loss loss = timed_.front();
  timed_.erase(timed_.begin());
  lost_.push_back(loss);
  std::vector<RankRange> ranges(lost_ranks_.ranges().begin(), lost_ranks_.ranges().end());
  ranges.push_back({loss.rank, loss.rank});
  lost_ranks_ = RankSet::of(std::move(ranges));
  return loss;
}

std::int64_t Losses::items_before(const RankSet& group, std::int64_t items, Ticks at) {
  for (Counted& counted : counted_) {
    if (group.contains(counted.rank)) {
      items = std::min(items, counted.at_item - 1 - counted.executed);
    }
  }
  if (items > 0) return items;
  std::erase_if(counted_, [&](const Counted& counted) {
    const bool now = group.contains(counted.rank) && counted.executed + 1 == counted.at_item;
    if (now) add({counted.rank, at});
    return now;
  });
  return 0;
}

void Losses::executed(const RankSet& group, std::int64_t items) {
  for (Counted& counted : counted_) {
    if (group.contains(counted.rank)) counted.executed += items;
  }
}

double Losses::slowness(const RankSet& group) const {
  double most = 1;
  for (const auto& [rank, factor] : slow_) {
    if (group.contains(rank)) most = std::max(most, factor);
  }
  return most;
}

Losses Losses::among(std::span<const int> left) const {
  const auto number = [&](int rank) -> std::optional<int> {
    const auto found = std::ranges::lower_bound(left, rank);
    if (found == left.end() || *found != rank) return std::nullopt;
    return static_cast<int>(found - left.begin());
  };
  Losses rest;
  for (const Loss& loss : timed_) {
    if (const auto rank = number(loss.rank)) rest.timed_.push_back({*rank, loss.at});
  }
  for (const Counted& counted : counted_) {
    if (const auto rank = number(counted.rank)) {
      rest.counted_.push_back({*rank, counted.at_item, counted.executed});
    }
  }
  for (const auto& [slow, factor] : slow_) {
    if (const auto rank = number(slow)) rest.slow_.emplace_back(*rank, factor);
  }
  return rest;
}

}  // namespace regroup
