// SPDX-License-Identifier: BSD-3-Clause
#include "engines/virtual/phase.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "engines/virtual/engine.hpp"
#include "engines/virtual/events.hpp"
#include "engines/virtual/gatherings.hpp"
#include "engines/virtual/leaders.hpp"
#include "engines/virtual/pace.hpp"
#include "kernel/chains/chain_progress.hpp"
#include "kernel/rules.hpp"
#include "regroup/numbers.hpp"

namespace regroup {

double hand_over_s(std::span<const int> parts, const Group& group, const RunInput& run,
                   const Costs& costs, Leaders& leaders, Outcome& outcome) {
  if (run.state_bytes == 0 || group.chain.items_left == 0) return 0;
  const auto part = std::ranges::find(
      parts, group.chain.walker, [&](int leader) { return leaders.at(leader).group.chain.walker; });
  const auto parked = std::ranges::find_if(
      parts, [&](int leader) { return leaders.at(leader).parking.has(group.chain); });
  if (part == parts.end() && parked == parts.end()) return 0;  // a waiting walker has no state
  const RankSet had =
      part != parts.end() ? leaders.at(*part).group.ranks : RankRange{*parked, *parked};
  if (had.contains(group.ranks)) return 0;
  const double seconds = costs.hand_over(group.ranks.size(), run.state_bytes,
                                         !had.overlaps(group.ranks), costs.count(group.ranks));
  outcome.hand_over_bytes = run.state_bytes;
  outcome.hand_over_s += seconds;
  return seconds;
}

namespace {

constexpr unsigned events_between_looks = 1 << 12;

// More than most runs need. Memory that is reserved, but not used, costs nothing.
constexpr std::size_t most_lives_per_rank = 8;

class Simulation {
  using Leader = SimulatedLeader;
  using Doing = Leader::Doing;
  using LetterIndex = Slots<SimulatedLetter>::Index;

 public:
  Simulation(const Phase& phase)
      : run_(*phase.run),
        costs_(phase.costs),
        losses_(phase.losses),
        pace_(run_.item_time, costs_),
        forecast_(forecast_of(run_.believed(), costs_, run_.state_bytes)),
        leaders_(run_.ranks, run_.groups),
        waiting_(run_.queue),
        progress_(run_.messages, run_.walker_names(), run_.chain_items) {
    const bool recovers = !phase.begin_at.empty();
    outcome_.lives.reserve(most_lives_per_rank * static_cast<std::size_t>(run_.ranks));
    for (std::size_t i = 0; i < run_.groups.size(); ++i) {
      const RankSet& ranks = run_.groups[i];
      Leader& leads = leaders_.at(ranks.lo());
      leads.parking.latest = run_.chain(i).walker;
      const Ticks at = recovers ? phase.begin_at[i] : 0;
      begin(leads, {ranks, run_.chain(i), {}}, recovers ? Turn::recover : Turn::start, at);
      if (recovers) go_on(leads, at);
    }
    if (recovers) return;
    for (const RankSet& group : run_.groups) decide(leaders_.at(group.lo()));
  }

  /// Simulates to the end of the run, or until the other groups hear of a loss.
  PhaseEnd end(const std::function<bool()>& stop) {
    for (unsigned taken = 1;; ++taken) {
      if (taken % events_between_looks == 0 && stop && stop()) throw Stopped();
      const Ticks fault_at = running_ > 0 ? std::min(losses_.next_at(), heard_at_) : last_tick;
      if (!events_.empty() && events_.next_at() <= fault_at) {
        take_next();
        continue;
      }
      if (fault_at == last_tick) break;
      now_ = fault_at;
      if (losses_.next_at() > fault_at) break;
      lose();
    }
    const bool by_loss = heard_at_ != last_tick && running_ > 0;
    if (by_loss) {
      end_by_loss();
    } else if (running_ != 0) {
      throw std::logic_error(fmt::format("standstill at {} s with {} groups that have not stopped",
                                         seconds(now_), running_));
    } else if (!waiting_.nobody()) {
      keep_law("all have stopped, and walkers wait");
    }
    outcome_.events = events_.made();
    std::vector<Group> groups;
    if (by_loss) groups = leaders_.groups();
    return {std::move(outcome_), by_loss, now_, std::move(groups), std::move(losses_)};
  }

