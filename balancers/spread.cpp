// SPDX-License-Identifier: BSD-3-Clause
//
// spread: a group that finishes is divided among those that are predicted to finish last.
//
//   start     every leader reports its group to rank 0, which keeps a table of all groups
//             (load_table.hpp). start_division: proportional: before that, all ranks are divided by
//             loads in one exchange
//   working   shortly before its last item ends a group asks rank 0 which groups its ranks are to
//             help; with unknown loads, when it is done
//   finished  it divides itself as rank 0 says. The leader of each part offers help to its group
//   helping   a working group takes in all parts that offer help, after an item, and goes on
//   slower    a group whose items take longer than they did with fewer ranks gives the others back,
//             and takes in no more; rank 0 learns of it, and lets no group become as large
//   end       ranks that can help no group wait; when all wait, rank 0 lets them stop
//
// prefer_own_node: ranks help groups on their own node as long as one works there.
//
// Only idle ranks wait for others. Looking for messages costs an order per item, so a group with
// very short items looks less often.
#include <algorithm>
#include <cmath>
#include <utility>

#include "balancers/balancers.hpp"

namespace regroup {
namespace {

/// A group asks this many items before its end.
constexpr std::int64_t ahead = 1;

// The first number of the notes of groups: of one of the plan, and of one that was given back,
// behind which are the walker of that group and the number of ranks that it has kept. All others
// hold a rank of the group that theirs is to help.
constexpr std::int64_t planned_group = -1;
constexpr std::int64_t given_back = -2;

constexpr int nobody = Spread::nobody;

/// One decision of a group.
class Decider {
 public:
  Decider(Spread& own, const Knowledge& known)
      : own_(own), known_(known), group_(known.group), items_(known.group.chain.items_left) {}

  Decision decision() {
    if (known_.message) read(*known_.message);
    Next decided = next();
    return {std::move(decided), std::move(send_)};
  }

 private:
  using Next = decltype(Decision::next);

  bool is_rank_0() const { return group_.leader() == 0; }

  void send(int to, SpreadWord word, const Group& group, std::array<std::int64_t, 4> numbers = {}) {
    send_.push_back({to, {word, 0, group.ranks, numbers}});
  }

  /// To rank 0, which may be this one.
  void send_to_coordinator(SpreadWord word, int refused = nobody) {
    const Message message{word,
                          group_.leader(),
                          group_.ranks,
                          {group_.chain.walker, items_, refused, own_.tried.most}};
    if (is_rank_0()) {
      own_.coordinator.read(message, known_);
    } else {
      send_.push_back({0, message});
    }
  }

  /// The answers of rank 0, some of which may be to itself.
  void answer_all() {
    for (Outgoing& answer : own_.coordinator.answers(known_)) {
      if (answer.to == 0) {
        read(answer.message);
      } else {
        send_.push_back(std::move(answer));
      }
    }
  }

  void read(const Message& message) {
    switch (message.word) {
      case report:
      case request:
        own_.coordinator.read(message, known_);
        break;
      case help:
      case last_help:
        for (const std::size_t i : {0u, 2u}) {
          if (message.numbers[i + 1] == 0) continue;
          own_.shares.push_back(
              {static_cast<int>(message.numbers[i]), static_cast<int>(message.numbers[i + 1])});
        }
        own_.told = message.word == last_help;
        break;
      case here:
        if (own_.asked || own_.tried.full || items_ == 0) {
          refuse(message);
        } else {
          own_.joining.push_back(message);
        }
        break;
      case take:
        own_.taken = message;
        break;
      case gone:
        own_.refused = static_cast<int>(message.numbers[0]);
        own_.target = nobody;
        own_.asked = own_.told = own_.offered = false;
        break;
      case release:
        own_.released = true;
        break;
      case SpreadWord::next:
        own_.next = static_cast<int>(message.numbers[0]);
        break;
    }
  }

  Next next() {
    if (own_.taken) return be_taken();
    if (!own_.reported) {
      const bool is_part = !group_.note.empty() && group_.note.front() != planned_group;
      if (own_.proportional && !own_.exchanged && group_.note.empty()) {
        own_.exchanged = true;
        return Exchange{};
      }
      own_.reported = true;
      if (is_part && group_.note.front() == given_back) {
        own_.refused = static_cast<int>(group_.note.at(1));
        own_.tried.most = static_cast<int>(group_.note.at(2));
      } else if (is_part) {
        own_.target = static_cast<int>(group_.note.front());
      } else {
        send_to_coordinator(report);
      }
    }
    if (is_rank_0()) {
      if (own_.loads_known) own_.coordinator.table.advance(group_.chain, known_.forecast);
      if (own_.coordinator.reported != known_.ranks) return Wait{};
      answer_all();
    }
    return items_ > 0 ? work() : finished();
  }

  Next work() {
    if (known_.message) return Wait{0.0};  // for more of them
    if (!own_.joining.empty()) return take_in();
    if (own_.loads_known && !own_.asked && items_ <= ahead) ask();
    const std::int64_t until_it_asks =
        own_.loads_known && !own_.asked && items_ > ahead ? items_ - ahead : items_;
    const SizeTrial trial = trial_of(group_.ranks.size(), known_.measured, elsewhere());
    if (trial.better > 0 && !own_.asked) return give_back(group_.ranks.size() - trial.better);
    const std::int64_t items =
        trial.is_open ? std::min(until_it_asks, tried_at_once) : until_it_asks;
    return work_listening(items, group_, known_.forecast);
  }

