// SPDX-License-Identifier: BSD-3-Clause
//
// asynchronous, the paper's balancer in which only the two groups that merge take part:
//
//   working:   after every item, a group accepts a pending request: both groups merge and continue
//              the walker of the accepting (right) group. The first group has no left neighbour,
//              so it does not look for requests
//   finished:  a group asks the leader of the group on the right (rank hi + 1: groups only grow to
//              the left, so that rank stays the leader) and waits for the answer
//
//   blocked:   if its chain waits for messages of other chains, a group asks as if it had
//              finished, and continues if they arrive before the answer. A group that has no group
//              to ask offers itself to its left neighbour, which refuses if it is asking itself.
//              When groups merge, one chain is parked, and the merged group alternates the chains
//
// Option `finished_groups`:
//
//   release    a request to a finished group waits until that group's own request is answered; the
//              last group cannot ask and releases its asker, which releases its own, and so on.
//              Requests only go to the right, so there is no cycle.
//   merge      finished groups merge until one is left (the paper's behaviour). Each tosses a
//              coin: heads, it asks; tails, it listens for a while and tosses again. A group that
//              is asking refuses all requests. After an answer, yes or no, it listens before it
//              tosses again; the first group always asks, the last always listens.
//
// Source: Dinan et al., Noncollective Communicator Creation in MPI, EuroMPI 2011, section 4.
#include <array>
#include <utility>

#include "balancers/balancers.hpp"
#include "regroup/numbers.hpp"

namespace regroup {
namespace {

enum Word : std::int32_t { request, accept, refuse, release, offer };

/// One decision of a group.
class Decider {
 public:
  Decider(Asynchronous& own, const Knowledge& known)
      : own_(own), known_(known), group_(known.group) {}

  Decision decision() {
    if (known_.message) {
      const Message& message = *known_.message;
      switch (message.word) {
        case request:
          own_.asker = message.ranks;
          break;
        case accept: {
          const Chain chain{static_cast<int>(message.numbers[0]), message.numbers[1]};
          own_.asking = own_.offering = false;
          own_.answered = chain.items_left == 0;
          own_.released = message.numbers[2] != 0;
          return {merged(united(group_.ranks, message.ranks), chain), {}};
        }
        case refuse:
          own_.asking = false;
          (own_.offering ? own_.turned_down : own_.answered) = true;
          own_.offering = false;
          break;
        case release:
          own_.asking = false;
          own_.released = true;
          break;
        case offer:
          return own_.asking ? turn_down(message) : take_in(message);
      }
    }
    return next();
  }

 private:
  Decision next() {
    if (group_.chain.items_left == 0) return own_.merges ? go_on_merging() : wait_for_release();
    if (!known_.blocked) own_.turned_down = false;
    if (own_.asking) return work();  // the left neighbour waits for this answer
    if (own_.asker) return join_asker();
    if (!known_.blocked) return work();
    const bool offers = is_last() || own_.released;
    if (offers && (is_first() || own_.turned_down)) return work();
    own_.offering = offers;
    Decision asking = offers ? ask(group_.leader() - 1, offer) : ask();
    asking.next = work().next;
    return asking;
  }

  bool is_first() const { return group_.leader() == 0; }
  bool is_last() const { return group_.ranks.hi() == known_.ranks - 1; }

  Decision work() const {
    return {Work{group_.chain.items_left, !is_first() || known_.exchanges}, {}};
  }

  Decision wait_for_release() {
    if (own_.offering) return {Wait{}, {}};
    if (!own_.released && !is_last()) return own_.asking ? Decision{Wait{}, {}} : ask();
    if (is_first()) return {Stop{}, {}};
    if (own_.asker) return {Stop{}, {to_asker(release)}};
    return {Wait{}, {}};
  }

  Decision go_on_merging() {
    if (own_.asking && own_.asker) return {Wait{}, {to_asker(refuse)}};
    if (own_.asking) return {Wait{}, {}};
    if (own_.asker) return join_asker();
    if (is_first() && is_last()) return {Stop{}, {}};
    if (is_last()) return {Wait{}, {}};
    const bool heads = is_first() || (known_.random & 1) != 0;
    if (heads && !std::exchange(own_.answered, false)) return ask();
    // Uniform around the mean, so that neighbours that begin together drift apart.
    return {Wait{own_.listen_s * (0.5 + unit_interval(known_.random))}, {}};
  }

  Decision turn_down(const Message& part) {
    Decision decision = next();
    decision.send.push_back(outgoing(part.from, refuse));
    return decision;
  }

  Decision join_asker() {
    const RankSet together = united(*own_.asker, group_.ranks);
    return {merged(together, group_.chain), {to_asker(accept)}};
  }

  Decision ask() { return ask(group_.ranks.hi() + 1, request); }
  Decision ask(int neighbour, Word word) {
    own_.asking = true;
    return {Wait{}, {outgoing(neighbour, word)}};
  }

  /// Merges with the group on the right, which offers itself.
  Decision take_in(const Message& part) {
    own_.released = part.numbers[2] != 0;
    return {merged(united(group_.ranks, part.ranks), group_.chain), {outgoing(part.from, accept)}};
  }

  Outgoing to_asker(Word word) {
    const int leader = own_.asker->lo();
    own_.asker.reset();
    return outgoing(leader, word);
  }

  Outgoing outgoing(int to, Word word) const {
    const Chain& chain = group_.chain;
    const bool released = (word == accept || word == offer) && own_.released;
    return {to, {word, 0, group_.ranks, {chain.walker, chain.items_left, released}}};
  }

  Asynchronous& own_;
  const Knowledge& known_;
  const Group& group_;
};

}  // namespace

Decision Asynchronous::decide(const Knowledge& known) { return Decider(*this, known).decision(); }

std::string_view Asynchronous::word(std::int32_t number) const {
  constexpr std::array words{"request", "accept", "refuse", "release", "offer"};
  return words.at(static_cast<std::size_t>(number));
}

std::unique_ptr<Balancer> make_asynchronous(const Options& options) {
  Asynchronous rules;
  rules.merges = options.text("finished_groups") == "merge";
  if (rules.merges) rules.listen_s = options.real("listen_ms") / 1000;
  return std::make_unique<StatefulBalancer<Asynchronous>>(std::move(rules));
}

bool asynchronous_draws(const Options& options) {
  return options.text("finished_groups") == "merge";
}

}  // namespace regroup
