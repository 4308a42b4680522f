// SPDX-License-Identifier: BSD-3-Clause
//
// spread: a group that finishes is divided among those that are predicted to finish last.
//
//   start     every leader reports its group to rank 0, which always leads a group, and which keeps
//             a table of all (keeper.hpp). start: proportional: before, all ranks are divided by
//             loads, in one exchange
//   working   shortly before its last item ends a group asks rank 0 whom its ranks shall help; with
//             unknown loads, when it is done
//   finished  it divides itself as it is told. The leader of each part says to the group that it
//             shall help that it is there, and waits
//   helping   a working group looks for such parts after an item, takes in all that have come, and
//             goes on
//   end       ranks that can help nobody wait; when all wait, rank 0 lets them stop
//
// prefer_own_node: ranks help groups on their own node as long as one works there: communication
// between nodes is dearer.
//
// Nobody waits for others but idle ranks; a group that works is held up by regroupings only.
// Looking costs an order an item, so where items are so short that it shows, a group looks more
// seldom.
#include <algorithm>
#include <utility>

#include "balancers/balancers.hpp"
#include "balancers/listening.hpp"
#include "balancers/load_table.hpp"

namespace regroup {
namespace {

/// So many items before its end a group asks.
constexpr std::int64_t ahead = 1;

class Spread final : public Balancer {
 public:
  Spread(bool known, bool proportional, bool prefer_own_node)
      : known_(known), proportional_(proportional), keeper_(known, prefer_own_node) {}

  Decision decide(const Knowledge& known) override {
    send_.clear();
    if (known.message) read(*known.message, known);
    Decision decision{next(known), {}};
    decision.send = std::move(send_);
    return decision;
  }

  std::vector<Group> plan(std::span<const Group> groups, const Forecast& forecast) const override {
    return divided_by_load(groups, planned_group, forecast);
  }

  std::string_view word(std::int32_t number) const override {
    constexpr std::array words{"report", "request", "help", "last help", "release",
                               "here",   "take",    "gone", "next"};
    return words.at(static_cast<std::size_t>(number));
  }

  std::unique_ptr<Balancer> clone() const override { return std::make_unique<Spread>(*this); }

  bool gives_walkers() const override { return true; }

  std::vector<std::int64_t> memory() const override {
    std::vector<std::int64_t> memory{exchanged_, reported_, asked_,   told_, said_,
                                     released_,  target_,   refused_, next_};
    memory.push_back(static_cast<std::int64_t>(shares_.size()));
    for (const auto& share : shares_) memory.insert(memory.end(), {share.contact, share.ranks});
    memory.push_back(static_cast<std::int64_t>(joining_.size()));
    for (const Message& part : joining_) {
      for (const RankRange range : part.ranks.ranges()) {
        memory.insert(memory.end(), {range.lo, range.hi});
      }
    }
    keeper_.append_to(memory);
    return memory;
  }

 private:
  // Notes: a group of the plan, or else whom its ranks shall help.
  static constexpr std::int64_t planned_group = -1;
  static constexpr int nobody = -1;

  using Next = decltype(Decision::next);

  static bool keeps(const Knowledge& known) { return known.group.leader() == 0; }

  void say(int to, SpreadWord word, const Group& group, std::array<std::int64_t, 4> numbers = {}) {
    send_.push_back({to, {word, 0, group.ranks, numbers}});
  }

  /// To rank 0, which may be this one.
  void tell_keeper(SpreadWord word, const Knowledge& known, int refused = nobody) {
    const Group& group = known.group;
    const Message message{
        word, group.leader(), group.ranks, {group.chain.walker, group.chain.items_left, refused}};
    if (keeps(known)) {
      keeper_.hear(message, known);
    } else {
      send_.push_back({0, message});
    }
  }

  /// Rank 0's answers, also to itself.
  void answer_all(const Knowledge& known) {
    for (Outgoing& answer : keeper_.answers(known)) {
      if (answer.to == 0) {
        read(answer.message, known);
      } else {
        send_.push_back(std::move(answer));
      }
    }
  }

  void read(const Message& message, const Knowledge& known) {
    switch (message.word) {
      case report:
      case request:
        keeper_.hear(message, known);
        break;
      case help:
      case last_help:
        for (const std::size_t i : {0u, 2u}) {
          if (message.numbers[i + 1] == 0) continue;
          shares_.push_back(
              {static_cast<int>(message.numbers[i]), static_cast<int>(message.numbers[i + 1])});
        }
        told_ = message.word == last_help;
        break;
      case here:
        if (asked_ || known.group.chain.items_left == 0) {
          refuse(message, known);
        } else {
          joining_.push_back(message);
        }
        break;
      case take:
        taken_ = message;
        break;
      case gone:
        refused_ = static_cast<int>(message.numbers[0]);
        target_ = nobody;
        asked_ = told_ = said_ = false;
        break;
      case release:
        released_ = true;
        break;
      case SpreadWord::next:
        next_ = static_cast<int>(message.numbers[0]);
        break;
    }
  }