 private:
  void take_next() {
    const bool is_message = events_.message_is_next();
    const Event event = is_message ? events_.take_message() : events_.take_wake();
    now_ = event.at;
    if (!is_message) {
      Leader* leads = leaders_.find(event.rank, event.what);
      if (leads != nullptr && !losses_.hit(leads->group.ranks)) wake(*leads);
    } else if (letters_[event.what].message.word == chain_message) {
      arrive(letters_.remove(event.what).message);
    } else {
      deliver(event.rank, event.what);
    }
  }

  /// Executes the next loss: the group of the lost rank stops working.
  void lose() {
    const int rank = losses_.take().rank;
    heard_at_ = std::min(heard_at_, after(now_, ticks(run_.detection_s)));
    interrupt(leaders_.of(rank));
  }

  /// Stops the work of a group. Only items that have ended count.
  void interrupt(Leader& leader) {
    if (leader.doing != Doing::working) return;
    leader.doing = Doing::waiting;
    if (leader.stretch.items == 0 || leader.stretch.began > now_) return;
    Stretch done = pace_.until(now_, leader.stretch);
    if (pace_.end(done) > now_) {
      --done.items;
      done.saving = 0;
    }
    if (done.items > 0) count(leader, done.items, pace_.end(done));
  }

  /// Ends all groups, with their current progress, before the recovery.
  void end_by_loss() {
    for (const Group& group : leaders_.groups()) {
      Leader& leader = leaders_.at(group.leader());
      interrupt(leader);
      if (leader.doing == Doing::regrouping) {  // leave() has ended its life
        life_of(leader).ended = Turn::recover;
      } else if (leader.doing != Doing::stopped) {
        regroup::end(life_of(leader), leader.group, Turn::recover,
                     std::max(seconds(now_), life_of(leader).formed_s));
      }
    }
  }

  void decide(Leader& leader) {
    ++leaders_.order(leader);
    leader.doing = Doing::deciding;
    if (auto turn = turn_of(leader)) return follow(leader, std::move(*turn));
    const Queue& queue = exchanges() ? nobody_waits : run_.queue;  // next_chain() assigns them
    Knowledge known{leader.group, run_.ranks, forecast_, {}, 0, queue, run_.nodes};
    known.exchanges = exchanges();
    known.blocked = !is_ready(leader.group.chain);
    known.measured = leader.measured.of(leader.group.ranks.size());
    known.elapsed_s = seconds(now_);
    known.cores = run_.cores;
    if (!leader.inbox.empty()) known.message = read(leader);
    known.random = random_bits(run_.stream, Purpose::decision,
                               static_cast<std::uint64_t>(leader.rank), leaders_.order(leader));
    Decision decision = leader.balancer->decide(known);
    for (Outgoing& outgoing : decision.send) send(leader, outgoing);
    std::visit([&](auto& next) { follow(leader, std::move(next)); }, decision.next);
  }

  void follow(Leader& leader, const Work& work) {
    if (work.items < 1 || work.items > leader.group.chain.items_left) {
      broken(leader, "works without items");
    }
    leader.work = work;
    if (!is_ready(leader.group.chain)) {
      leader.doing = Doing::blocked;
      if (interrupted(leader)) wake_at(leader, now_);
      return;
    }
    leader.doing = Doing::working;
    begin_stretch(leader, work.listening ? now_ : after(now_, tell(leader)));
  }

  static bool interrupted(const Leader& l) { return l.work.listening && !l.inbox.empty(); }

  void begin_stretch(Leader& leader, Ticks at) {
    const Chain& chain = leader.group.chain;
    std::int64_t items = interrupted(leader) ? 1 : pace_.longest(leader.work.items);
    if (exchanges()) items = progress_.at_once(chain, items);
    if (!losses_.none()) items = losses_.items_before(leader.group.ranks, items, at);
    Ticks saving = 0;
    if (run_.save_s > 0 && run_.save_every > 0) {
      const std::int64_t to_save = to_next_save(chain);
      if (items >= to_save) saving = ticks(run_.save_s);
      items = std::min(items, to_save);
    }
    leader.stretch = {at,    leader.group.ranks.size(), chain.walker, chain.items_left,
                      items, leader.work.listening,     leader.nodes, slowness(leader),
                      saving};
    if (items > 0) wake_at(leader, pace_.end(leader.stretch));
  }

