// SPDX-License-Identifier: BSD-3-Clause
#include "balancers/coordinator.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <functional>
#include <utility>

namespace regroup {
namespace {

// A failed trial costs the time of some items. These must be few compared with the items left, or
// the group must have that time until the last group ends.
constexpr double trial_items = 4;
constexpr double fewest_items = 5;         // left, in a group with that time
constexpr double fewest_if_promising = 1;  // left, without that time, if predicted to pay
constexpr double fewest_if_not = 40;       // left, without that time, if not
constexpr double fewest_if_smaller = 200;
constexpr double most_in_costs = 0.04;
constexpr double most_lost = 0.05;  // fraction of the items left that a trial of one item may cost

}  // namespace

Message Measured::to_message(const Group& group) const {
  return {measured,
          group.leader(),
          group.ranks,
          {chain.walker, comparison.before, comparison.items_before, comparison.items,
           number_of(comparison.log_ratio), number_of(comparison.variance), number_of(log_s),
           chain.items_left}};
}

Measured Measured::of(const Message& message) {
  const auto& numbers = message.numbers;  // as in to_message()
  return {{static_cast<int>(numbers[0]), numbers[7]},
          {static_cast<int>(numbers[1]), message.ranks.size(), numbers[2], numbers[3],
           value_of(numbers[4]), value_of(numbers[5])},
          value_of(numbers[6])};
}

namespace {

constexpr double parts = 1e6;

}  // namespace

std::int64_t number_of(double value) { return std::llround(value * parts); }
double value_of(std::int64_t number) { return static_cast<double>(number) / parts; }

namespace {

/// Returns `seconds` with a cache of recent answers, which must not change meanwhile.
std::function<double(int)> remembering(std::function<double(int)> seconds) {
  struct Answer {
    int ranks = -1;
    double seconds = 0;
  };
  return [seconds = std::move(seconds), latest = std::array<Answer, 16>()](int ranks) mutable {
    Answer& answer = latest[static_cast<std::size_t>(ranks) % latest.size()];
    if (answer.ranks != ranks) answer = {ranks, seconds(ranks)};
    return answer.seconds;
  };
}

Forecast remembering(const Forecast& forecast) {
  return {remembering(forecast.item_s), forecast.order_s, remembering(forecast.regroup_s)};
}

}  // namespace

/// One call of answers().
class Coordinator::Answers {
 public:
  Answers(Coordinator& own, const Knowledge& known)
      : own_(own),
        known_(known),
        table_(own.table),
        model_(own.model),
        forecast_(remembering(own.model.forecast(known.forecast))) {}

  std::vector<Outgoing> all() {
    table_.now = std::max(table_.now, known_.elapsed_s);
    if (!own_.divided) set_limits();
    if (known_.measured.items > 0) learn_unit(known_.measured.ranks, known_.measured.log_mean);
    if (own_.trial && table_.now > own_.trial->latest_end) end_trial();
    do {
      for (Message& message : std::exchange(own_.unread, {})) read(std::move(message));
      while (!fresh_.empty()) {
        const Message idle = std::move(fresh_.front());
        fresh_.pop_front();
        own_.waiting -= idle.ranks.size();
        help_others(idle);
      }
      if (!std::exchange(own_.divided, true)) divide();
    } while (!own_.unread.empty());
    if (own_.smaller_untried && !own_.trial) try_smaller();
    if (own_.waiting == known_.ranks && own_.unanswered == 0) {
      for (const Message& one : std::exchange(own_.parked, {}))
        send(one.from, {release, 0, {}, {}});
      own_.waiting = 0;
    }
    return std::move(answers_);
  }

 private:
  void send(int to, Message message) { answers_.push_back({to, std::move(message)}); }

  /// Returns the nodes of `ranks`; empty if nodes are not used.
  std::vector<int> nodes_of(const RankSet& ranks) const {
    std::vector<int> all;
    if (!table_.by_node) return all;
    for (const RankRange range : ranks.ranges()) {
      for (int rank = range.lo; rank <= range.hi; ++rank) all.push_back(known_.nodes.of(rank));
    }
    return all;
  }

  void read(Message message) {
    switch (message.word) {
      case request:
        return answer(std::move(message));
      case shrunk:
        if (--own_.unanswered == 0) own_.smaller_untried = true;  // in groups that had to answer
        return has_shrunk(static_cast<int>(message.numbers[0]), message.ranks.size());
      default:
        if (message.from != 0) send(message.from, {heard, 0, {}, {}});
        learn(Measured::of(message));
    }
  }

