// SPDX-License-Identifier: BSD-3-Clause
//
// two_sided: the smallest step beyond the paper's balancer. Groups stay ranges, but a finished one
// helps the neighbours on both of its sides, and no group knows more than its neighbours.
//
//   working   after an item, a group takes in all parts that have offered help on either side, and
//             continues. Shortly before its end it asks both neighbours for their time left
//   finished  when both have answered, it divides itself between them so that the later one ends as
//             early as possible. Each part offers help to its neighbour, and waits. If neither
//             neighbour works, the whole group offers to join one of them
//   idle      it takes in all offers at once. Two groups that offer each other help merge. So each
//             waiting group waits for a working group or, in the end, for two groups that merge
//   end       one group is left
//
// A message is sent to the rank next to the sender's ranks, and reaches the current leader of that
// rank's group. Every question is answered, and the asker regroups only after the answers, so no
// message is in flight when the last group stops.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "balancers/balancers.hpp"

namespace regroup {
namespace {

enum Word : std::int32_t { ask, answer, here, take };

using enum TwoSided::Side;
using Side = TwoSided::Side;
using Neighbour = TwoSided::Neighbour;

/// Messages carry times in nanoseconds.
std::int64_t ns(double seconds) { return std::llround(seconds * 1e9); }
double from_ns(std::int64_t number) { return static_cast<double>(number) * 1e-9; }

/// One decision of a group.
class Decider {
 public:
  Decider(TwoSided& own, const Knowledge& known)
      : own_(own), known_(known), group_(known.group), items_(known.group.chain.items_left) {}

  Decision decision() {
    if (group_.ranks != own_.ranks) begin();
    if (known_.message) read(*known_.message);
    Next decided = next();
    return {std::move(decided), std::move(send_)};
  }

 private:
  using Next = decltype(Decision::next);

  bool has(Side side) const {
    return side == left ? group_.leader() > 0 : group_.ranks.hi() < known_.ranks - 1;
  }
  int beside(Side side) const {
    return side == left ? group_.ranks.lo() - 1 : group_.ranks.hi() + 1;
  }
  Side side_of(const RankSet& other) const { return other.lo() < group_.leader() ? left : right; }

  void begin() {
    own_.ranks = group_.ranks;
    own_.side = group_.note.empty() ? neither : static_cast<Side>(group_.note.front());
    own_.offered = neither;
    own_.neighbours = {};
    own_.slow_item_s = std::max(own_.slow_item_s, known_.forecast.item_s(own_.ranks.size()));
  }

  void read(const Message& message) {
    switch (message.word) {
      case ask: {
        const int ranks = group_.ranks.size();
        const std::int64_t items = items_ + known_.queue.items_after(group_.chain.walker);
        send_.push_back(
            {message.from,
             {answer, 0, group_.ranks, {ranks, ns(known_.forecast.seconds(items, ranks))}}});
        break;
      }
      case answer: {
        Neighbour& neighbour = own_.neighbours[side_of(message.ranks)];
        neighbour.ranks = static_cast<int>(message.numbers[0]);
        neighbour.seconds_left = from_ns(message.numbers[1]);
        break;
      }
      case here: {
        // If this group has divided since, the offer may belong to another part of it.
        const int met =
            side_of(message.ranks) == left ? message.ranks.hi() + 1 : message.ranks.lo() - 1;
        if (group_.ranks.contains(met)) {
          own_.waiting.push_back(message.ranks);
        } else {
          send_.push_back({met, message});
        }
        break;
      }
      case take:
        own_.taken = message;
        break;
    }
  }

  Next next() {
    if (own_.taken) return be_taken();
    if (own_.offered != neither) return meet();
    if (own_.side != neither) return go(own_.side);
    if (items_ > 0) {
      if (known_.message) return Wait{0.0};  // reads all other messages first
      if (!own_.waiting.empty() && all_answered()) return take_in();
      return work();
    }
    if (group_.ranks.size() == known_.ranks) return Stop{};
    if (!all_answered()) return Wait{};
    if (!own_.waiting.empty()) return take_in();
    if (!has(left)) return go(right);
    if (!has(right)) return go(left);
    if (!own_.neighbours[left].asked) {
      ask_both();
      return Wait{};
    }
    return divide();
  }