  void follow(Leader& leader, const Wait& wait) {
    leader.doing = Doing::waiting;
    if (!leader.inbox.empty()) {
      wake_at(leader, now_);
    } else if (wait.at_most_s) {
      wake_at(leader, after(now_, std::max<Ticks>(1, ticks(*wait.at_most_s))));
    }
  }

  void follow(Leader& leader, const Exchange&) {
    leader.doing = Doing::exchanging;
    if (++exchanging_ == running_) exchange();
  }

  void follow(Leader& leader, Regroup&& regroup) {
    const Turn turn = takes_up(leader.group, regroup.groups) ? Turn::next : Turn::regroup;
    leave(leader, now_, turn);
    for (const Group& group : regroup.groups) {
      if (group.ranks.empty() || group.ranks.lo() < 0 || group.ranks.hi() >= run_.ranks) {
        broken(leader, "forms a group of ranks that there are not");
      }
    }
    keep_law(violation(leader.group, regroup.groups, exchanges()));
    auto all = gatherings_.come(leader.group, std::move(regroup));
    if (!all) broken(leader, "regroups otherwise than others");
    if (all->parts.empty()) return;
    std::ranges::sort(all->parts);
    std::vector<Group> before;
    std::vector<Chain> parked;
    for (const int part : all->parts) {
      before.push_back(leaders_.at(part).group);
      std::ranges::copy(leaders_.at(part).parking.chains, std::back_inserter(parked));
    }
    keep_law(exchanges() ? violation(before, all->regroup.groups, waiting_, parked)
                         : violation(before, all->regroup.groups, waiting_));
    form(all->parts, all->regroup.groups, turn);
  }

  void follow(Leader& leader, const Stop&) {
    if (leader.group.chain.items_left != 0 || !leader.parking.chains.empty() ||
        !leader.inbox.empty()) {
      broken(leader, "stops too early");
    }
    end(leader, now_, Turn::stop);
    leader.doing = Doing::stopped;
    --running_;
  }

  /// Ends the life of a group that regroups or takes the next walker.
  void leave(Leader& leader, Ticks at, Turn turn) {
    end(leader, at, turn);
    leader.doing = Doing::regrouping;
    leader.ready_at = after(at, tell(leader));
  }

  /// Replaces the groups that `parts` lead, which agree on a valid regrouping, by `groups`.
  void form(std::span<const int> parts, std::vector<Group>& groups, Turn turn) {
    std::vector<Ticks> ready, handed_over;
    for (const Group& group : groups) {
      ready.push_back(groups.size() == 1 ? leaders_.ready_at(parts)
                                         : leaders_.ready_at(group.ranks));
      handed_over.push_back(ticks(hand_over_s(parts, group, run_, costs_, leaders_, outcome_)));
    }

    for (const int part : parts) {
      Leader& leader = leaders_.at(part);
      leader.doing = Doing::following;
      if (exchanges()) leader.parking.regroup(leader.group, groups, run_.queue);
    }
    running_ -= parts.size();
    leaders_.follow(parts, groups);
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const double create_s = turn == Turn::regroup ? costs_.create(groups[i].ranks) : 0;
      const Ticks at = after(std::max(ready[i], now_), ticks(create_s));
      Leader& leads = leaders_.at(groups[i].leader());
      begin(leads, std::move(groups[i]), turn, at);
      go_on(leads, after(at, handed_over[i]));
    }
    for (const int part : parts) send_on(leaders_.at(part));
  }

  /// Passes unread messages and parked chains of a former leader to its new leader.
  void send_on(Leader& part) {
    const bool follows = part.doing == Doing::following;
    Leader& leads = leaders_.of(part.rank);
    if (exchanges()) {
      if (follows) leads.parking.join(part.parking, run_.queue);
      for (const Chain& chain : leads.parking.chains) holders_[chain.walker] = leads.rank;
    }
    if (!follows) return;
    while (!part.inbox.empty()) post(part.rank, leads.rank, part.inbox.take_oldest(letters_));
    leaders_.remove(part);
  }

  void go_on(Leader& leader, Ticks at) {
    leader.doing = Doing::deciding;
    ++leaders_.order(leader);
    wake_at(leader, at);
  }

