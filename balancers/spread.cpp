// SPDX-License-Identifier: BSD-3-Clause
//
// spread: the ranks of a finished group join the groups that are predicted to finish last.
//
//   start     every leader reports its group to rank 0, which keeps a table of all groups
//             (coordinator.hpp). If a division of all ranks by loads is predicted to pay, groups
//             give ranks back
//   working   shortly before its last item ends, a group asks rank 0 which groups its ranks are to
//             help; with unknown loads, it asks when it is done
//   finished  a group divides itself as rank 0 orders. Each part offers help to the group chosen
//   helping   after an item, a working group takes in all parts that offer help, and continues
//   learning  rank 0 makes one group at a time try an unknown size. The group reports item times
//             before and after. From these, rank 0 decides how far groups may grow, and orders
//             groups to give ranks back
//   end       ranks that can help no group wait; when all wait, rank 0 releases them
//
// prefer_own_node: ranks help groups on their own node as long as a group works there.
//
// Only idle ranks wait for others. A look for messages costs one order to the members, so groups
// with very short items do not look after every item.
#include <algorithm>
#include <cmath>
#include <utility>

#include "balancers/balancers.hpp"

namespace regroup {
namespace {

/// A group asks this many items before its end.
constexpr std::int64_t ahead = 1;

// First numbers of notes; the comments give the other numbers. Notes without these contain a rank
// of the group to help, and 1 if that group is to report item times.
constexpr std::int64_t given_back = -1;  // ranks given back; walker of the group that had them
constexpr std::int64_t goes_on = -2;     // group that has given ranks back; its to_numbers()

constexpr int nobody = Spread::nobody;

/// One decision of a group.
class Decider {
 public:
  Decider(Spread& own, const Knowledge& known)
      : own_(own), known_(known), group_(known.group), items_(known.group.chain.items_left) {}

  Decision decision() {
    if (!own_.reported) begin();
    if (known_.message) read(*known_.message);
    Next decided = next();
    return {std::move(decided), std::move(send_)};
  }

 private:
  using Next = decltype(Decision::next);

  bool is_rank_0() const { return group_.leader() == 0; }
  Coordinator& coordinator() { return own_.coordinator.front(); }

  void send(int to, SpreadWord word, const Group& group, Message::Numbers numbers = {}) {
    send_.push_back({to, {word, 0, group.ranks, numbers}});
  }

  /// Sends `message` to rank 0, or handles it if this is rank 0.
  void send_to_coordinator(Message message) {
    message.from = group_.leader();
    if (is_rank_0()) {
      coordinator().read(message, known_);
    } else {
      send_.push_back({0, std::move(message)});
    }
  }

  void send_to_coordinator(SpreadWord word, int refused = nobody) {
    send_to_coordinator(
        {word,
         0,
         group_.ranks,
         {group_.chain.walker, items_, refused, std::exchange(own_.lent_by, nobody)}});
  }

  /// Answers `shrink`: the group of `walker` has `ranks`, or does not shrink (empty).
  void has_shrunk(std::int64_t walker, const RankSet& ranks) {
    send_to_coordinator({shrunk, 0, ranks, {walker}});
  }

  /// Sends the answers of rank 0; handles those to itself.
  void answer_all() {
    do {
      for (Outgoing& answer : coordinator().answers(known_)) {
        if (answer.to == 0) {
          read(answer.message);
        } else {
          send_.push_back(std::move(answer));
        }
      }
    } while (!coordinator().unread.empty());
  }

