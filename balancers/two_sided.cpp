// SPDX-License-Identifier: BSD-3-Clause
//
// two_sided: the smallest step beyond the paper's balancer. Groups stay ranges, but a finished one
// helps the neighbours on both of its sides, and nobody knows more than his neighbours.
//
//   working   after an item it takes in the parts that are there to help, on either side, and goes
//             on. Shortly before its end it asks both neighbours how long they will still take
//   finished  when both have answered it divides itself between them so that the later one ends as
//             early as it can. Each part says to its neighbour that it is there, and waits. Where
//             neither works the whole goes with one of them
//   idle      it takes in at once who is there. Two that said it to each other become one. So
//             whoever waits waits for a group that works, or in the end for two of these
//   end       one group is left
//
// A message goes to the rank next to the own ones, and so to the leader of the group beside it,
// whoever that is by then. Every question is answered, and who asked regroups only when it was: so
// no message is under way when the last group stops.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "balancers/balancers.hpp"
#include "balancers/listening.hpp"

namespace regroup {
namespace {

enum Word : std::int32_t { ask, answer, here, take };

/// Times travel in nanoseconds.
std::int64_t ns(double seconds) { return std::llround(seconds * 1e9); }
double from_ns(std::int64_t number) { return static_cast<double>(number) * 1e-9; }

class TwoSided final : public Balancer {
 public:
  Decision decide(const Knowledge& known) override {
    send_.clear();
    if (known.group.ranks != ranks_) begin(known);
    if (known.message) read(*known.message, known);
    Decision decision{next(known), {}};
    decision.send = std::move(send_);
    return decision;
  }

  std::string_view word(std::int32_t number) const override {
    constexpr std::array words{"ask", "answer", "here", "take"};
    return words.at(static_cast<std::size_t>(number));
  }

  std::unique_ptr<Balancer> clone() const override { return std::make_unique<TwoSided>(*this); }

  std::vector<std::int64_t> memory() const override {
    std::vector<std::int64_t> memory{ranks_.lo(), ranks_.hi(), side_, said_, ns(slow_item_s_)};
    for (const Neighbour& neighbour : neighbours_) {
      memory.insert(memory.end(), {neighbour.asked, neighbour.ranks, ns(neighbour.seconds_left)});
    }
    for (const RankSet& part : waiting_) memory.insert(memory.end(), {part.lo(), part.hi()});
    return memory;
  }

 private:
  enum Side : int { left = 0, right = 1, neither = 2 };

  struct Neighbour {
    bool asked = false;
    int ranks = 0;  // 0: it has not answered
    double seconds_left = 0;
  };

  using Next = decltype(Decision::next);

  static bool has(Side side, const Knowledge& known) {
    return side == left ? known.group.leader() > 0 : known.group.ranks.hi() < known.ranks - 1;
  }
  static int beside(Side side, const Group& group) {
    return side == left ? group.ranks.lo() - 1 : group.ranks.hi() + 1;
  }
  static Side side_of(const RankSet& other, const Group& group) {
    return other.lo() < group.leader() ? left : right;
  }

  void begin(const Knowledge& known) {
    const Group& group = known.group;
    ranks_ = group.ranks;
    side_ = group.note.empty() ? neither : static_cast<Side>(group.note.front());
    said_ = neither;
    neighbours_ = {};
    slow_item_s_ = std::max(slow_item_s_, known.forecast.item_s(ranks_.size()));
  }

  void read(const Message& message, const Knowledge& known) {
    const Group& group = known.group;
    const int ranks = group.ranks.size();
    switch (message.word) {
      case ask:
        send_.push_back(
            {message.from,
             {answer,
              0,
              group.ranks,
              {ranks, ns(known.forecast.seconds(
                          group.chain.items_left + known.queue.items_after(group.chain.walker),
                          ranks))}}});
        break;
      case answer: {
        Neighbour& neighbour = neighbours_[side_of(message.ranks, group)];
        neighbour.ranks = static_cast<int>(message.numbers[0]);
        neighbour.seconds_left = from_ns(message.numbers[1]);
        break;
      }
      case here: {
        // It was for another part, where this group has been divided meanwhile.
        const int met =
            side_of(message.ranks, group) == left ? message.ranks.hi() + 1 : message.ranks.lo() - 1;
        if (group.ranks.contains(met)) {
          waiting_.push_back(message.ranks);
        } else {
          send_.push_back({met, message});
        }
        break;
      }
      case take:
        taken_ = message;
        break;
    }
  }

  Next next(const Knowledge& known) {
    const Group& group = known.group;
    if (taken_) return be_taken(known);
    if (said_ != neither) return meet(known);
    if (side_ != neither) return go(side_, known);
    if (group.chain.items_left > 0) {
      if (known.message) return Wait{0.0};  // for more of them
      if (!waiting_.empty() && all_answered()) return take_in(known);
      return work(known);
    }
    if (group.ranks.size() == known.ranks) return Stop{};
    if (!all_answered()) return Wait{};
    if (!waiting_.empty()) return take_in(known);
    if (!has(left, known)) return go(right, known);
    if (!has(right, known)) return go(left, known);
    if (!neighbours_[left].asked) {
      ask_both(known);
      return Wait{};
    }
    return divide(known);
  }