  Ticks tell(const Leader& l) const { return ticks(costs_.tell(l.group.ranks.size(), l.nodes)); }

  void exchange() {
    exchanging_ = 0;
    const std::vector<Group> present = leaders_.groups();
    if (present.size() != running_) return;  // deadlock: some groups have stopped
    const std::vector<Group> planned = run_.balancer->plan(present, forecast_);
    Change change = change_of(present, planned, waiting_);
    keep_law(change.violation);
    const Ticks known = after(now_, ticks(costs_.exchange(present.size())));
    std::vector<int> parts;
    for (const Group& group : change.before) {
      parts.push_back(group.leader());
      leave(leaders_.at(group.leader()), known, Turn::regroup);
    }
    if (!parts.empty()) form(parts, change.after, Turn::regroup);
    // Unchanged groups take part only if the strategy is parent-collective.
    const bool attend = run_.parent_collective() && !parts.empty();
    for (const Group& group : change.staying) {
      const double attending = costs_.tell(group.ranks) + costs_.create(group.ranks);
      go_on(leaders_.at(group.leader()), attend ? after(known, ticks(attending)) : known);
    }
  }

  void deliver(int rank, LetterIndex letter) {
    Leader& leader = leaders_.of(rank);
    if (leader.rank != rank) return post(rank, leader.rank, letter);
    if (losses_.hit(leader.group.ranks)) return;
    if (leader.doing == Doing::stopped) broken(leader, "gets a message after its end");
    leader.inbox.add(letters_, letter);
    if (leader.doing == Doing::waiting) {
      ++leaders_.order(leader);
      wake(leader);
    } else if (leader.doing == Doing::blocked && leader.work.listening) {
      wake_at(leader, now_);
    } else if (leader.doing == Doing::working && leader.work.listening) {
      // It looks for messages at the end of its current item.
      leader.stretch = pace_.until(now_, leader.stretch);
      ++leaders_.order(leader);
      wake_at(leader, pace_.end(leader.stretch));
    }
  }

  void wake(Leader& leader) {
    if (leader.doing == Doing::working) {
      end_stretch(leader);
      const bool goes_on = leader.work.items > 0 && !interrupted(leader);
      if (goes_on && is_ready(leader.group.chain)) return begin_stretch(leader, now_);
    }
    decide(leader);
  }

  void end_stretch(Leader& leader) {
    const std::int64_t done = leader.stretch.items;
    leader.work.items -= done;
    const double took_s = seconds(now_ - leader.stretch.began);
    leader.measured.add(leader.stretch.ranks, done, took_s / static_cast<double>(done));
    count(leader, done, now_);
    if (exchanges()) tell_others(leader);
  }

  void count(Leader& leader, std::int64_t done, Ticks until) {
    leader.group.chain.items_left -= done;
    worked(life_of(leader), done, seconds(until));
    if (!losses_.none()) losses_.executed(leader.group.ranks, done);
  }

  /// Returns the number of items until the state of `chain` is saved.
  std::int64_t to_next_save(const Chain& chain) const {
    const auto number = static_cast<std::size_t>(run_.walker_names().number(chain.walker));
    return run_.save_every - (run_.chain_items[number] - chain.items_left) % run_.save_every;
  }

  double slowness(const Leader& leader) const { return losses_.slowness(leader.group.ranks); }

  // ---- messages between chains

  bool exchanges() const { return !run_.messages.empty(); }

  bool is_ready(const Chain& chain) const {
    return !exchanges() || chain.items_left == 0 || arrivals_.is_ready(chain, progress_);
  }

  /// Returns the change of walker that precedes a call of the balancer, if any.
  std::optional<Regroup> turn_of(const Leader& leader) const {
    if (!exchanges()) {
      const WaitingWalker* task = due(leader.group, *leader.balancer, run_.queue);
      return task != nullptr ? std::optional(taken_up(leader.group, *task)) : std::nullopt;
    }
    const auto next = next_chain(leader.group, leader.parking, run_.queue,
                                 [this](const Chain& chain) { return is_ready(chain); });
    return next ? std::optional(merged(leader.group.ranks, *next)) : std::nullopt;
  }