  void read(const Message& message) {
    switch (message.word) {
      case report:
      case request:
      case measured:
      case shrunk:
        coordinator().read(message, known_);
        break;
      case help:
      case last_help:
        for (const std::size_t i : {0u, 3u}) {
          if (message.numbers[i + 1] == 0) continue;
          own_.shares.push_back({static_cast<int>(message.numbers[i]),
                                 static_cast<int>(message.numbers[i + 1]), Chain::none,
                                 message.numbers[i + 2] != 0});
        }
        own_.told = message.word == last_help;
        break;
      case here:
        if (own_.asked || items_ == 0) {
          refuse(message);
        } else {
          if (own_.joining.empty() && known_.cores > 0) own_.learning.skipped = known_.measured;
          own_.joining.push_back(message);
          if (own_.learning.most > 0) {
            const int expected = std::min(own_.learning.coming, message.ranks.size());
            own_.learning.coming -= expected;
            own_.learning.most += message.ranks.size() - expected;
          }
          if (message.numbers[0] != 0) own_.learning.watched = true;
        }
        break;
      case take:
        taken_ = &message;
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
      case heard:
        --own_.learning.unheard;
        break;
      case shrink:
        if (own_.asked || items_ == 0 || message.numbers[2] != group_.chain.walker) {
          has_shrunk(message.numbers[2], {});
          break;
        }
        own_.learning.most = static_cast<int>(message.numbers[0]);
        own_.learning.coming = std::max(0, static_cast<int>(message.numbers[3]) - joined_size());
        if (message.numbers[1] != 0) own_.learning.watched = true;
        break;
    }
  }

  /// Called for the first decision of a leader.
  void begin() {
    own_.reported = true;
    if (group_.note.empty()) {
      own_.contact = group_.leader();
      if (is_rank_0()) {
        own_.coordinator.push_back({.table = {.by_ends = own_.options.loads_known,
                                              .by_node = own_.options.prefer_own_node,
                                              .now = known_.elapsed_s}});
      }
      send_to_coordinator(report);
    } else if (group_.note.front() == goes_on) {
      Message::Numbers numbers{};
      std::ranges::copy(std::span(group_.note).subspan(1), numbers.begin());
      go_on_as(numbers);
    } else if (group_.note.front() == given_back) {
      own_.lent_by = static_cast<int>(group_.note.at(1));
    } else {
      own_.target = static_cast<int>(group_.note.front());
      own_.learning.help_watched = group_.note.at(1) != 0;
    }
  }

  Next next() {
    if (taken_ != nullptr) return be_taken(*taken_);
    if (is_rank_0()) {
      if (coordinator().reported != known_.ranks) return Wait{};
      answer_all();
    }
    return items_ > 0 ? work() : finished();
  }

  Next work() {
    if (known_.message) return Wait{0.0};  // reads all other messages first
    const std::int64_t until_told = compare_items();
    const bool changes = is_ready_to_change();
    if (changes && !own_.joining.empty()) return take_in();
    if (own_.options.loads_known && items_ <= ahead && may_ask()) ask();
    if (changes && own_.learning.most > 0 && own_.learning.coming == 0 && may_ask()) {
      if (own_.learning.most < group_.ranks.size()) return give_back();
      own_.learning.most = 0;
      has_shrunk(group_.chain.walker, group_.ranks);
      if (is_rank_0()) answer_all();
    }
    const std::int64_t items =
        own_.options.loads_known && !own_.asked && items_ > ahead ? items_ - ahead : items_;
    return work_listening(std::min(items, until_told), known_);
  }

  /// Returns the item times since the joining ranks stopped competing for cores.
  ItemTimes undisturbed() const {
    const ItemTimes& skipped = own_.learning.skipped;
    return skipped.ranks == known_.measured.ranks ? known_.measured.since(skipped)
                                                  : known_.measured;
  }

  bool has_changed() const {
    return own_.learning.before.items > 0 && own_.learning.before.ranks != group_.ranks.size();
  }

  /// Compares item times with those before the last change, and reports to rank 0 if watched or if
  /// the group is larger and slower. Returns the number of items until the next comparison.
  std::int64_t compare_items() {
    Spread::Learning& learning = own_.learning;
    const ItemTimes& now = known_.measured;
    if (!has_changed()) {
      learning.before = now;
      return is_ready_to_change() ? items_ : 1;
    }
    if (about_equal(now.ranks, learning.before.ranks)) return items_;
    if (learning.seen.ranks != now.ranks) {
      learning.seen = now;
      learning.items = 0;
    }
    const std::int64_t more = now.items - learning.seen.items;
    if (more > 0 && more >= learning.items) {
      const SizeComparison comparison = compared(learning.before, now, learning.seen);
      const bool is_slower = now.ranks > learning.before.ranks && comparison.is_slower();
      const bool tells = is_slower || learning.watched;
      learning.items += more;
      learning.seen = now;
      if (learning.items >= SizeComparison::enough && !is_slower) {
        learning.before = now;
        learning.watched = false;  // an answer of rank 0, possibly this rank, may set it
      }
      if (tells) {
        send_to_coordinator(Measured{group_.chain, comparison, now.log_mean}.to_message(group_));
        if (is_rank_0()) {
          answer_all();
        } else {
          ++learning.unheard;
        }
      }
      return std::max<std::int64_t>(1, learning.items);
    }
    return std::max<std::int64_t>(1, learning.items - more);
  }