  Next work(const Knowledge& known) {
    const Group& group = known.group;
    const std::int64_t items = group.chain.items_left;
    // As early as a neighbour with longer items needs to answer in time.
    const double item_s = known.forecast.item_s(group.ranks.size());
    const auto ahead = static_cast<std::int64_t>(std::ceil(slow_item_s_ / item_s));
    const bool asks = has(left, known) && has(right, known) && !neighbours_[left].asked &&
                      known.queue.after(group.chain.walker) == nullptr;
    if (asks && items > ahead) return work_listening(items - ahead, group, known.forecast);
    if (asks) ask_both(known);
    return work_listening(items, group, known.forecast);
  }

  void ask_both(const Knowledge& known) {
    for (const Side side : {left, right}) {
      neighbours_[side].asked = true;
      send_.push_back({beside(side, known.group), {ask, 0, known.group.ranks, {}}});
    }
  }

  bool all_answered() const {
    return std::ranges::all_of(neighbours_, [](const Neighbour& neighbour) {
      return !neighbour.asked || neighbour.ranks > 0;
    });
  }

  /// All that wait beside this group become part of it.
  Next take_in(const Knowledge& known) {
    const Group& group = known.group;
    std::vector<RankSet> sets = waiting_;
    sets.push_back(group.ranks);
    const RankSet whole = united(sets);
    for (const RankSet& part : waiting_) {
      send_.push_back(
          {part.lo(),
           {take, 0, whole, {group.chain.walker, group.chain.items_left, ns(slow_item_s_)}}});
    }
    waiting_.clear();
    return merged(whole, group.chain);
  }

  Next be_taken(const Knowledge& known) {
    const Message message = *std::exchange(taken_, std::nullopt);
    slow_item_s_ = std::max(slow_item_s_, from_ns(message.numbers[2]));
    pass_on(message.ranks, known);
    return merged(message.ranks, {static_cast<int>(message.numbers[0]), message.numbers[1]});
  }

  /// Two that wait for each other.
  Next meet(const Knowledge& known) {
    const auto other = std::ranges::find_if(
        waiting_, [&](const RankSet& part) { return side_of(part, known.group) == said_; });
    if (other == waiting_.end()) return Wait{};
    const RankSet whole = united(known.group.ranks, *other);
    waiting_.erase(other);
    pass_on(whole, known);
    return merged(whole, {});
  }

  /// Those that wait for this group wait for the `whole` from now on.
  void pass_on(const RankSet& whole, const Knowledge& known) {
    if (whole.lo() == known.group.leader()) return;
    for (const RankSet& part : std::exchange(waiting_, {})) {
      send_.push_back({whole.lo(), {here, 0, part, {}}});
    }
  }

  /// Between the neighbours, one rank at a time to the one that ends later, while that helps it.
  Next divide(const Knowledge& known) {
    const RankSet& ranks = known.group.ranks;
    const Forecast& forecast = known.forecast;
    std::array<int, 2> more{};
    const auto seconds = [&](Side side) {
      const Neighbour& neighbour = neighbours_[side];
      return neighbour.seconds_left * forecast.item_s(neighbour.ranks + more[side]) /
             forecast.item_s(neighbour.ranks);
    };
    std::array<double, 2> ends{seconds(left), seconds(right)};
    if (ends[left] == 0 && ends[right] == 0) return go(idle_side(known.group), known);
    for (int rank = 0; rank < ranks.size(); ++rank) {
      const Side side = ends[left] > ends[right] ? left : right;
      ++more[side];
      ends[side] = seconds(side);
    }
    if (more[right] == 0) return go(left, known);
    if (more[left] == 0) return go(right, known);
    return Regroup{{{ranks.slice(0, more[left]), {}, {left}},
                    {ranks.slice(more[left], more[right]), {}, {right}}}};
  }

  /// Where to go if neither neighbour works: so that groups of equal size meet in pairs.
  static Side idle_side(const Group& group) {
    return group.leader() / group.ranks.size() % 2 == 0 ? right : left;
  }

  Next go(Side side, const Knowledge& known) {
    side_ = neither;
    said_ = side;
    send_.push_back({beside(side, known.group), {here, 0, known.group.ranks, {}}});
    return meet(known);
  }

  RankSet ranks_;           // of the group when it last decided
  Side side_ = neither;     // where this part shall go
  Side said_ = neither;     // … and where it said that it is there
  double slow_item_s_ = 0;  // the longest item among those whom it was made of
  std::array<Neighbour, 2> neighbours_;
  std::vector<RankSet> waiting_;  // parts that are there, beside this group
  std::optional<Message> taken_;
  std::vector<Outgoing> send_;
};

}  // namespace

std::unique_ptr<Balancer> make_two_sided(const Options&) { return std::make_unique<TwoSided>(); }

}  // namespace regroup