  /// What the group that took these ranks in had measured, of a size that was not measured here.
  std::optional<ItemTimes> elsewhere() const {
    constexpr std::int64_t some = 16;  // it does not tell how many items it was
    const Spread::Tried& tried = own_.tried;
    const auto sizes = known_.measured;
    if (tried.before == 0 || std::ranges::binary_search(sizes, tried.before, {}, &ItemTimes::ranks))
      return std::nullopt;
    return ItemTimes{tried.before, some, static_cast<double>(tried.before_log) / 1000, 0};
  }

  /// The last `ranks` ranks leave the group, which was faster without them.
  Next give_back(int ranks) {
    own_.tried.full = true;
    const int kept = group_.ranks.size() - ranks;
    return Regroup{
        {{group_.ranks.slice(0, kept), group_.chain, {}},
         {group_.ranks.slice(kept, ranks), {}, {given_back, group_.chain.walker, kept}}}};
  }

  /// All parts that have offered help become part of this group.
  Next take_in() {
    std::vector<RankSet> sets{group_.ranks};
    for (const Message& part : own_.joining) sets.push_back(part.ranks);
    Group whole{united(sets), group_.chain, {}};
    if (const auto best = best_of(known_.measured, elsewhere())) {
      own_.tried.before = best->ranks;
      own_.tried.before_log = std::llround(1000 * best->log_mean);
    }
    for (const Message& part : own_.joining) {
      send(part.from, take, whole,
           {group_.chain.walker, items_, own_.tried.before, own_.tried.before_log});
    }
    own_.joining.clear();
    return Regroup{{whole}};
  }

  void refuse(const Message& part) { send(part.from, gone, group_, {group_.chain.walker}); }

  Next finished() {
    for (const Message& part : own_.joining) refuse(part);
    own_.joining.clear();
    if (own_.target == nobody && !own_.asked) ask();
    if (own_.next != nobody) {
      own_.asked = false;
      return taken_up(group_, *known_.queue.find(std::exchange(own_.next, nobody)));
    }
    if (own_.released) return Stop{};
    if (own_.told) return divide();
    if (own_.target != nobody) offer_help();
    return Wait{};
  }

  void ask() {
    own_.asked = true;
    send_to_coordinator(request, std::exchange(own_.refused, nobody));
    if (is_rank_0()) answer_all();
  }

  void offer_help() {
    if (!std::exchange(own_.offered, true)) send(own_.target, here, group_);
  }

  /// As rank 0 has answered. Ranks that are to help no group stay with the leader.
  Next divide() {
    const RankSet& ranks = group_.ranks;
    own_.told = false;
    int given = 0;
    for (const auto& share : own_.shares) given += share.ranks;
    std::vector<Group> parts;
    int next = ranks.size() - given;
    if (next > 0) parts.push_back({ranks.slice(0, next), {}, {}});
    for (const auto& share : own_.shares) {
      parts.push_back({ranks.slice(next, share.ranks), {}, {share.contact}});
      next += share.ranks;
    }
    const bool leader_helps = given == ranks.size();
    if (leader_helps) {
      own_.target = own_.shares.front().contact;
      own_.asked = own_.offered = false;
    }
    own_.shares.clear();
    if (parts.size() > 1) return Regroup{std::move(parts)};
    offer_help();
    return Wait{};
  }

  Next be_taken() {
    const Message message = *std::exchange(own_.taken, std::nullopt);
    own_.target = nobody;
    own_.asked = own_.told = own_.offered = false;
    own_.tried.before = static_cast<int>(message.numbers[2]);
    own_.tried.before_log = message.numbers[3];
    return merged(message.ranks, {static_cast<int>(message.numbers[0]), message.numbers[1]});
  }

  Spread& own_;
  const Knowledge& known_;
  const Group& group_;
  const std::int64_t items_;
  std::vector<Outgoing> send_;
};

}  // namespace

Decision Spread::decide(const Knowledge& known) { return Decider(*this, known).decision(); }

std::vector<Group> Spread::plan(std::span<const Group> groups, const Forecast& forecast) const {
  return divided_by_load(groups, planned_group, forecast);
}

std::string_view Spread::word(std::int32_t number) const {
  constexpr std::array words{"report", "request", "help", "last help", "release",
                             "here",   "take",    "gone", "next"};
  return words.at(static_cast<std::size_t>(number));
}

std::unique_ptr<Balancer> make_spread(const Options& options) {
  Spread rules;
  rules.loads_known = options.text("loads") == "known";
  rules.proportional = options.text("start_division") == "proportional";
  rules.coordinator.prefer_own_node = options.text("prefer_own_node") == "true";
  rules.coordinator.table.by_ends = rules.loads_known;
  return std::make_unique<StatefulBalancer<Spread>>(std::move(rules));
}

}  // namespace regroup
