// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/explorer/run_without_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "kernel/explorer/words.hpp"
#include "kernel/rules.hpp"

namespace regroup {
namespace {

/// Appends numbers to a key: small ones, which most are, take one byte.
class Key {
 public:
  void add(std::int64_t number) {
    if (number >= -1 && number < 250) {
      text_.push_back(static_cast<char>(number + 1));
      return;
    }
    text_.push_back(static_cast<char>(255));
    for (int shift = 0; shift < 64; shift += 8) {
      text_.push_back(static_cast<char>(number >> shift));
    }
  }
  void add(const Message& message) {
    add(static_cast<std::int64_t>(message.kind));
    add(message.ranks.lo);
    add(message.ranks.hi);
    add(message.walker);
    add(message.items_left);
  }
  std::string text() && { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace

RunWithoutTime::RunWithoutTime(const Balancer& prototype, std::span<const std::int64_t> items) {
  const std::shared_ptr<const Balancer> balancer = prototype.clone();
  for (int rank = 0; rank < static_cast<int>(items.size()); ++rank) {
    groups_.push_back(
        {{rank, rank}, rank, items[static_cast<std::size_t>(rank)], balancer, {}, Ready{}});
  }
}

std::vector<Step> RunWithoutTime::steps() const {
  std::vector<Step> steps;
  const auto add = [&steps](Step step) {
    steps.push_back(step);
    step.coin = true;
    steps.push_back(step);
  };
  for (int leader = 0; leader < ranks(); ++leader) {
    const Group& group = at(leader);
    if (std::holds_alternative<Ready>(group.doing)) add({Step::Kind::decide, leader});
    if (std::holds_alternative<Work>(group.doing)) add({Step::Kind::end_item, leader});
    const Wait* wait = std::get_if<Wait>(&group.doing);
    if (wait != nullptr && wait->at_most_s) add({Step::Kind::time_out, leader});
  }
  for (std::size_t i = 0; i < flights_.size(); ++i) {
    const Flight& flight = flights_[i];
    const bool oldest =
        i == 0 || flights_[i - 1].from != flight.from || flights_[i - 1].to != flight.to;
    if (oldest) add({Step::Kind::arrive, flight.to, flight.from});
  }
  return steps;
}

void RunWithoutTime::take(const Step& step, Log* log) {
  switch (step.kind) {
    case Step::Kind::decide:
      return decide(at(step.group), step.coin, log);
    case Step::Kind::arrive:
      return arrive(step, log);
    case Step::Kind::end_item:
      return end_item(step, log);
    case Step::Kind::time_out:
      if (log)
        log->push_back(fmt::format("  {} has waited long enough", name_of(at(step.group).ranks)));
      return decide(at(step.group), step.coin, log);
  }
}

void RunWithoutTime::arrive(const Step& step, Log* log) {
  const auto flight = std::ranges::find_if(
      flights_, [&](const Flight& f) { return f.from == step.from && f.to == step.group; });
  const Message message = flight->message;
  flights_.erase(flight);
  Group& group = at(step.group);
  if (log) {
    log->push_back(fmt::format("  {} arrives at rank {}", regroup::words(message), step.group));
  }
  if (std::holds_alternative<Gone>(group.doing) || std::holds_alternative<Stop>(group.doing)) {
    throw Broken(
        fmt::format("a message arrives at rank {}, which leads no group any more", step.group));
  }
  group.inbox.push_back(message);
  if (std::holds_alternative<Wait>(group.doing)) decide(group, step.coin, log);
}

void RunWithoutTime::end_item(const Step& step, Log* log) {
  Group& group = at(step.group);
  Work& work = std::get<Work>(group.doing);
  --group.items_left;
  --work.items;
  if (log) {
    log->push_back(fmt::format("  {} ends an item of walker {}, {} left", name_of(group.ranks),
                               group.walker, group.items_left));
  }
  if (work.items == 0 || (work.listening && !group.inbox.empty())) decide(group, step.coin, log);
}

void RunWithoutTime::decide(Group& group, bool coin, Log* log) {
  Knowledge known{group.ranks, ranks(), group.walker, group.items_left, {}, coin ? 1u : 0u};
  if (!group.inbox.empty()) {
    known.message = group.inbox.front();
    group.inbox.erase(group.inbox.begin());
  }
  std::shared_ptr<Balancer> balancer = group.balancer->clone();
  const Decision decision = balancer->decide(known);
  group.balancer = std::move(balancer);
  std::visit([&group](const auto& next) { group.doing = next; }, decision.next);
  if (log) {
    log->push_back(fmt::format("    {} (coin: {}) decides: {}{}", name_of(group.ranks),
                               coin ? "heads" : "tails", std::visit(Verb{}, decision.next),
                               decision.send
                                   ? fmt::format(" and sends to rank {}: {}", decision.send->to,
                                                 regroup::words(decision.send->message))
                                   : ""));
  }
  if (decision.send) send(group.ranks.lo, *decision.send);
  std::visit([&](const auto& doing) { check(group, doing); }, group.doing);

  if (std::holds_alternative<Wait>(group.doing) && !group.inbox.empty()) group.doing = Ready{};
  if (std::holds_alternative<Exchange>(group.doing)) exchange_if_all_are_there(log);
  if (std::holds_alternative<Merge>(group.doing)) {
    merge_if_all_are_there(Merge(std::get<Merge>(group.doing)), log);
  }
}

void RunWithoutTime::send(int from, const Outgoing& outgoing) {
  if (outgoing.to < 0 || outgoing.to >= ranks()) {
    throw Broken(fmt::format("a message goes to rank {}, which does not exist", outgoing.to));
  }
  const auto later = [&](const Flight& flight) {
    return std::pair(flight.from, flight.to) > std::pair(from, outgoing.to);
  };
  flights_.insert(std::ranges::find_if(flights_, later), {from, outgoing.to, outgoing.message});
}

void RunWithoutTime::check(const Group&, const Ready&) const {}
void RunWithoutTime::check(const Group&, const Gone&) const {}
void RunWithoutTime::check(const Group&, const Wait&) const {}
void RunWithoutTime::check(const Group&, const Exchange&) const {}

void RunWithoutTime::check(const Group& group, const Work& work) const {
  if (work.items >= 1 && work.items <= group.items_left) return;
  throw Broken(fmt::format("{} works on {} of {} items", name_of(group.ranks), work.items,
                           group.items_left));
}

void RunWithoutTime::check(const Group& group, const Merge& merge) const {
  if (merge.ranks.contains(group.ranks) && merge.ranks.lo >= 0 && merge.ranks.hi < ranks()) return;
  throw Broken(fmt::format("{} merges to {}", name_of(group.ranks), name_of(merge.ranks)));
}

void RunWithoutTime::check(const Group& group, const Stop&) const {
  if (group.items_left != 0) {
    throw Broken(
        fmt::format("{} stops with {} items left", name_of(group.ranks), group.items_left));
  }
  if (!group.inbox.empty()) {
    throw Broken(fmt::format("{} stops with a message unread", name_of(group.ranks)));
  }
}

void RunWithoutTime::merge_if_all_are_there(const Merge& merge, Log* log) {
  int there = 0;
  for (const Group& group : groups_) {
    const Merge* theirs = std::get_if<Merge>(&group.doing);
    if (theirs != nullptr && *theirs == merge) there += group.ranks.size();
  }
  if (there == merge.ranks.size()) join(merge.ranks, merge.walker, merge.items_left, log);
}

void RunWithoutTime::exchange_if_all_are_there(Log* log) {
  std::vector<GroupLoad> loads;
  for (const Group& group : groups_) {
    if (std::holds_alternative<Gone>(group.doing)) continue;
    if (!std::holds_alternative<Exchange>(group.doing)) return;
    loads.push_back({group.ranks, group.items_left, group.walker});
  }
  auto part = loads.begin();
  for (const RankRange& range : groups_.front().balancer->partition(loads)) {
    const auto first = part;
    while (part != loads.end() && range.contains(part->ranks)) ++part;
    if (part == first || first->ranks.lo != range.lo || (part - 1)->ranks.hi != range.hi) {
      throw Broken(fmt::format("{} of the partition is no union of groups", name_of(range)));
    }
    if (part - first == 1) {
      at(range.lo).doing = Ready{};
    } else {
      const Group& rightmost = at((part - 1)->ranks.lo);
      join(range, rightmost.walker, rightmost.items_left, log);
    }
  }
  if (part != loads.end()) {
    throw Broken(fmt::format("{} is not in the partition", name_of(part->ranks)));
  }
}

void RunWithoutTime::join(RankRange ranks, int walker, std::int64_t items_left, Log* log) {
  Group& leader = at(ranks.lo);
  std::vector<GroupState> parts;
  for (int rank = ranks.lo; rank <= ranks.hi; rank = parts.back().ranks.hi + 1) {
    const Group& part = at(rank);
    parts.push_back({part.ranks, part.walker, part.items_left, part.inbox.size()});
  }
  if (const auto wrong = violation(parts, {ranks, walker, items_left})) throw Broken(*wrong);
  for (int rank = leader.ranks.hi + 1; rank <= ranks.hi; ++rank) {
    at(rank).doing = Gone{};
    at(rank).balancer.reset();
  }
  leader.ranks = ranks;
  leader.walker = walker;
  leader.items_left = items_left;
  leader.doing = Ready{};
  if (log) log->push_back(fmt::format("    {} forms", name_of(ranks)));
}

bool RunWithoutTime::finished() const {
  return flights_.empty() && std::ranges::all_of(groups_, [](const Group& group) {
           return std::holds_alternative<Gone>(group.doing) ||
                  std::holds_alternative<Stop>(group.doing);
         });
}

std::string RunWithoutTime::key() const {
  Key key;
  for (const Group& group : groups_) {
    key.add(static_cast<std::int64_t>(group.doing.index()));
    if (std::holds_alternative<Gone>(group.doing)) continue;
    key.add(group.ranks.hi);  // its lowest rank is its place
    key.add(group.walker);
    key.add(group.items_left);
    if (const Work* work = std::get_if<Work>(&group.doing)) {
      key.add(work->items);
      key.add(work->listening);
    } else if (const Wait* wait = std::get_if<Wait>(&group.doing)) {
      key.add(wait->at_most_s.has_value());
    } else if (const Merge* merge = std::get_if<Merge>(&group.doing)) {
      key.add(merge->ranks.lo);
      key.add(merge->ranks.hi);
      key.add(merge->walker);
      key.add(merge->items_left);
    }
    key.add(static_cast<std::int64_t>(group.inbox.size()));
    for (const Message& message : group.inbox) key.add(message);
    const std::vector<std::int64_t> memory = group.balancer->memory();
    key.add(static_cast<std::int64_t>(memory.size()));
    for (const std::int64_t number : memory) key.add(number);
  }
  for (const Flight& flight : flights_) {
    key.add(flight.from);
    key.add(flight.to);
    key.add(flight.message);
  }
  return std::move(key).text();
}

RunWithoutTime::Log RunWithoutTime::words() const {
  Log log;
  for (const Group& group : groups_) {
    if (std::holds_alternative<Gone>(group.doing)) continue;
    log.push_back(fmt::format("  {} {}; {} items of walker {} left, {} messages unread",
                              name_of(group.ranks), std::visit(Verb{}, group.doing),
                              group.items_left, group.walker, group.inbox.size()));
  }
  for (const Flight& flight : flights_) {
    log.push_back(
        fmt::format("  on its way to rank {}: {}", flight.to, regroup::words(flight.message)));
  }
  return log;
}

}  // namespace regroup