  void answer(Message request) {
    const Chain chain{static_cast<int>(request.numbers[0]), request.numbers[1]};
    const int refused = static_cast<int>(request.numbers[2]);
    table_.accept_help(refused, false);
    const int ranks = request.ranks.size();
    const double from = table_.remove(chain, ranks, forecast_);
    if (own_.trial && (own_.trial->walker == chain.walker || own_.trial->walker == refused))
      end_trial();
    const Queue& queue = known_.queue;
    if (own_.given < queue.walkers().size()) {
      const WaitingWalker& walker = queue.walkers()[own_.given++];
      if (walker.items > 0) {
        table_.add({walker.walker, walker.items}, request.from, ranks, forecast_, from,
                   known_.nodes.of(request.from));
      }
      return send(request.from, {next, 0, {}, {walker.walker}});
    }
    own_.waiting += ranks;
    fresh_.push_back(std::move(request));
  }

  /// Assigns the soon idle ranks of `request` to groups, and parks the remaining ranks.
  void help_others(const Message& request) {
    const Chain chain{static_cast<int>(request.numbers[0]), request.numbers[1]};
    const int ranks = request.ranks.size();
    // Keeps the ranks given back for a trial: the group may need them again.
    if (own_.trial && own_.trial->walker == request.numbers[3])
      return park(request.from, request.ranks, request.numbers[3]);
    int idle = ranks;
    std::optional<HelpTable::Share> larger;
    if (last_is_full()) {
      larger = try_larger(own_.waiting + idle);
      if (!larger && gathers_) return park(request.from, request.ranks);
    }
    if (larger) idle -= std::min(idle, larger->ranks);
    const auto helpers = static_cast<int>(with_cores(idle));
    std::vector<HelpTable::Share> shares =
        table_.distribute(chain, helpers, forecast_, nodes_of(request.ranks.slice(0, helpers)));
    for (HelpTable::Share& share : shares) {
      idle -= share.ranks;
      const int size = table_.at(share.walker).ranks;
      share.watched = is_to_watch(size);
    }
    if (idle > 0 && !larger) {
      larger = try_larger(own_.waiting + idle);
      if (larger) idle -= std::min(idle, larger->ranks);
    }
    if (larger) {
      HelpTable::Share own = *larger;
      own.ranks = ranks - idle;
      for (const HelpTable::Share& share : shares) own.ranks -= share.ranks;
      larger->ranks -= own.ranks;
      if (own.ranks > 0) shares.push_back(own);
    }
    give(request.from, shares);
    if (larger) give_parked(*larger);
    park(request.from, request.ranks.slice(0, idle));
  }

  /// Returns how many of `idle` idle ranks have cores that no working group needs.
  std::int64_t with_cores(std::int64_t idle) const {
    if (known_.cores == 0 || known_.cores >= known_.ranks) return idle;
    return std::clamp<std::int64_t>(known_.cores - working_ranks(), 0, idle);
  }

  /// Returns whether the next group that changes to `ranks` ranks is to report item times.
  bool is_to_watch(int ranks) {
    constexpr int enough = 8;
    return own_.watched[model_.key(ranks)]++ < enough;
  }

  void give(int leader, std::span<const HelpTable::Share> shares) {
    for (std::size_t i = 0; i < shares.size(); i += 2) {
      const bool last = i + 2 >= shares.size();
      const HelpTable::Share& one = shares[i];
      const HelpTable::Share two = i + 1 < shares.size() ? shares[i + 1] : HelpTable::Share{};
      send(leader, {last ? last_help : help,
                    0,
                    {},
                    {one.contact, one.ranks, one.watched, two.contact, two.ranks, two.watched}});
    }
  }

  void give_parked(HelpTable::Share share) {
    while (share.ranks > 0) {
      const Message one = fresh_.empty() ? taken_from(own_.parked) : taken_from(fresh_);
      const int idle = one.ranks.size();
      own_.waiting -= idle;
      const int helpers = std::min(idle, share.ranks);
      give(one.from, std::array{HelpTable::Share{share.contact, helpers, share.walker, true}});
      park(one.from, one.ranks.slice(0, idle - helpers));
      share.ranks -= helpers;
    }
  }

  template <class Messages>
  static Message taken_from(Messages& messages) {
    Message last = std::move(messages.back());
    messages.pop_back();
    return last;
  }

  /// Parks `ranks`, which can help no group now.
  void park(int leader, RankSet ranks, std::int64_t lent_by = Chain::none) {
    if (ranks.empty()) return;
    own_.waiting += ranks.size();
    own_.parked.push_back(
        {request, leader, std::move(ranks), {Chain::none, 0, Chain::none, lent_by}});
  }

