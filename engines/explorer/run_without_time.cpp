// SPDX-License-Identifier: BSD-3-Clause
#include "engines/explorer/run_without_time.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <utility>

#include "kernel/starting_groups.hpp"

namespace regroup {
namespace {

/// Builds a key from numbers. Small numbers, the usual case, take one byte.
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
  void add(const RankSet& ranks) {
    add(static_cast<std::int64_t>(ranks.ranges().size()));
    for (const RankRange range : ranks.ranges()) {
      add(range.lo);
      add(range.hi);
    }
  }
  void add(std::span<const std::int64_t> numbers) {
    add(static_cast<std::int64_t>(numbers.size()));
    for (const std::int64_t number : numbers) add(number);
  }
  void add(const Message& message) {
    add(message.word);
    add(message.from);
    add(message.ranks);
    add(std::span(message.numbers));
  }
  void add(const Group& group) {
    add(group.ranks);
    add(group.chain.walker);
    add(group.chain.items_left);
    add(std::span(group.note));
  }
  std::string text() && { return std::move(text_); }

 private:
  std::string text_;
};

// Descriptions for logs.

inline std::string words_of(const Message& message, const Balancer& balancer) {
  std::string text = fmt::format("{} of rank {}", balancer.word(message.word), message.from);
  if (!message.ranks.empty()) text += fmt::format(" ({})", name_of(message.ranks));
  return fmt::format("{} [{}]", text, fmt::join(message.numbers, ", "));
}

/// Describes the action of a group.
struct Verb {
  template <class Ready>
  std::string operator()(const Ready&) const {
    return "is to decide";
  }
  std::string operator()(const Work& work) const {
    return fmt::format("works on {} items{}", work.items, work.listening ? ", listening" : "");
  }
  std::string operator()(const Wait& wait) const {
    return wait.at_most_s ? "waits for a while" : "waits";
  }
  std::string operator()(const Exchange&) const { return "exchanges loads"; }
  std::string operator()(const Regroup& regroup) const {
    std::vector<std::string> groups;
    for (const Group& group : regroup.groups) {
      groups.push_back(fmt::format("{} with {}", name_of(group.ranks), name_of(group.chain)));
    }
    return fmt::format("regroups to {}", fmt::join(groups, ", "));
  }
  std::string operator()(const Stop&) const { return "stops"; }
};

const Forecast forecast{[](int ranks) { return 1.0 / ranks; }, [](int) { return 0.0; },
                        [](int) { return 0.0; }};

}  // namespace

namespace {

RunInput run_of(const Balancer& prototype, std::span<const std::int64_t> items, int group_size,
                const ExplorerSetup& setup) {
  const std::size_t groups = items.size() - static_cast<std::size_t>(setup.walkers);
  const int number = static_cast<int>(groups);
  RunInput run;
  run.ranks = number * group_size + setup.larger;
  run.groups = StartingGroups(even_groups(run.ranks, number));
  std::vector<WaitingWalker> tasks;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (setup.everybody || i >= groups) {
      const int wants = 1 + static_cast<int>(i) % run.ranks;
      tasks.push_back({run.groups.names().name(i), items[i], wants});
    } else {
      run.items.push_back(items[i]);
    }
  }
  run.queue = Queue(std::move(tasks), run.ranks);
  run.balancer = prototype.clone();
  run.item_time = ItemTime(forecast.item_s, 0, 1);
  run.nodes = setup.nodes;
  run.chain_items.assign(items.begin(), items.end());
  if (setup.messages) run.messages = setup.messages(items);
  return run;
}

}  // namespace

RunWithoutTime::RunWithoutTime(const Balancer& prototype, std::span<const std::int64_t> items,
                               int group_size, const ExplorerSetup& setup)
    : RunWithoutTime(std::make_shared<const RunInput>(run_of(prototype, items, group_size, setup)),
                     std::make_shared<const ExplorerSetup>(setup), setup.losses) {}

