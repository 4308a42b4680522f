// SPDX-License-Identifier: BSD-3-Clause
#include "engines/mpi/process.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engines/mpi/tags.hpp"
#include "kernel/check.hpp"
#include "kernel/clocks/sleep.hpp"
#include "regroup/numbers.hpp"

namespace regroup {
namespace {

/// Returns the nearest power of 1.1, or 0 if `value` is not positive.
double in_steps(double value) {
  return value > 0 ? std::pow(1.1, std::round(std::log(value) / std::log(1.1))) : 0;
}

}  // namespace

void Pacemaker::Mean::add(double value) {
  sum += value;
  ++number;
}

double Pacemaker::Mean::coarse() const {
  return number > 0 ? in_steps(sum / static_cast<double>(number)) : 0;
}

Pacemaker::Pacemaker(const ItemTime& item_time)
    : forecast_{[this, &item_time](int ranks) { return slower_ * item_time.seconds(ranks); },
                [this](int) { return order_.coarse(); },
                [this](int) { return regrouping_.coarse(); }} {}

void Pacemaker::items_took(double expected_s, double measured_s) {
  expected_s_ += expected_s;
  measured_s_ += measured_s;
  if (expected_s_ > 0) slower_ = in_steps(measured_s_ / expected_s_);
}

void Pacemaker::order_took(double measured_s) { order_.add(measured_s); }

void Pacemaker::regrouping_took(double measured_s) { regrouping_.add(measured_s); }

namespace {

/// Returns the one of `groups` that contains `rank`.
const Group& group_of(int rank, const std::vector<Group>& groups) {
  const auto found =
      std::ranges::find_if(groups, [rank](const Group& g) { return g.ranks.contains(rank); });
  check(found != groups.end(), "a rank is in none of the groups that form");
  return *found;
}

}  // namespace

Process::Process(const RunInput& run, MakeCommunicator make, const WalkerSource& walkers,
                 const World& world, Surveyed surveyed, const SharedClock& clock, Turn began)
    : run_(run),
      world_(world),
      waiter_(world.waiter()),
      rank_(world.rank()),
      position_(surveyed.position),
      watch_(surveyed.watch),
      slower_(surveyed.slower),
      make_(make),
      model_{[&run](int ranks) { return run.believed().seconds(ranks); }, [](int) { return 0.0; },
             [](int) { return 0.0; }},
      pacemaker_(run.believed()),
      reporting_(walkers, run.all_items(), world, letters_),
      mail_(run, walkers, world, letters_),
      mailbox_(world, letters_,
               [this](Letter letter) {
                 const Notice notice = notice_in(letter);
                 const bool reports = notice == Notice::report || notice == Notice::failed ||
                                      notice == Notice::enough;
                 reports ? reporting_.take(std::move(letter)) : mail_.take(std::move(letter));
               }),
      carrier_(walkers, run, world),
      clock_(clock) {
  position_.rank = world_.process(rank_);
  const std::size_t own = run.groups.index_of(rank_);
  in_step_ = false;
  begin({run.groups[own], run.chain(own), {}}, began);
  if (leading() && mail_.exists()) {
    mail_.parking().latest = own_.chain.walker;
    mail_.hold(own_.chain, true);
  }
  if (make_ == nullptr) {
    const RankSet ranks = world.processes(own_.ranks);
    check(ranks.is_range(), "a group of any ranks needs a communicator of its own");
    group_ = GroupComm(world.site().all().range(ranks.lo(), ranks.hi()));
    team_.emplace(group_, waiter_, team_communicators_);
  } else {
    form(own_.ranks);
  }
  take_over({}, true);
  in_step_ = true;
}

void Process::run() {
  set_peers(own_.ranks);
  at_rest_ = [this] {
    if (leading() && watch_->news()) order({Order::Kind::recover, 0, {}});
  };
  while (!stopped_) {
    if (leading()) {
      lead();
    } else {
      follow();
    }
  }
  position_.enter(Position::Doing::ending);
  if (watch_ != nullptr) watch_->set_peers(RankRange{0, world_.site().size() - 1});
  orders_.finish(waiter_);
  if (mail_.exists()) mail_.finish(mailbox_);
  reporting_.finish(mailbox_);
  if (!world_.lost_ranks()) mailbox_.receive_late();
  carrier_.finish();
}

void Process::leave_behind() {
  if (in_step_ && leading() && carrier_.saves() && own_.chain.items_left > 0) carrier_.save();
  end(life(), own_, Turn::recover, clock_.now());
}

bool Process::lost_ranks() {
  if (watch_ == nullptr || !watch_->news()) return false;
  order({Order::Kind::recover, 0, {}});
  return true;
}

void Process::set_peers(const RankSet& ranks) {
  if (watch_ != nullptr) watch_->set_peers(world_.processes(ranks));
}

void Process::write_down() {
  if (watch_ != nullptr) watch_->write_down();
}

void Process::lead() {
  if (lost_ranks() || turn()) return;
  const Queue& queue = mail_.exists() ? nobody_waits : run_.queue;  // next_chain() assigns them
  Knowledge known{own_,  world_.size(), pacemaker_.forecast(), mailbox_.take(), 0,
                  queue, run_.nodes};
  known.exchanges = mail_.exists();
  known.blocked = !goes_on();
  known.measured = measured_.of(own_.ranks.size());
  known.elapsed_s = clock_.now();
  known.cores = run_.cores;
  known.random =
      random_bits(run_.stream, Purpose::decision, static_cast<std::uint64_t>(rank_), ++decisions_);
  Decision decision = balancer_->decide(known);
  for (Outgoing& outgoing : decision.send) {
    outgoing.message.from = rank_;
    mailbox_.send(outgoing.message, outgoing.to);
  }
  std::visit([&](const auto& next) { carry_out(next); }, decision.next);
}

bool Process::turn() {
  if (!mail_.exists()) {
    const WaitingWalker* task = due(own_, *balancer_, run_.queue);
    if (task != nullptr) carry_out(taken_up(own_, *task));
    return task != nullptr;
  }
  mailbox_.look();
  const auto next = next_chain(own_, mail_.parking(), run_.queue,
                               [this](const Chain& chain) { return mail_.is_ready(chain); });
  if (next) carry_out(merged(own_.ranks, *next));
  return next.has_value();
}

void Process::wait_for_chain(bool listening) {
  position_.enter(Position::Doing::letter);
  mailbox_.wait_for_notices([&] {
    const auto is_ready = [this](const Chain& chain) { return mail_.is_ready(chain); };
    return is_ready(own_.chain) || std::ranges::any_of(mail_.parking().chains, is_ready) ||
           reporting_.enough() || (listening && mailbox_.has_message());
  });
}

void Process::follow() {
  position_.enter(Position::Doing::order);
  orders_.finish(waiter_);
  NextOrder next(group_, world_.tag(tag_orders));
  mailbox_.pass_on_until(next.request(), own_.leader(), waiter_.patient());
  const Order order = next.take(orders_, waiter_);
  end_life(order);
  obey(order);
}

std::int64_t Process::between_losses() const {
  constexpr double most_s = 0.01;   // the file of losses is not read more often than that
  constexpr std::int64_t most = 8;  // the next items may take longer than the last ones
  if (is_fresh_ || item_s_ <= 0) return 1;
  return std::clamp(static_cast<std::int64_t>(most_s / item_s_), std::int64_t{1}, most);
}

void Process::carry_out(const Work& work) {
  check(work.items >= 1 && work.items <= own_.chain.items_left, "a group works without items");
  // Not earlier: only with Work does the balancer leave the items of the chain to this group.
  if (reporting_.enough()) return order({Order::Kind::end, 0, {}});
  if (!goes_on()) return wait_for_chain(work.listening);
  if (!work.listening) {
    // Orders all items at once, unless reports, losses or messages must be checked in between.
    std::int64_t left = work.items;
    while (left > 0 && own_.chain.items_left > 0) {
      std::int64_t piece = std::min(left, reporting_.at_once(left));
      if (watch_ != nullptr) piece = std::min(piece, between_losses());
      if (mail_.exists()) piece = mail_.progress().at_once(own_.chain, piece);
      order({Order::Kind::work, piece, {}});
      left -= piece;
      if (left > 0) mailbox_.look();
      if (reporting_.enough() || !goes_on() || lost_ranks()) return;
    }
    return;
  }
  for (std::int64_t item = 0; item < work.items; ++item) {
    const double began = clock_.now();
    order({Order::Kind::work, 1, {}});
    const bool heard = mailbox_.look();
    pacemaker_.order_took(std::max(0.0, clock_.now() - began - item_s_));
    if (heard || own_.chain.items_left == 0 || reporting_.enough() || !goes_on()) return;
    if (lost_ranks()) return;
  }
}

void Process::carry_out(const Wait& wait) {
  position_.enter(Position::Doing::letter);
  if (watch_ != nullptr) watch_->set_at_rest(&at_rest_);
  mailbox_.wait(wait.at_most_s);
  if (watch_ != nullptr) watch_->set_at_rest(nullptr);
}

void Process::carry_out(const Exchange&) {
  if (groups_.empty()) {  // before the first exchange, the groups are those of the start
    for (std::size_t i = 0; i < run_.groups.size(); ++i) {
      groups_.push_back({run_.groups[i], {run_.chain(i).walker, 0}, {}});
    }
  }
  position_.enter(Position::Doing::exchange);
  set_peers(RankRange{0, world_.size() - 1});
  const std::vector<Group> present =
      exchange_loads(groups_, rank_, own_.chain, !run_.queue.empty(), world_);
  groups_ = balancer_->plan(present, model_);
  const Change change = change_of(present, groups_, waiting_);
  check(!change.violation, change.violation.value_or(""));
  set_peers(own_.ranks);
  if (std::ranges::binary_search(change.staying, rank_, {}, &Group::leader)) {
    if (run_.parent_collective() && !change.after.empty()) order({Order::Kind::attend, 0, {}});
    return;
  }
  const bool others_lead = std::ranges::any_of(change.after, [&](const Group& group) {
    return !std::ranges::binary_search(present, group.leader(), {}, &Group::leader);
  });
  order({others_lead ? Order::Kind::exchange : Order::Kind::regroup, 0,
         others_lead ? groups_ : concerning(own_, change.after)});
}

void Process::carry_out(const Regroup& regroup) {
  if (takes_up(own_, regroup.groups)) {
    std::optional<std::span<const Chain>> parked;
    if (mail_.exists()) parked = mail_.parking().chains;
    const auto wrong = violation({&own_, 1}, regroup.groups, waiting_, parked);
    check(!wrong, wrong.value_or(""));
    const bool begins = !parked || !mail_.parking().has(regroup.groups.front().chain);
    return order({begins ? Order::Kind::next : Order::Kind::unpark, 0, regroup.groups});
  }
  check(!run_.parent_collective() ||
            (regroup.groups.size() == 1 && regroup.groups.front().ranks.size() == world_.size()),
        "a parent-collective strategy cannot form one group alone");
  order({Order::Kind::regroup, 0, regroup.groups});
}

void Process::carry_out(const Stop&) {
  check(own_.chain.items_left == 0 && mail_.parking().chains.empty(),
        "a group stops with items left");
  order({Order::Kind::stop, 0, {}});
}

/// Ends the life of the group if `order` does. A leader calls this before it sends the order.
void Process::end_life(const Order& order) {
  const auto ends = [&](Turn turn) { end(life(), own_, turn, clock_.now()); };
  switch (order.kind) {
    case Order::Kind::work:
    case Order::Kind::end:
    case Order::Kind::attend:
    case Order::Kind::recover:
      return;
    case Order::Kind::regroup:
    case Order::Kind::exchange:
      return ends(Turn::regroup);
    case Order::Kind::next:
    case Order::Kind::unpark:
      return ends(Turn::next);
    case Order::Kind::stop:
      return ends(Turn::stop);
  }
}

void Process::order(const Order& order) {
  // Every member has received its last order long ago. Incomplete sends would pile up, and their
  // cost in SimGrid is quadratic in their number.
  orders_.finish(waiter_);
  end_life(order);
  give(order, group_, orders_, world_.tag(tag_orders));
  obey(order);
}

void Process::obey(const Order& order) {
  switch (order.kind) {
    case Order::Kind::work:
      execute(order.items);
      break;
    case Order::Kind::regroup:
    case Order::Kind::exchange:
      join(order.groups, order.kind == Order::Kind::exchange);
      break;
    case Order::Kind::next:
    case Order::Kind::unpark: {
      const bool begins = order.kind == Order::Kind::next;
      const Group before = own_;
      const Group& next = order.groups.front();
      if (mail_.exists()) carrier_.leave(*team_);
      if (mail_.exists() && leading()) park(before, order.groups, next);
      begin(next, Turn::next);
      if (mail_.exists() && leading()) mail_.hold(own_.chain, begins);
      take_over({}, begins);
      break;
    }
    case Order::Kind::end:
      own_.chain.items_left = 0;
      if (carrier_.is_to_report(true)) report();
      note_end_of_chain();
      break;
    case Order::Kind::attend:
      position_.enter(Position::Doing::attending);
      waiter_.blocking([&] { make_(world_.site(), {}, world_.tag(tag_communicator)); });
      break;
    case Order::Kind::stop:
      end_group();
      stopped_ = true;
      break;
    case Order::Kind::recover:
      orders_.finish(waiter_);
      watch_->recover();
  }
}

void Process::execute(std::int64_t items) {
  const int ranks = own_.ranks.size();
  const double began = clock_.now();
  position_.enter(Position::Doing::item);
  const bool varies = run_.item_time.varies();
  const double usual_s = run_.item_time.seconds(ranks);
  std::int64_t executed = 0;
  while (executed < items) {
    Chain& chain = own_.chain;
    const std::vector<State> messages = take_messages();
    in_step_ = false;
    if (watch_ != nullptr) watch_->begin_item();
    const double item_began = clock_.now();
    const bool goes_on = carrier_.execute(
        varies ? run_.item_time.seconds(ranks, chain.walker, chain.items_left) : usual_s, *team_,
        messages);
    if (carrier_.failure()) return end_failed_chain();
    if (slower_ > 1) sleep_for((slower_ - 1) * (clock_.now() - item_began));
    ++executed;
    --chain.items_left;
    // Each item by itself, because a loss of ranks may interrupt the next one.
    const double item_ended = clock_.now();
    worked(life(), 1, item_ended);
    if (watch_ != nullptr) watch_->end_item(item_ended);
    in_step_ = true;
    if (mail_.exists() && leading()) {
      if (!goes_on) mail_.check_end(chain);
      mail_.tell(chain, carrier_.walker());
    }
    if (!goes_on) chain.items_left = 0;
    position_.items_left.store(chain.items_left, std::memory_order_relaxed);
    position_.enter(Position::Doing::item);
    const bool ended = chain.items_left == 0;
    if (carrier_.is_to_report(ended)) report();
    if (leading() && carrier_.is_to_save(ended)) carrier_.save();
    if (!goes_on) break;
  }
  life().busy_until_s = clock_.now();
  const double took = life().busy_until_s - began;
  item_s_ = executed > 0 ? took / static_cast<double>(executed) : 0;
  // The first item after a regrouping may take longer, and includes waiting for the last members.
  const bool is_first = std::exchange(is_fresh_, false) && executed == 1;
  if (leading() && executed > 0 && !is_first) {
    measured_.add(ranks, executed, item_s_);
  }
  pacemaker_.items_took(static_cast<double>(executed) * run_.believed().seconds(ranks), took);
  note_end_of_chain();
}

std::vector<State> Process::take_messages() {
  std::vector<State> messages;
  if (!mail_.exists()) return messages;
  const std::size_t number = mail_.progress().needed(own_.chain).size();
  if (number == 0) return messages;
  if (leading()) messages = mail_.take_messages(own_.chain);
  messages.resize(number);
  std::vector<std::int64_t> sizes;
  for (const State& message : messages) sizes.push_back(static_cast<std::int64_t>(message.size()));
  team_->broadcast(std::as_writable_bytes(std::span(sizes)), 0);
  for (std::size_t i = 0; i < number; ++i) {
    messages[i].resize(static_cast<std::size_t>(sizes[i]));
    team_->broadcast(messages[i], 0);
  }
  return messages;
}

bool Process::goes_on() const { return !mail_.exists() || mail_.is_ready(own_.chain); }

void Process::park(const Group& before, const std::vector<Group>& groups, const Group& next) {
  const bool continues = std::ranges::find(groups, before.chain, &Group::chain) != groups.end();
  if (before.chain.items_left > 0 && !continues) {
    mail_.parked_state(before.chain) = carrier_.packed();
  }
  for (const Group& group : groups) {
    if (!mail_.parking().has(group.chain)) {
      if (group.chain == before.chain && group.leader() != rank_ && before.chain.items_left > 0) {
        mail_.release(before.chain, group.leader());
      }
      continue;
    }
    const State state = mail_.take_parked_state(group.chain);
    if (group.ranks.contains(rank_)) {
      carrier_.unpark(group.chain, state);
    } else {
      carrier_.send(state, group.leader());
    }
    if (group.leader() != rank_) mail_.release(group.chain, group.leader());
  }
  mail_.parking().regroup(before, groups, run_.queue);
  if (next.leader() != rank_) mail_.move_parking(next.leader());
}

void Process::report() {
  ChainReport report = carrier_.report(leading());
  if (leading()) reporting_.tell(std::move(report), own_.chain.items_left == 0);
  if (rank_ == 0) mailbox_.look();  // rank 0, always a leader, receives the reports
}

void Process::join(const std::vector<Group>& groups, bool are_all) {
  const auto wrong = violation(own_, groups, mail_.exists());
  check(!wrong, wrong.value_or(""));
  const double ended = life().ended_s;
  position_.enter(Position::Doing::forming);
  in_step_ = false;
  if (watch_ != nullptr) {
    std::vector<RankSet> all{own_.ranks};
    for (const Group& group : groups) all.push_back(group.ranks);
    set_peers(united(all));
  }
  if (leading()) carrier_.send_away(own_, groups);
  const Group before = own_;
  const Group& next = group_of(rank_, groups);
  const bool led = leading();
  if (mail_.exists()) carrier_.leave(*team_);
  if (mail_.exists() && led) park(before, groups, next);
  form(next.ranks);
  begin(next, Turn::regroup);
  position_.enter(Position::Doing::state);
  const double formed = life().formed_s;
  bool took_time = false;
  if (mail_.exists()) {
    if (leading() && own_.chain.walker != Chain::none) mail_.hold(own_.chain, false);
    const std::int64_t moved = team_->sum(led && !leading() ? 1 : 0);
    if (leading()) mail_.wait_for_moved(moved, mailbox_);
    took_time = take_over(before, false);
  } else {
    took_time = take_over(before, waiting_.has(own_.chain.walker, own_.chain.items_left));
  }
  in_step_ = true;
  set_peers(own_.ranks);
  const double ready = took_time ? clock_.now() : formed;
  if (leading()) hand_over_s_ += ready - formed;
  pacemaker_.regrouping_took(ready - ended);
  if (!leading()) {
    groups_ = {};
    mailbox_.pass_on(own_.leader());
  } else if (are_all) {
    groups_ = groups;
  }
}

void Process::begin(Group group, Turn turn) {
  own_ = std::move(group);
  is_fresh_ = turn == Turn::regroup;
  if (!leading()) {
    balancer_.reset();
    measured_ = {};
  } else if (!balancer_) {
    balancer_ = run_.balancer->clone();
  }
  position_.leader = world_.process(own_.leader());
  position_.chain = carrier_.number_of(own_.chain);
  position_.items_left = own_.chain.items_left;
  lives_.push_back(begun(own_, turn, turn == Turn::start ? 0 : clock_.now()));
  lives_.back().ranks = world_.processes(own_.ranks);
  write_down();
}

bool Process::take_over(const Group& before, bool fresh) {
  const bool took_time = carrier_.take_over(before, own_, *team_, fresh);
  if (carrier_.failure()) end_failed_chain();
  if (!fresh) return took_time;
  note_end_of_chain();
  if (mail_.exists() && leading() && mail_.continues(own_.chain)) {
    mail_.tell(own_.chain, carrier_.walker());
  }
  return took_time;
}

void Process::note_end_of_chain() {
  const bool ended = own_.chain.walker != Chain::none && own_.chain.items_left == 0;
  if (!ended || !leading()) return;
  if (carrier_.has_state()) chains_.push_back(carrier_.end());
  write_down();
  if (mail_.exists()) mail_.end_chain();
}

void Process::end_failed_chain() {
  own_.chain.items_left = 0;
  position_.items_left.store(0, std::memory_order_relaxed);
  if (!leading()) return;
  carrier_.save_failure();
  failures_.push_back(*carrier_.failure());
  reporting_.tell(failures_.back());
}

void Process::form(const RankSet& ranks) {
  end_group();
  // Does not wait for the sends: a receiver may also be here, with sends to this rank.
  letters_.reap();
  waiter_.blocking([&] {
    group_ =
        make_(world_.site(), members_of(world_.processes(ranks)), world_.tag(tag_communicator));
  });
  check(group_.size() == ranks.size(), "a strategy formed another communicator than was asked for");
  team_.emplace(group_, waiter_, team_communicators_);
}

void Process::end_group() {
  if (!team_) return;
  orders_.finish(waiter_);
  carrier_.leave(*team_);
  team_.reset();
  group_ = GroupComm();
}

}  // namespace regroup