  void learn(const Measured& one) {
    const int ranks = one.comparison.ranks;
    const bool was_known = model_.knows(ranks);
    const SpeedModel before = model_;
    const bool is_news = model_.add(one.comparison, known_.forecast);
    if (is_news) forecast_again(before);
    if (was_known) {
      learn_unit(ranks, one.log_s);
    } else {
      learn_unit(one.comparison.before, one.log_s - one.comparison.log_ratio);
    }
    has_at_least(one.chain.walker, ranks);
    table_.correct(one.chain, forecast_);
    const bool of_trial = own_.trial && own_.trial->walker == one.chain.walker;
    if (of_trial) {
      own_.trial->latest_end =
          std::max(own_.trial->latest_end, table_.now + longest_trial_s(std::exp(one.log_s)));
      if (own_.trial->is_told_by(ranks)) own_.trial->told.add(one.comparison);
    }
    const bool is_better = is_news && model_.best(known_.forecast) != before.best(known_.forecast);
    if (is_news) own_.smaller_untried = true;
    if (of_trial && model_.knows(ranks) && own_.trial->told.is_decided()) {
      end_trial();
    } else if (is_better || (is_news && !was_known)) {
      ask_parked();
    }
    if ((is_news || one.comparison.is_slower()) && (!own_.trial || own_.trial->grows()))
      shrink_slower();
  }

  /// Sets the maximum group size. Called at the start and whenever the forecast changes.
  void set_limits() {
    const int best = model_.best(known_.forecast);
    const auto without_risk =
        table_.by_ends && best == model_.largest() ? most_lost * best * own_.longest : 0.0;
    table_.most_ranks = std::max(model_.trusted(known_.forecast),
                                 static_cast<int>(std::min<double>(without_risk, known_.ranks)));
  }

  /// Orders groups to give back the ranks beyond their shares in a division of all ranks by loads,
  /// if that is predicted to pay and half of the largest group would be clearly slower.
  void divide() {
    if (!table_.by_ends || !known_.queue.empty() || table_.groups.empty()) return;
    const int start = model_.start;
    const auto& item_s = forecast_.item_s;
    if (item_s(std::max(1, start / 2)) * (1 - clearly_slower) <= item_s(start)) return;
    std::vector<std::int64_t> items;
    for (const auto& [walker, group] : table_.groups.entries())
      items.push_back(
          std::max(1LL, std::llround(HelpTable::items_left(group, table_.now, forecast_))));
    const std::vector<int> shares = shares_by_load(items, known_.ranks, forecast_);
    HelpTable by_loads = table_;
    std::size_t next = 0;
    for (const auto& [walker, group] : table_.groups.entries())
      by_loads.resize(walker, shares[next++], forecast_);
    constexpr double items_meanwhile = 3;
    const double costs = items_meanwhile * item_s(start) + forecast_.regroup_s(start);
    const double as_is = table_.last_end(forecast_) - table_.now;
    if (by_loads.last_end(forecast_) - table_.now + costs > as_is) return;
    own_.smaller_untried = false;
    std::size_t i = 0;
    for (const auto& [walker, group] : table_.groups.entries()) {
      const int ranks = shares[i++];
      if (ranks >= group.ranks || about_equal(ranks, group.ranks) || !group.accepts_help) continue;
      tell_to_shrink(walker, ranks, is_to_watch(ranks));
    }
  }

  void learn_unit(int ranks, double log_s) {
    if (model_.fits(ranks, log_s, known_.forecast)) return;
    const SpeedModel before = model_;
    model_.fit(ranks, log_s, known_.forecast);
    forecast_again(before);
  }

  void forecast_again(const SpeedModel& before) {
    forecast_ = remembering(model_.forecast(known_.forecast));
    set_limits();
    table_.forecast_again(remembering(before.forecast(known_.forecast)), forecast_);
  }

  void ask_parked() {
    for (Message& one : std::exchange(own_.parked, {})) {
      own_.waiting -= one.ranks.size();
      own_.unread.push_back(std::move(one));
    }
  }

  void end_trial() {
    const bool grew = own_.trial->grows();
    table_.accept_help(own_.trial->walker, true);
    own_.trial.reset();
    if (!grew) {
      own_.smaller_untried = true;  // perhaps the same size again
    } else if (own_.smaller_untried) {
      try_smaller();  // before the next larger size
    }
    ask_parked();
  }