RunWithoutTime::RunWithoutTime(std::shared_ptr<const RunInput> run,
                               std::shared_ptr<const ExplorerSetup> setup, int losses)
    : run_(std::move(run)),
      prototype_(run_->balancer),
      setup_(std::move(setup)),
      losses_left_(losses),
      waiting_(run_->queue),
      leaders_(static_cast<std::size_t>(run_->ranks)) {
  for (std::size_t i = 0; i < run_->groups.size(); ++i) {
    Leader& leader = at(run_->groups[i].lo());
    leader.group = {run_->groups[i], run_->chain(i), {}};
    leader.balancer = prototype_;
    leader.doing = Ready{};
    waiting_.take(leader.group.chain.walker);
  }
  if (!setup_->messages) return;
  progress_ = std::make_shared<const ChainProgress>(run_->messages, run_->walker_names(),
                                                    run_->chain_items);
  executed_.resize(run_->chain_items.size());
  for (Leader& leader : leaders_) leader.parking.latest = leader.group.chain.walker;
}

void RunWithoutTime::lose(int rank, Log* log) {
  Remains remains{RankRange{rank, rank}, {}, std::vector<std::int64_t>(run_->chain_items.size())};
  const auto left = [&](int walker) -> std::int64_t& {
    return remains.items_left[static_cast<std::size_t>(run_->walker_names().number(walker))];
  };
  for (const WaitingWalker& task : run_->queue.walkers()) {
    if (waiting_.has(task.walker, task.items)) left(task.walker) = task.items;
  }
  for (int leader = 0; leader < ranks(); ++leader) {
    if (!leads(leader)) continue;
    const Group& group = at(leader).group;
    remains.groups.push_back(group);
    if (group.chain.walker != Chain::none) left(group.chain.walker) = group.chain.items_left;
  }
  auto rest = std::make_shared<const RunInput>(setup_->recover(*run_, remains));
  if (log) log->push_back(fmt::format("  rank {} is lost, and the others form groups anew", rank));
  if (const auto wrong = violation(*run_, remains, *rest)) throw ContractViolation(*wrong);
  *this = RunWithoutTime(std::move(rest), setup_, losses_left_ - 1);
}

std::vector<Step> RunWithoutTime::losses() const {
  std::vector<Step> steps;
  if (losses_left_ == 0 || ranks() == 1 || finished()) return steps;
  for (int rank = 0; rank < ranks(); ++rank) steps.push_back({Step::Kind::lose, rank});
  return steps;
}

bool RunWithoutTime::is_ready(const Chain& chain) const {
  if (!exchanges() || chain.items_left == 0) return true;
  return std::ranges::all_of(progress_->needed(chain), [&](const ChainMessage& message) {
    return executed_[static_cast<std::size_t>(message.from)] > message.item;
  });
}

bool RunWithoutTime::is_blocked(const Leader& leader) const {
  return std::holds_alternative<Work>(leader.doing) && !is_ready(leader.group.chain);
}

std::optional<Chain> RunWithoutTime::next_of(const Leader& leader) const {
  if (exchanges()) {
    return next_chain(leader.group, leader.parking, run_->queue,
                      [this](const Chain& chain) { return is_ready(chain); });
  }
  const WaitingWalker* task = due(leader.group, *leader.balancer, run_->queue);
  return task != nullptr ? std::optional(Chain{task->walker, task->items}) : std::nullopt;
}

int RunWithoutTime::leader_of(int rank) const {
  for (const Leader& leader : leaders_) {
    if (leader.group.ranks.contains(rank)) return leader.group.leader();
  }
  return rank;
}

std::vector<Step> RunWithoutTime::steps() const {
  std::vector<Step> steps;
  const auto add = [&steps](Step step) {
    steps.push_back(step);
    step.coin = true;
    steps.push_back(step);
  };
  for (int rank = 0; rank < ranks(); ++rank) {
    const auto& doing = at(rank).doing;
    if (std::holds_alternative<Ready>(doing)) add({Step::Kind::decide, rank});
    if (std::holds_alternative<Work>(doing) && is_ready(at(rank).group.chain)) {
      add({Step::Kind::end_item, rank});
    }
    const Wait* wait = std::get_if<Wait>(&doing);
    if (wait != nullptr && wait->at_most_s) add({Step::Kind::time_out, rank});
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
      if (log) {
        log->push_back(
            fmt::format("  {} has waited long enough", name_of(at(step.group).group.ranks)));
      }
      return decide(at(step.group), step.coin, log);
    case Step::Kind::lose:
      return lose(step.group, log);
  }
}