  Next next(const Knowledge& known) {
    if (taken_) return be_taken();
    const Group& group = known.group;
    if (!reported_) {
      const bool is_part = !group.note.empty() && group.note.front() != planned_group;
      if (proportional_ && !exchanged_ && group.note.empty()) {
        exchanged_ = true;
        return Exchange{};
      }
      reported_ = true;
      if (is_part) {
        target_ = static_cast<int>(group.note.front());
      } else {
        tell_keeper(report, known);
      }
    }
    if (keeps(known)) {
      keeper_.hear(group.chain, known.forecast);
      if (!keeper_.knows_all(known.ranks)) return Wait{};
      answer_all(known);
    }
    return group.chain.items_left > 0 ? work(known) : finished(known);
  }

  Next work(const Knowledge& known) {
    const Group& group = known.group;
    if (known.message) return Wait{0.0};  // for more of them
    if (!joining_.empty()) return take_in(known);
    const std::int64_t items = group.chain.items_left;
    if (known_ && !asked_ && items <= ahead) ask(known);
    const std::int64_t until = known_ && !asked_ && items > ahead ? items - ahead : items;
    return work_listening(until, group, known.forecast);
  }

  Next take_in(const Knowledge& known) {
    const Group& group = known.group;
    std::vector<RankSet> sets{group.ranks};
    for (const Message& part : joining_) sets.push_back(part.ranks);
    Group whole{united(sets), group.chain, {}};
    for (const Message& part : joining_) {
      say(part.from, take, whole, {group.chain.walker, group.chain.items_left});
    }
    joining_.clear();
    return Regroup{{whole}};
  }

  void refuse(const Message& part, const Knowledge& known) {
    say(part.from, gone, known.group, {known.group.chain.walker});
  }

  Next finished(const Knowledge& known) {
    for (const Message& part : joining_) refuse(part, known);
    joining_.clear();
    if (target_ == nobody && !asked_) ask(known);
    if (next_ != nobody) {
      asked_ = false;
      return taken_up(known.group, *known.queue.find(std::exchange(next_, nobody)));
    }
    if (released_) return Stop{};
    if (told_) return divide(known);
    if (target_ != nobody) go(known);
    return Wait{};
  }

  void ask(const Knowledge& known) {
    asked_ = true;
    tell_keeper(request, known, std::exchange(refused_, nobody));
    if (keeps(known)) answer_all(known);
  }

  void go(const Knowledge& known) {
    if (!std::exchange(said_, true)) say(target_, here, known.group);
  }

  /// As it was told. Those that shall help nobody stay with the leader.
  Next divide(const Knowledge& known) {
    const RankSet& ranks = known.group.ranks;
    told_ = false;
    int given = 0;
    for (const auto& share : shares_) given += share.ranks;
    std::vector<Group> parts;
    int next = ranks.size() - given;
    if (next > 0) parts.push_back({ranks.slice(0, next), {}, {}});
    for (const auto& share : shares_) {
      parts.push_back({ranks.slice(next, share.ranks), {}, {share.contact}});
      next += share.ranks;
    }
    const bool leader_helps = given == ranks.size();
    if (leader_helps) {
      target_ = shares_.front().contact;
      asked_ = said_ = false;
    }
    shares_.clear();
    if (parts.size() > 1) return Regroup{std::move(parts)};
    go(known);
    return Wait{};
  }

  Next be_taken() {
    const Message message = *std::exchange(taken_, std::nullopt);
    target_ = nobody;
    asked_ = told_ = said_ = false;
    return merged(message.ranks, {static_cast<int>(message.numbers[0]), message.numbers[1]});
  }

  bool known_;
  bool proportional_;
  bool exchanged_ = false;
  bool reported_ = false;
  bool asked_ = false;  // whom its ranks shall help
  bool told_ = false;   // all of the answer
  bool said_ = false;   // to whom it shall help that it is there
  bool released_ = false;
  int target_ = nobody;   // whom it shall help
  int refused_ = nobody;  // … and the walker whose group would not be helped
  int next_ = nobody;     // the walker that it shall take up when it is done
  std::vector<HelpTable::Share> shares_;
  std::vector<Message> joining_;  // parts that are there to help
  std::optional<Message> taken_;
  std::vector<Outgoing> send_;

  Keeper keeper_;  // of rank 0
};

}  // namespace

std::unique_ptr<Balancer> make_spread(const Options& options) {
  return std::make_unique<Spread>(options.text("loads") == "known",
                                  options.text("start_division") == "proportional",
                                  options.text("prefer_own_node") == "true");
}

}  // namespace regroup