  /// Returns whether enough item times were measured for comparisons after the next change.
  bool is_ready_to_change() const {
    constexpr std::int64_t few = 40;  // with fewer items left, measuring takes too long
    const Spread::Learning& learning = own_.learning;
    if (!learning.watched || items_ <= ahead) return true;
    if (learning.skipped.items > 0 && !own_.joining.empty() && items_ >= few) {
      const std::int64_t enough =
          std::clamp(items_ / few, SizeComparison::enough_before, SizeComparison::enough);
      if (undisturbed().items < enough) return false;
    }
    // A group that is to return to its size before the last change measures the current size first.
    if (has_changed()) return known_.measured.items > 0 || next_size() != learning.before.ranks;
    const std::int64_t known = learning.before.items;
    if (known == 0 || known >= SizeComparison::enough_before || items_ < few) return known > 0;
    // Few items suffice if sizes are very different.
    const int ranks = group_.ranks.size();
    return next_size() >= 4 * ranks || ranks >= 4 * next_size();
  }

  /// Gives the last ranks back, as ordered by rank 0; the contact stays.
  Next give_back() {
    const int kept = std::exchange(own_.learning.most, 0);
    const int given = group_.ranks.size() - kept;
    const RankSet& all = group_.ranks;
    RankSet stay = all.slice(0, kept);
    RankSet leave = all.slice(kept, given);
    if (!stay.contains(own_.contact)) {
      int below = 0;
      while (!all.slice(0, below + 1).contains(own_.contact)) ++below;
      stay = united(all.slice(0, kept - 1), all.slice(below, 1));
      leave = united(all.slice(kept - 1, below - kept + 1),
                     all.slice(below + 1, all.size() - below - 1));
    }
    const Message::Numbers numbers = to_numbers(kept);
    std::vector<std::int64_t> note{goes_on};
    std::ranges::copy(numbers, std::back_inserter(note));
    go_on_as(numbers);
    has_shrunk(group_.chain.walker, stay);
    return Regroup{{{std::move(stay), group_.chain, std::move(note)},
                    {std::move(leave), {}, {given_back, group_.chain.walker}}}};
  }

  /// Merges this group with all parts that have offered help.
  Next take_in() {
    std::vector<RankSet> sets{group_.ranks};
    for (const Message& part : own_.joining) sets.push_back(part.ranks);
    Group whole{united(sets), group_.chain, {}};
    const Message::Numbers numbers = to_numbers(whole.ranks.size());
    go_on_as(numbers);
    for (const Message& part : std::exchange(own_.joining, {})) {
      send(part.from, take, whole, numbers);
    }
    return Regroup{{whole}};
  }

  /// Returns the size of the group with all parts that have offered help.
  int joined_size() const {
    int ranks = group_.ranks.size();
    for (const Message& part : own_.joining) ranks += part.ranks.size();
    return ranks;
  }

  /// Returns the size of the group after the pending change.
  int next_size() const {
    return own_.joining.empty() && own_.learning.most > 0 ? own_.learning.most : joined_size();
  }

  // Returns the state for the leader of the group of `size` ranks that continues the chain.
  Message::Numbers to_numbers(int size) const {
    const Spread::Learning& learning = own_.learning;
    const ItemTimes now = undisturbed();
    // Until a comparison is complete, sizes are compared with the size with the most items.
    const bool is_incomplete =
        has_changed() && learning.watched && now.items <= learning.before.items;
    const bool is_unknown = now.items < SizeComparison::enough_before;
    const bool keeps_before =
        learning.before.items > 0 && !about_equal(size, learning.before.ranks);
    const ItemTimes& before = keeps_before && (is_incomplete || is_unknown) ? learning.before : now;
    return {group_.chain.walker,
            items_,
            before.ranks,
            before.items,
            number_of(before.log_mean),
            before.stretches,
            number_of(before.squared_deviations),
            learning.unheard,
            learning.watched ? 1 : 0,
            learning.most,
            learning.coming,
            own_.contact};
  }