void RunWithoutTime::arrive(const Step& step, Log* log) {
  const auto flight = std::ranges::find_if(
      flights_, [&](const Flight& f) { return f.from == step.from && f.to == step.group; });
  const Message message = flight->message;
  flights_.erase(flight);
  if (log) {
    log->push_back(
        fmt::format("  {} arrives at rank {}", words_of(message, *prototype_), step.group));
  }
  if (!leads(step.group)) return send(step.group, leader_of(step.group), message);
  Leader& leader = at(step.group);
  if (std::holds_alternative<Stop>(leader.doing)) {
    throw ContractViolation(
        fmt::format("a message arrives at rank {}, which has stopped", step.group));
  }
  leader.inbox.push_back(message);
  const Work* work = std::get_if<Work>(&leader.doing);
  const bool listens = work != nullptr && work->listening && is_blocked(leader);
  if (std::holds_alternative<Wait>(leader.doing) || listens) decide(leader, step.coin, log);
}

void RunWithoutTime::end_item(const Step& step, Log* log) {
  Leader& leader = at(step.group);
  Work& work = std::get<Work>(leader.doing);
  --leader.group.chain.items_left;
  --work.items;
  if (log) {
    log->push_back(fmt::format("  {} ends an item, {} left", name_of(leader.group.ranks),
                               name_of(leader.group.chain)));
  }
  if (exchanges()) {
    ++executed_[static_cast<std::size_t>(progress_->number(leader.group.chain))];
    unblock(leader);
  }
  const bool interrupted = work.listening && !leader.inbox.empty();
  if (work.items == 0 || interrupted || is_blocked(leader)) decide(leader, step.coin, log);
}

void RunWithoutTime::unblock(const Leader& teller) {
  for (Leader& leader : leaders_) {
    if (&leader == &teller || !leader.waits) continue;
    if (!is_ready(leader.group.chain) && !next_of(leader)) continue;
    leader.doing = Ready{};
    leader.waits = false;
  }
}

void RunWithoutTime::decide(Leader& leader, bool coin, Log* log) {
  if (const auto next = next_of(leader)) {
    const Group before = leader.group;
    form(std::array{before.leader()}, {{before.ranks, *next, {}}}, log);
    return;
  }
  const Queue& queue = exchanges() ? nobody_waits : run_->queue;
  Knowledge known{leader.group, ranks(), forecast, {}, coin ? 1u : 0u, queue, run_->nodes};
  known.exchanges = exchanges();
  known.blocked = !is_ready(leader.group.chain);
  const int size = leader.group.ranks.size();
  const double log_s = setup_->best_size > 0 ? std::abs(size - setup_->best_size) : -std::log(size);
  // Grows as the chain progresses, and always suffices to compare group sizes.
  const std::int64_t items = 100 * std::max<std::int64_t>(1, 20 - leader.group.chain.items_left);
  known.measured = {size, items, log_s, 1, 0};
  if (!leader.inbox.empty()) {
    known.message = leader.inbox.front();
    leader.inbox.erase(leader.inbox.begin());
  }
  std::shared_ptr<Balancer> balancer = leader.balancer->clone();
  Decision decision = balancer->decide(known);
  leader.balancer = std::move(balancer);
  const int rank = leader.group.leader();
  for (Outgoing& outgoing : decision.send) outgoing.message.from = rank;
  std::visit([&leader](const auto& next) { leader.doing = next; }, decision.next);
  if (log) {
    log->push_back(fmt::format("    {} (coin: {}) decides: {}", name_of(leader.group.ranks),
                               coin ? "heads" : "tails", std::visit(Verb{}, decision.next)));
    for (const Outgoing& outgoing : decision.send) {
      log->back() += fmt::format(" and sends to rank {}: {}", outgoing.to,
                                 words_of(outgoing.message, *leader.balancer));
    }
  }
  for (const Outgoing& outgoing : decision.send) send(rank, outgoing.to, outgoing.message);
  std::visit([&](const auto& doing) { check(leader, doing); }, leader.doing);

  leader.waits = is_blocked(leader);
  const Work* work = std::get_if<Work>(&leader.doing);
  const bool looks = std::holds_alternative<Wait>(leader.doing) ||
                     (work != nullptr && work->listening && leader.waits);
  if (looks && !leader.inbox.empty()) leader.doing = Ready{};
  if (std::holds_alternative<Exchange>(leader.doing)) exchange_if_all_are_there(log);
  if (std::holds_alternative<Regroup>(leader.doing)) {
    regroup_if_all_are_there(Regroup(std::get<Regroup>(leader.doing)), log);
  }
}

