// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/chains/message_pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <stdexcept>
#include <utility>

namespace regroup {
namespace {

auto receiver_of(const ChainMessage& m) { return std::pair(m.to, m.before); }
auto sender_of(const ChainMessage& m) { return std::pair(m.from, m.item); }

std::string needing(const ChainMessage& m) {
  return fmt::format("item {} of chain {} needs the message of chain {} in item {}", m.before, m.to,
                     m.from, m.item);
}

void check_existence(const ChainMessage& m, std::span<const std::int64_t> items) {
  const auto chains = static_cast<int>(items.size());
  if (m.from < 0 || m.from >= chains) {
    throw std::invalid_argument(
        fmt::format("{}, which does not exist; allowed: 0 to {}", needing(m), chains - 1));
  }
  const std::int64_t last = items[static_cast<std::size_t>(m.from)] - 1;
  if (m.item >= 0 && m.item <= last) return;
  throw std::invalid_argument(
      fmt::format("{}, but that chain has the items 0 to {}", needing(m), last));
}

}  // namespace

MessagePattern::MessagePattern(std::span<const std::int64_t> items, const Needs& needs) {
  for (int to = 0; to < static_cast<int>(items.size()); ++to) {
    for (std::int64_t before = 0; before < items[static_cast<std::size_t>(to)]; ++before) {
      for (const Need& need : needs(to, before)) {
        by_receiver_.push_back({need.chain, need.item, to, before});
        check_existence(by_receiver_.back(), items);
      }
    }
  }
  by_sender_ = by_receiver_;
  std::ranges::sort(by_sender_, {},
                    [](const ChainMessage& m) { return std::pair(sender_of(m), receiver_of(m)); });
  const auto twice =
      std::ranges::adjacent_find(by_sender_, [](const ChainMessage& a, const ChainMessage& b) {
        return sender_of(a) == sender_of(b) && a.to == b.to;
      });
  if (twice != by_sender_.end()) {
    throw std::invalid_argument(
        fmt::format("{}, and so does its item {}", needing(*twice), std::next(twice)->before));
  }
  check_order(items);
}

/// Advances every chain as far as possible, until all have ended or wait for messages.
void MessagePattern::check_order(std::span<const std::int64_t> items) const {
  std::vector<std::int64_t> done(items.size(), 0);
  std::vector<std::vector<int>> waiting(items.size());  // by sender
  std::deque<int> open;
  for (int chain = 0; chain < static_cast<int>(items.size()); ++chain) open.push_back(chain);
  const auto done_of = [&](int chain) -> std::int64_t& {
    return done[static_cast<std::size_t>(chain)];
  };
  const auto missing = [&](int chain) {
    return std::ranges::find_if(needed(chain, done_of(chain)),
                                [&](const ChainMessage& m) { return done_of(m.from) <= m.item; });
  };
  while (!open.empty()) {
    const int chain = open.front();
    open.pop_front();
    const std::int64_t all = items[static_cast<std::size_t>(chain)];
    while (done_of(chain) < all) {
      const auto first = missing(chain);
      if (first != needed(chain, done_of(chain)).end()) {
        waiting[static_cast<std::size_t>(first->from)].push_back(chain);
        break;
      }
      done_of(chain) = std::min(all, next_needing(chain, done_of(chain) + 1));
      for (const int other : std::exchange(waiting[static_cast<std::size_t>(chain)], {})) {
        open.push_back(other);
      }
    }
  }
  const auto stuck = std::ranges::mismatch(done, items);
  if (stuck.in1 == done.end()) return;
  std::vector<int> way{static_cast<int>(stuck.in1 - done.begin())};
  std::string circle;
  for (;;) {
    const auto wanted = missing(way.back());
    if (std::ranges::find(way, way.back()) != way.end() - 1) break;
    circle += fmt::format("{}{}", circle.empty() ? "" : "; ", needing(*wanted));
    way.push_back(wanted->from);
  }
  throw std::invalid_argument("chains would wait for each other for ever: " + circle);
}

std::span<const ChainMessage> MessagePattern::needed(int to, std::int64_t before) const {
  return std::ranges::equal_range(by_receiver_, std::pair(to, before), {}, receiver_of);
}

std::span<const ChainMessage> MessagePattern::told(int from, std::int64_t item) const {
  return std::ranges::equal_range(by_sender_, std::pair(from, item), {}, sender_of);
}

std::int64_t MessagePattern::next_needing(int chain, std::int64_t item) const {
  const auto next = std::ranges::lower_bound(by_receiver_, std::pair(chain, item), {}, receiver_of);
  return next != by_receiver_.end() && next->to == chain ? next->before : never;
}

std::int64_t MessagePattern::next_telling(int chain, std::int64_t item) const {
  const auto next = std::ranges::lower_bound(by_sender_, std::pair(chain, item), {}, sender_of);
  return next != by_sender_.end() && next->from == chain ? next->item : never;
}

}  // namespace regroup
