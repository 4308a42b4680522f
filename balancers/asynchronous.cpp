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
#include "balancers/asynchronous.hpp"

#include <utility>

#include "kernel/numbers/random.hpp"

namespace regroup {
namespace {

class Asynchronous : public Balancer {
 public:
  Decision decide(const Knowledge& known) override {
    if (known.message) {
      switch (known.message->kind) {
        case Message::Kind::request:
          asker_ = known.message->ranks;
          break;
        case Message::Kind::accept:
          asking_ = false;
          answered_ = known.message->items_left == 0;
          return {Merge{{known.group.lo, known.message->ranks.hi},
                        known.message->walker,
                        known.message->items_left},
                  {}};
        case Message::Kind::refuse:
          asking_ = false;
          answered_ = true;
          break;
        case Message::Kind::release:
          asking_ = false;
          released_ = true;
          break;
      }
    }
    if (known.items_left == 0) return finished(known);
    if (asker_) return accept(known);
    const bool can_be_asked = known.group.lo > 0;
    return {Work{known.items_left, can_be_asked}, {}};
  }

  std::vector<std::int64_t> memory() const override {
    return {asker_ ? asker_->lo : -1, asking_, answered_, released_};
  }

 protected:
  virtual Decision finished(const Knowledge& known) = 0;

  Outgoing to_asker(Message::Kind kind, const Knowledge& known) {
    const int leader = asker_->lo;
    asker_.reset();
    return {leader, {kind, known.group, known.walker, known.items_left}};
  }

  Decision accept(const Knowledge& known) {
    const RankRange together{asker_->lo, known.group.hi};
    return {Merge{together, known.walker, known.items_left},
            to_asker(Message::Kind::accept, known)};
  }

  Decision ask(const Knowledge& known) {
    asking_ = true;
    return {Wait{},
            Outgoing{known.group.hi + 1,
                     {Message::Kind::request, known.group, known.walker, known.items_left}}};
  }

  std::optional<RankRange> asker_;  // the left neighbour, while its request has no answer
  bool asking_ = false;             // our own request has no answer yet
  bool answered_ = false;           // by a group without work: it is the others' turn to ask
  bool released_ = false;           // nobody on the right has work any more
};

class Releasing final : public Asynchronous {
 public:
  std::unique_ptr<Balancer> clone() const override { return std::make_unique<Releasing>(*this); }

 private:
  Decision finished(const Knowledge& known) override {
    const bool last = known.group.hi == known.ranks - 1;
    if (!released_ && !last) return asking_ ? Decision{Wait{}, {}} : ask(known);
    if (known.group.lo == 0) return {Stop{}, {}};
    if (asker_) return {Stop{}, to_asker(Message::Kind::release, known)};
    return {Wait{}, {}};
  }
};

class Merging final : public Asynchronous {
 public:
  explicit Merging(double listen_s) : listen_s_(listen_s) {}
  std::unique_ptr<Balancer> clone() const override { return std::make_unique<Merging>(*this); }

 private:
  Decision finished(const Knowledge& known) override {
    const bool first = known.group.lo == 0;
    const bool last = known.group.hi == known.ranks - 1;
    if (asking_ && asker_) return {Wait{}, to_asker(Message::Kind::refuse, known)};
    if (asking_) return {Wait{}, {}};
    if (asker_) return accept(known);
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
  if (options.text("finished") == "release") return std::make_unique<Releasing>();
  return std::make_unique<Merging>(options.real("listen_ms") / 1000);
}

bool asynchronous_draws(const Options& options) { return options.text("finished") == "merge"; }

}  // namespace regroup