  /// Handles the answer to `shrink`: the group of `walker` has `ranks` ranks; 0: unknown.
  void has_shrunk(int walker, int ranks) {
    HelpTable::Working* group = table_.find(walker);
    if (group == nullptr) return;
    group->shrinks = false;
    has_at_least(walker, ranks);
    shrink_if_slower(walker, *group, model_.best(known_.forecast));
  }

  /// Records that the group of `walker`, if there is one, has `ranks` ranks; the table may already
  /// count more ranks, which were sent to help it.
  void has_at_least(int walker, int ranks) {
    const HelpTable::Working* group = table_.find(walker);
    if (group != nullptr && group->ranks < ranks && !group->shrinks)
      table_.resize(walker, ranks, forecast_);
  }

  /// Begins a trial in the group of `walker`, which had `before` ranks.
  void begin_trial(int walker, int before) {
    const int ranks = table_.at(walker).ranks;
    own_.latest_tried = walker;
    own_.trial =
        SizeTrial{walker, before, ranks, table_.now + longest_trial_s(forecast_.item_s(ranks))};
    table_.accept_help(walker, false);
  }

  static double longest_trial_s(double item_s) { return 2 * SizeComparison::enough * item_s; }

  /// Orders groups that are larger than the best size and slower to give ranks back.
  void shrink_slower() {
    const int best = model_.best(known_.forecast);
    for (const auto& [walker, group] : table_.groups.entries())
      shrink_if_slower(walker, group, best);
  }

  void shrink_if_slower(int walker, const HelpTable::Working& group, int best) {
    if (group.ranks <= best || group.shrinks) return;
    const double most = model_.log_time(best, known_.forecast) + clearly_slower;
    const bool is_slower = group.ranks > model_.largest()
                               ? best != model_.largest()
                               : model_.log_time(group.ranks, known_.forecast) > most;
    if (is_slower) tell_to_shrink(walker, best, false);
  }

  void tell_to_shrink(int walker, int ranks, bool is_watched) {
    HelpTable::Working& group = table_.at(walker);
    group.shrinks = true;  // so end_trial() begins no trial in this group
    if (own_.trial && own_.trial->walker == walker) end_trial();
    ++own_.unanswered;
    send(group.contact, {shrink, 0, {}, {ranks, is_watched, walker, group.ranks}});
    table_.resize(walker, ranks, forecast_);
  }

  /// Returns whether the group that ends last is predicted not to gain from more ranks.
  bool last_is_full() const {
    if (!table_.by_ends || table_.full.empty()) return false;
    return table_.needs.empty() || table_.full.front().first < table_.needs.front().first;
  }

  double last_end() const {
    double last = table_.now;
    for (const HelpTable::Needs* needs : {&table_.needs, &table_.full}) {
      if (!needs->empty()) last = std::max(last, -needs->front().first);
    }
    return last;
  }

  /// Returns the time of the regroupings of a trial.
  double costs_s(int ranks) const { return 2 * forecast_.regroup_s(ranks); }

  /// Returns whether the regroupings of a trial are short compared with the group's time left.
  bool is_worth(const HelpTable::Working& group) const {
    return costs_s(group.ranks) <= most_in_costs * (group.end - table_.now);
  }

  std::int64_t working_ranks() const {
    std::int64_t ranks = 0;
    for (const auto& [walker, group] : table_.groups.entries()) ranks += group.ranks;
    return ranks;
  }

  /// Begins a worthwhile trial of fewer ranks in a group of the best size, if there is one.
  void try_smaller() {
    if (!table_.by_ends && own_.waiting == 0) return;  // if all ranks work, groups may end together
    if (model_.sizes.empty() && 2 * working_ranks() < known_.ranks) return;  // groups grow first
    own_.smaller_untried = false;
    const int ranks = model_.best(known_.forecast);
    const int fewer = model_.below(known_.forecast);
    if (fewer == 0) return;
    const double last = last_end();
    int chosen = Chain::none;
    double most_left = fewest_if_smaller;
    for (const auto& [walker, group] : table_.groups.entries()) {
      if (!about_equal(group.ranks, ranks) || !group.accepts_help || group.shrinks) continue;
      if (!table_.by_ends) {
        chosen = walker;
        if (walker != own_.latest_tried) break;  // its latest items may be of another size
        continue;
      }
      const double left = HelpTable::items_left(group, table_.now, forecast_);
      const double time = trial_items * forecast_.item_s(ranks) + costs_s(ranks);
      if (left >= fewest_items && last - group.end >= time) {
        chosen = walker;
        break;
      }
      if (left < most_left || !is_worth(group)) continue;
      most_left = left;
      chosen = walker;
    }
    if (chosen == Chain::none) return;
    const int before = table_.at(chosen).ranks;
    tell_to_shrink(chosen, fewer, true);
    begin_trial(chosen, before);
  }