  void go_on_as(const Message::Numbers& numbers) {
    const auto& [walker, items, ranks, measured, log_mean, stretches, deviations, unheard, watched,
                 most, coming, contact] = numbers;
    own_.contact = static_cast<int>(contact);
    own_.learning = {};
    own_.learning.unheard = static_cast<int>(unheard);
    own_.learning.watched = watched != 0;
    own_.learning.most = static_cast<int>(most);
    own_.learning.coming = static_cast<int>(coming);
    own_.learning.before = {static_cast<int>(ranks), measured, value_of(log_mean), stretches,
                            value_of(deviations)};
  }

  void refuse(const Message& part) { send(part.from, gone, group_, {group_.chain.walker}); }

  Next finished() {
    for (const Message& part : own_.joining) refuse(part);
    own_.joining.clear();
    if (own_.target == nobody && may_ask()) ask();
    if (own_.next != nobody) {
      own_.asked = false;
      own_.contact = group_.leader();
      return taken_up(group_, *known_.queue.find(std::exchange(own_.next, nobody)));
    }
    if (own_.released) return Stop{};
    if (own_.told) return divide();
    if (own_.target != nobody) offer_help();
    return Wait{};
  }

  /// Returns whether the group may send its request, not before all `measured` are answered.
  bool may_ask() const { return !own_.asked && own_.learning.unheard == 0; }

  void ask() {
    own_.asked = true;
    if (own_.learning.most > 0) has_shrunk(group_.chain.walker, group_.ranks);
    own_.learning = {};
    send_to_coordinator(request, std::exchange(own_.refused, nobody));
    if (is_rank_0()) answer_all();
  }

  void offer_help() {
    if (!std::exchange(own_.offered, true))
      send(own_.target, here, group_, {own_.learning.help_watched ? 1 : 0});
  }

  /// Divides the group as rank 0 has answered. Ranks that help no group stay with the leader.
  Next divide() {
    const RankSet& ranks = group_.ranks;
    own_.told = false;
    int given = 0;
    for (const auto& share : own_.shares) given += share.ranks;
    std::vector<Group> parts;
    int next = ranks.size() - given;
    if (next > 0) parts.push_back({ranks.slice(0, next), {}, {}});
    for (const auto& share : own_.shares) {
      parts.push_back({ranks.slice(next, share.ranks), {}, {share.contact, share.watched}});
      next += share.ranks;
    }
    const bool leader_helps = given == ranks.size();
    if (leader_helps) {
      own_.target = own_.shares.front().contact;
      own_.learning.help_watched = own_.shares.front().watched;
      own_.asked = own_.offered = false;
    }
    own_.shares.clear();
    if (parts.size() > 1) return Regroup{std::move(parts)};
    offer_help();
    return Wait{};
  }

  Next be_taken(const Message& message) {
    own_.target = nobody;
    own_.asked = own_.told = own_.offered = false;
    go_on_as(message.numbers);
    return merged(message.ranks, {static_cast<int>(message.numbers[0]), message.numbers[1]});
  }

  Spread& own_;
  const Knowledge& known_;
  const Group& group_;
  const std::int64_t items_;
  const Message* taken_ = nullptr;  // acceptance of the group's own offer
  std::vector<Outgoing> send_;
};

}  // namespace

Decision Spread::decide(const Knowledge& known) { return Decider(*this, known).decision(); }

std::string_view Spread::word(std::int32_t number) const {
  constexpr std::array words{"report", "request", "help",   "last help", "release", "here",  "take",
                             "gone",   "next",    "shrink", "measured",  "heard",   "shrunk"};
  return words.at(static_cast<std::size_t>(number));
}

std::unique_ptr<Balancer> make_spread(const Options& options) {
  Spread rules;
  rules.options = {.loads_known = options.text("loads") == "known",
                   .prefer_own_node = options.text("prefer_own_node") == "true"};
  return std::make_unique<StatefulBalancer<Spread>>(std::move(rules));
}

}  // namespace regroup