void RunWithoutTime::send(int from, int to, const Message& message) {
  if (to < 0 || to >= ranks()) {
    throw ContractViolation(fmt::format("a message goes to rank {}, which does not exist", to));
  }
  const auto later = [&](const Flight& flight) {
    return std::pair(flight.from, flight.to) > std::pair(from, to);
  };
  flights_.insert(std::ranges::find_if(flights_, later), {from, to, message});
}

void RunWithoutTime::check(const Leader& leader, const Work& work) const {
  const Group& group = leader.group;
  if (work.items >= 1 && work.items <= group.chain.items_left) return;
  throw ContractViolation(fmt::format("{} works on {} items and has {}", name_of(group.ranks),
                                      work.items, name_of(group.chain)));
}

void RunWithoutTime::check(const Leader& leader, const Regroup& regroup) const {
  for (const Group& group : regroup.groups) {
    if (!group.ranks.empty() && group.leader() >= 0 && group.ranks.hi() < ranks()) continue;
    throw ContractViolation(fmt::format("{} forms {}, which is outside the {} ranks of the run",
                                        name_of(leader.group.ranks), name_of(group.ranks),
                                        ranks()));
  }
  if (const auto wrong = violation(leader.group, regroup.groups, exchanges())) {
    throw ContractViolation(*wrong);
  }
}

void RunWithoutTime::check(const Leader& leader, const Stop&) const {
  const Group& group = leader.group;
  if (group.chain.items_left != 0) {
    throw ContractViolation(
        fmt::format("{} stops with {} left", name_of(group.ranks), name_of(group.chain)));
  }
  if (!leader.parking.chains.empty()) {
    throw ContractViolation(fmt::format("{} stops with {} parked", name_of(group.ranks),
                                        name_of(leader.parking.chains.front())));
  }
  if (!leader.inbox.empty()) {
    throw ContractViolation(fmt::format("{} stops with a message unread", name_of(group.ranks)));
  }
  const bool last = std::ranges::all_of(leaders_, [](const Leader& other) {
    return std::holds_alternative<Following>(other.doing) ||
           std::holds_alternative<Stop>(other.doing);
  });
  if (last && !waiting_.nobody()) {
    throw ContractViolation("everybody has stopped, and walkers wait for ever");
  }
}

void RunWithoutTime::regroup_if_all_are_there(const Regroup& regroup, Log* log) {
  int missing = 0;
  for (const Group& group : regroup.groups) missing += group.ranks.size();
  std::vector<int> parts;
  for (int rank = 0; rank < ranks(); ++rank) {
    const Regroup* theirs = std::get_if<Regroup>(&at(rank).doing);
    if (theirs == nullptr || *theirs != regroup) continue;
    parts.push_back(rank);
    missing -= at(rank).group.ranks.size();
  }
  if (missing == 0) form(parts, regroup.groups, log);
}

void RunWithoutTime::exchange_if_all_are_there(Log* log) {
  std::vector<Group> present;
  for (int rank = 0; rank < ranks(); ++rank) {
    if (!leads(rank)) continue;
    if (!std::holds_alternative<Exchange>(at(rank).doing)) return;
    present.push_back(at(rank).group);
  }
  const std::vector<Group> planned = prototype_->plan(present, forecast);
  const Change change = change_of(present, planned, waiting_);
  if (change.violation) throw ContractViolation(*change.violation);
  for (const Group& group : present) at(group.leader()).doing = Ready{};
  std::vector<int> parts;
  for (const Group& group : change.before) parts.push_back(group.leader());
  form(parts, change.after, log);
}