  void tell_others(const Leader& leader) {
    for (const ChainMessage& told : progress_.told(leader.group.chain)) {
      const auto holder = holders_.find(walker_of(told.to));
      post(leader.rank, holder != holders_.end() ? leaders_.of(holder->second).rank : leader.rank,
           letters_.add({{chain_message, leader.rank, {}, {told.to, told.before}}}));
    }
  }

  /// Records a message between chains. Wakes a blocked group if its receiver can go on.
  void arrive(const Message& message) {
    const auto to = static_cast<int>(message.numbers[0]);
    arrivals_.add({0, 0, to, message.numbers[1]});
    const auto found = holders_.find(walker_of(to));
    if (found == holders_.end()) return;
    Leader& holder = leaders_.of(found->second);
    const auto goes_on = [&](const Chain& chain) {
      return chain.walker == walker_of(to) && is_ready(chain);
    };
    if (holder.doing != Doing::blocked) return;
    if (!goes_on(holder.group.chain) && std::ranges::none_of(holder.parking.chains, goes_on))
      return;
    ++leaders_.order(holder);
    wake(holder);
  }

  int walker_of(int chain) const {
    return run_.walker_names().name(static_cast<std::size_t>(chain));
  }

  void wake_at(const Leader& leader, Ticks at) {
    events_.wake(leader.rank, leaders_.order(leader), at);
  }

  void send(const Leader& from, Outgoing& outgoing) {
    if (outgoing.to < 0 || outgoing.to >= run_.ranks) {
      broken(from, fmt::format("sends a message to rank {}, which there is not", outgoing.to));
    }
    outgoing.message.from = from.group.leader();
    post(from.rank, outgoing.to, letters_.add({std::move(outgoing.message)}));
  }

  void post(int from, int to, LetterIndex letter) {
    events_.bring(letter, to, after(now_, ticks(costs_.message(from, to))));
  }

  Message read(Leader& leader) {
    return letters_.remove(leader.inbox.take_oldest(letters_)).message;
  }

  /// Makes `leader` the leader of `group` from `at` on.
  void begin(Leader& leader, Group group, Turn turn, Ticks at) {
    leader.group = std::move(group);
    leader.nodes = costs_.count(leader.group.ranks);
    if (!leader.balancer) leader.balancer = run_.balancer->clone();
    leader.doing = Doing::deciding;
    leader.life = outcome_.lives.size();
    outcome_.lives.push_back(begun(leader.group, turn, seconds(at)));
    ++running_;
    waiting_.take(leader.group.chain.walker);
    if (exchanges()) holders_[leader.group.chain.walker] = leader.rank;
  }

  void end(Leader& leader, Ticks at, Turn turn) {
    regroup::end(life_of(leader), leader.group, turn, seconds(at));
  }

  GroupLife& life_of(const Leader& leader) { return outcome_.lives[leader.life]; }

  void keep_law(const std::optional<std::string>& wrong) const {
    if (wrong) throw std::logic_error(fmt::format("{} at {} s", *wrong, seconds(now_)));
  }

  [[noreturn]] void broken(const Leader& leader, std::string_view what) const {
    throw std::logic_error(
        fmt::format("{} {} at {} s", name_of(leader.group.ranks), what, seconds(now_)));
  }

  const RunInput& run_;
  const Costs& costs_;
  Losses losses_;
  const Pace pace_;
  const Forecast forecast_;
  Leaders leaders_;
  Gatherings gatherings_;
  Slots<SimulatedLetter> letters_;
  Events events_;
  Ticks now_ = 0;
  Ticks heard_at_ = last_tick;  // time when the other groups hear of the first loss
  std::size_t running_ = 0;     // number of existing groups that have not stopped
  std::size_t exchanging_ = 0;  // number of groups that wait in an exchange
  StillWaiting waiting_;
  Outcome outcome_;
  // Only for runs whose chains exchange messages:
  static constexpr std::int32_t chain_message = std::numeric_limits<std::int32_t>::min();
  ChainProgress progress_;
  Arrivals arrivals_;
  std::unordered_map<int, int> holders_;  // by walker: a rank of the group that has or had it
};

}  // namespace

PhaseEnd run_phase(const Phase& phase, const std::function<bool()>& stop) {
  return Simulation(phase).end(stop);
}

}  // namespace regroup
