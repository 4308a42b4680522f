// SPDX-License-Identifier: BSD-3-Clause
//
// asynchronous, the paper's balancer that needs nobody but the two groups that merge:
//
//   working:   after every item, accept a request that came: the two groups regroup and go on with
//              the right one's walker, which is one's own. Nobody can ask the first group, so it
//              works on without looking
//   finished:  ask the leader of the group on the right (rank hi + 1: groups only grow to the left,
//              so that rank stays the leader) and wait for its answer
//
// What finished groups do among themselves:
//
//   release    a request to a finished group waits for that group's own answer; the last group
//              has nobody to ask and releases its asker, who releases its own, and so on.
//              Requests only ever point right, so there is no cycle.
//   merge      finished groups merge until one is left (the paper's behaviour). Each tosses a
//              coin: heads, it asks; tails, it listens for a while and tosses again. A group that
//              is asking refuses whoever asks it. After an answer, yes or no, it listens before it
//              tosses again; the first group always asks, the last always listens.
//
// Source: Dinan et al., Noncollective Communicator Creation in MPI, EuroMPI 2011, section 4.
#include <array>
#include <utility>

#include "balancers/balancers.hpp"
#include "regroup/numbers.hpp"

namespace regroup {
namespace {

enum Word : std::int32_t { request, accept, refuse, release };

class Asynchronous : public Balancer {
 public:
  Decision decide(const Knowledge& known) override {
    if (known.message) {
      const Message& message = *known.message;
      switch (message.word) {
        case request:
          asker_ = message.ranks;
          break;
        case accept: {
          const Chain chain{static_cast<int>(message.numbers[0]), message.numbers[1]};
          asking_ = false;
          answered_ = chain.items_left == 0;
          return {merged(united(known.group.ranks, message.ranks), chain), {}};
        }
        case refuse:
          asking_ = false;
          answered_ = true;
          break;
        case release:
          asking_ = false;
          released_ = true;
          break;
      }
    }
    if (known.group.chain.items_left == 0) return finished(known);
    if (asker_) return join_asker(known);
    const bool can_be_asked = known.group.leader() > 0;
    return {Work{known.group.chain.items_left, can_be_asked}, {}};
  }

  std::string_view word(std::int32_t number) const override {
    constexpr std::array words{"request", "accept", "refuse", "release"};
    return words.at(static_cast<std::size_t>(number));
  }

  std::vector<std::int64_t> memory() const override {
    return {asker_ ? asker_->lo() : -1, asking_, answered_, released_};
  }

 protected:
  virtual Decision finished(const Knowledge& known) = 0;

  static Outgoing letter(int to, Word word, const Group& group) {
    return {to, {word, 0, group.ranks, {group.chain.walker, group.chain.items_left}}};
  }

  Outgoing to_asker(Word word, const Knowledge& known) {
    const int leader = asker_->lo();
    asker_.reset();
    return letter(leader, word, known.group);
  }

  Decision join_asker(const Knowledge& known) {
    const RankSet together = united(*asker_, known.group.ranks);
    return {merged(together, known.group.chain), {to_asker(accept, known)}};
  }

  Decision ask(const Knowledge& known) {
    asking_ = true;
    return {Wait{}, {letter(known.group.ranks.hi() + 1, request, known.group)}};
  }

  std::optional<RankSet> asker_;  // the left neighbour, while its request has no answer
  bool asking_ = false;           // our own request has no answer yet
  bool answered_ = false;         // by a group without work: it is the others' turn to ask
  bool released_ = false;         // nobody on the right has work any more
};

class Releasing final : public Asynchronous {
 public:
  std::unique_ptr<Balancer> clone() const override { return std::make_unique<Releasing>(*this); }

 private:
  Decision finished(const Knowledge& known) override {
    const bool last = known.group.ranks.hi() == known.ranks - 1;
    if (!released_ && !last) return asking_ ? Decision{Wait{}, {}} : ask(known);
    if (known.group.leader() == 0) return {Stop{}, {}};
    if (asker_) return {Stop{}, {to_asker(release, known)}};
    return {Wait{}, {}};
  }
};

class Merging final : public Asynchronous {
 public:
  explicit Merging(double listen_s) : listen_s_(listen_s) {}
  std::unique_ptr<Balancer> clone() const override { return std::make_unique<Merging>(*this); }

 private:
  Decision finished(const Knowledge& known) override {
    const bool first = known.group.leader() == 0;
    const bool last = known.group.ranks.hi() == known.ranks - 1;
    if (asking_ && asker_) return {Wait{}, {to_asker(refuse, known)}};
    if (asking_) return {Wait{}, {}};
    if (asker_) return join_asker(known);
    if (first && last) return {Stop{}, {}};
    if (last) return {Wait{}, {}};
    const bool heads = first || (known.random & 1) != 0;
    if (heads && !std::exchange(answered_, false)) return ask(known);
    // Uniform around the mean, so that neighbours that began together drift apart.
    return {Wait{listen_s_ * (0.5 + unit_interval(known.random))}, {}};
  }

  double listen_s_;
};

}  // namespace

std::unique_ptr<Balancer> make_asynchronous(const Options& options) {
  if (options.text("finished_groups") == "release") return std::make_unique<Releasing>();
  return std::make_unique<Merging>(options.real("listen_ms") / 1000);
}

bool asynchronous_draws(const Options& options) {
  return options.text("finished_groups") == "merge";
}

}  // namespace regroup