void RunWithoutTime::form(std::span<const int> parts, const std::vector<Group>& groups, Log* log) {
  std::vector<Group> before;
  std::optional<std::span<const Chain>> parked;
  std::vector<Chain> all_parked;
  for (const int part : parts) {
    before.push_back(at(part).group);
    std::ranges::copy(at(part).parking.chains, std::back_inserter(all_parked));
  }
  if (exchanges()) parked = all_parked;
  if (const auto wrong = violation(before, groups, waiting_, parked)) {
    throw ContractViolation(*wrong);
  }
  for (const int part : parts) {
    at(part).doing = Following{};
    if (exchanges()) at(part).parking.regroup(at(part).group, groups, run_->queue);
  }
  for (const Group& group : groups) {
    Leader& leader = at(group.leader());
    leader.group = group;
    leader.doing = Ready{};
    leader.waits = false;
    waiting_.take(group.chain.walker);
    if (!leader.balancer) leader.balancer = prototype_;
    if (log) log->push_back(fmt::format("    {} forms", name_of(group.ranks)));
  }
  for (const int part : parts) {
    if (leads(part)) continue;
    const std::vector<Message> unread = std::move(at(part).inbox);
    if (exchanges()) at(leader_of(part)).parking.join(at(part).parking, run_->queue);
    at(part) = {};
    for (const Message& message : unread) send(part, leader_of(part), message);
  }
}

bool RunWithoutTime::finished() const {
  return flights_.empty() && std::ranges::all_of(leaders_, [](const Leader& leader) {
           return std::holds_alternative<Following>(leader.doing) ||
                  std::holds_alternative<Stop>(leader.doing);
         });
}

std::string RunWithoutTime::key() const {
  Key key;
  key.add(losses_left_);
  if (!waiting_.nobody()) {
    for (const WaitingWalker& task : run_->queue.walkers()) {
      const WaitingWalker* next = run_->queue.after(task.walker);
      key.add(task.walker);
      key.add(task.items);
      key.add(task.wants);
      key.add(next != nullptr ? next->walker : Chain::none);
      key.add(waiting_.has(task.walker, task.items));
    }
  }
  for (const std::int64_t items : executed_) key.add(items);
  for (const Leader& leader : leaders_) {
    key.add(static_cast<std::int64_t>(leader.doing.index()));
    if (std::holds_alternative<Following>(leader.doing)) continue;
    key.add(leader.group);
    if (!waiting_.nobody()) {
      const WaitingWalker* next = run_->queue.after(leader.group.chain.walker);
      key.add(next != nullptr ? next->walker : Chain::none);
    }
    if (const Work* work = std::get_if<Work>(&leader.doing)) {
      key.add(work->items);
      key.add(work->listening);
    } else if (const Wait* wait = std::get_if<Wait>(&leader.doing)) {
      key.add(wait->at_most_s.has_value());
    } else if (const Regroup* regroup = std::get_if<Regroup>(&leader.doing)) {
      key.add(static_cast<std::int64_t>(regroup->groups.size()));
      for (const Group& group : regroup->groups) key.add(group);
    }
    if (exchanges()) {
      key.add(leader.waits);
      key.add(leader.parking.latest);
      key.add(static_cast<std::int64_t>(leader.parking.chains.size()));
      for (const Chain& chain : leader.parking.chains) {
        key.add(chain.walker);
        key.add(chain.items_left);
      }
    }
    key.add(static_cast<std::int64_t>(leader.inbox.size()));
    for (const Message& message : leader.inbox) key.add(message);
    key.add(std::span<const std::int64_t>(leader.balancer->memory()));
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
  for (int rank = 0; rank < ranks(); ++rank) {
    if (!leads(rank)) continue;
    const Leader& leader = at(rank);
    log.push_back(fmt::format("  {} {}; {} left, {} messages unread", name_of(leader.group.ranks),
                              std::visit(Verb{}, leader.doing), name_of(leader.group.chain),
                              leader.inbox.size()));
  }
  for (const Flight& flight : flights_) {
    log.push_back(fmt::format("  on its way to rank {}: {}", flight.to,
                              words_of(flight.message, *prototype_)));
  }
  return log;
}

}  // namespace regroup