  Next work() {
    // Asks so early that a neighbour with longer items can answer in time.
    const double item_s = known_.forecast.item_s(group_.ranks.size());
    const auto ahead = static_cast<std::int64_t>(std::ceil(own_.slow_item_s / item_s));
    const bool asks = has(left) && has(right) && !own_.neighbours[left].asked &&
                      known_.queue.after(group_.chain.walker) == nullptr;
    if (asks && items_ > ahead) return work_listening(items_ - ahead, known_);
    if (asks) ask_both();
    return work_listening(items_, known_);
  }

  void ask_both() {
    for (const Side side : {left, right}) {
      own_.neighbours[side].asked = true;
      send_.push_back({beside(side), {ask, 0, group_.ranks, {}}});
    }
  }

  bool all_answered() const {
    return std::ranges::all_of(own_.neighbours, [](const Neighbour& neighbour) {
      return !neighbour.asked || neighbour.ranks > 0;
    });
  }

  /// Merges this group with all parts that wait beside it.
  Next take_in() {
    std::vector<RankSet> sets = own_.waiting;
    sets.push_back(group_.ranks);
    const RankSet whole = united(sets);
    for (const RankSet& part : own_.waiting) {
      send_.push_back(
          {part.lo(), {take, 0, whole, {group_.chain.walker, items_, ns(own_.slow_item_s)}}});
    }
    own_.waiting.clear();
    return merged(whole, group_.chain);
  }

  Next be_taken() {
    const Message message = *std::exchange(own_.taken, std::nullopt);
    own_.slow_item_s = std::max(own_.slow_item_s, from_ns(message.numbers[2]));
    pass_on(message.ranks);
    return merged(message.ranks, {static_cast<int>(message.numbers[0]), message.numbers[1]});
  }

  /// Merges with the group to which help was offered if that group offers help too, else waits.
  Next meet() {
    const auto other = std::ranges::find_if(
        own_.waiting, [&](const RankSet& part) { return side_of(part) == own_.offered; });
    if (other == own_.waiting.end()) return Wait{};
    const RankSet whole = united(group_.ranks, *other);
    own_.waiting.erase(other);
    pass_on(whole);
    return merged(whole, {});
  }

  /// Forwards the offers of waiting parts to the leader of `whole`, if that is another rank.
  void pass_on(const RankSet& whole) {
    if (whole.lo() == group_.leader()) return;
    for (const RankSet& part : std::exchange(own_.waiting, {})) {
      send_.push_back({whole.lo(), {here, 0, part, {}}});
    }
  }

  /// Divides the group between its neighbours: each rank goes to the one that then ends later.
  Next divide() {
    const RankSet& ranks = group_.ranks;
    std::array<int, 2> more{};
    const auto seconds = [&](Side side) {
      const Neighbour& neighbour = own_.neighbours[side];
      return neighbour.seconds_left * known_.forecast.item_s(neighbour.ranks + more[side]) /
             known_.forecast.item_s(neighbour.ranks);
    };
    std::array<double, 2> ends{seconds(left), seconds(right)};
    if (ends[left] == 0 && ends[right] == 0) return go(idle_side());
    for (int rank = 0; rank < ranks.size(); ++rank) {
      const Side side = ends[left] > ends[right] ? left : right;
      ++more[side];
      ends[side] = seconds(side);
    }
    if (more[right] == 0) return go(left);
    if (more[left] == 0) return go(right);
    return Regroup{{{ranks.slice(0, more[left]), {}, {left}},
                    {ranks.slice(more[left], more[right]), {}, {right}}}};
  }

  /// Returns the side to join if neither neighbour works; groups of equal size meet in pairs.
  Side idle_side() const { return group_.leader() / group_.ranks.size() % 2 == 0 ? right : left; }

  Next go(Side side) {
    own_.side = neither;
    own_.offered = side;
    send_.push_back({beside(side), {here, 0, group_.ranks, {}}});
    return meet();
  }

  TwoSided& own_;
  const Knowledge& known_;
  const Group& group_;
  const std::int64_t items_;
  std::vector<Outgoing> send_;
};

}  // namespace

Decision TwoSided::decide(const Knowledge& known) { return Decider(*this, known).decision(); }

std::string_view TwoSided::word(std::int32_t number) const {
  constexpr std::array words{"ask", "answer", "here", "take"};
  return words.at(static_cast<std::size_t>(number));
}

std::unique_ptr<Balancer> make_two_sided(const Options&) {
  return std::make_unique<StatefulBalancer<TwoSided>>();
}

}  // namespace regroup