  /// Begins a worthwhile trial of at most `idle` more ranks; sets gathers_ if these are too few.
  std::optional<HelpTable::Share> try_larger(std::int64_t idle) {
    gathers_ = false;
    const int above = model_.above(known_.forecast);
    if (own_.trial || above == 0) return std::nullopt;
    idle = with_cores(idle);
    const bool is_beyond = above > model_.largest();
    // The largest size was slower; a much larger one may be faster again. No rank waits for such a
    // trial, and only the groups that end last are considered.
    const bool is_far = is_beyond && model_.best(known_.forecast) < model_.largest();
    constexpr int most_considered = 64;
    const int least_beyond = (is_far ? 3 : 1) * model_.largest() + 1;
    const int most = is_beyond
                         ? std::max({above, 2 * model_.trusted(known_.forecast), table_.most_ranks})
                         : above;
    const auto larger = [&](const HelpTable::Working& group) {
      return static_cast<int>(std::min<std::int64_t>(group.ranks + idle, most));
    };
    const double last = last_end();
    int without_time = Chain::none;
    int considered = 0;
    for (const HelpTable::Needs* needs : {&table_.full, &table_.needs}) {
      for (const auto& [end, walker] : needs->entries()) {
        const HelpTable::Working& group = table_.at(walker);
        if (group.shrinks) continue;
        if (is_far && ++considered > most_considered) break;
        const int ranks = larger(group);
        // A group does not compare sizes that are about equal.
        const int least = is_beyond ? std::max(least_beyond, group.ranks + (group.ranks + 1) / 2)
                                    : std::max(above, group.ranks + std::max(1, group.ranks / 4));
        if (!table_.by_ends) {
          if (ranks >= least) return grow(walker, ranks);
          break;
        }
        const double left = HelpTable::items_left(group, table_.now, forecast_);
        const double item = forecast_.item_s(group.ranks);
        const double saved = left * (item - forecast_.item_s(std::max(ranks, least)));
        const bool promising = saved > 0.03 * left * item && saved > forecast_.regroup_s(ranks);
        const bool without =
            left >= (promising ? fewest_if_promising : fewest_if_not) && is_worth(group);
        const double time = trial_items * item * ranks / group.ranks + costs_s(ranks);
        const bool with = left >= fewest_items && last - group.end >= time;
        if (ranks < least) {
          gathers_ = gathers_ || (!is_far && left >= fewest_if_not && (with || without) &&
                                  !table_.needs.empty());
          if (gathers_) break;
          continue;
        }
        if (without && without_time == Chain::none) without_time = walker;
        if (promising && !model_.sizes.empty()) break;
        if (with) return grow(walker, ranks);
      }
    }
    if (without_time == Chain::none) return std::nullopt;
    return grow(without_time, larger(table_.at(without_time)));
  }

  HelpTable::Share grow(int walker, int ranks) {
    const HelpTable::Working& group = table_.at(walker);
    const int before = group.ranks;
    table_.resize(walker, ranks, forecast_);
    begin_trial(walker, before);
    return {group.contact, ranks - before, walker, true};
  }

  Coordinator& own_;
  const Knowledge& known_;
  HelpTable& table_;
  SpeedModel& model_;
  Forecast forecast_;
  std::deque<Message> fresh_;  // requests not served yet
  bool gathers_ = false;       // idle ranks wait until a trial has enough
  std::vector<Outgoing> answers_;
};

void Coordinator::read(const Message& message, const Knowledge& own) {
  if (message.word != report) {
    unread.push_back(message);
    return;
  }
  model.start = std::max(model.start, message.ranks.size());
  if (model.unit_s == 0) model.unit_s = own.forecast.item_s(1);
  const Chain chain{static_cast<int>(message.numbers[0]), message.numbers[1]};
  reported += message.ranks.size();
  longest = std::max(longest, static_cast<double>(chain.items_left));
  if (chain.items_left == 0) return;
  table.add(chain, message.from, message.ranks.size(), model.forecast(own.forecast), 0,
            own.nodes.of(message.from));
}

std::vector<Outgoing> Coordinator::answers(const Knowledge& own) {
  return Answers(*this, own).all();
}

}  // namespace regroup
