// SPDX-License-Identifier: BSD-3-Clause
#include "engines/mpi/chains.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <limits>
#include <stdexcept>
#include <utility>

#include "engines/mpi/agreeing_team.hpp"
#include "engines/mpi/state_messages.hpp"
#include "engines/mpi/tags.hpp"
#include "kernel/text/plain_text.hpp"
#include "regroup/range.hpp"
#include "regroup/team_communicator.hpp"

namespace regroup {

MPI_Comm communicator(Team& team) {
  if (auto* const group = dynamic_cast<GroupTeam*>(&team)) return group->communicator();
  throw std::runtime_error(
      "a walker asks for an MPI communicator where there is none: not in a run on processes");
}

MPI_Comm GroupTeam::communicator() {
  if (own_comm_) return own_comm_.get();
  const auto began = std::chrono::steady_clock::now();
  std::vector<int> ranks;
  for (int member = 0; member < size(); ++member) ranks.push_back(group_.translate(member));
  const GroupHandle members = group_of(group_.comm(), Members::list(std::move(ranks)));
  MPI_Comm created = MPI_COMM_NULL;
  waiter_.blocking(
      [&] { MPI_Comm_create_group(group_.comm(), members.get(), tag_communicator, &created); });
  own_comm_ = CommHandle(created, communicators_.count);
  communicators_.created += 1;
  communicators_.creating_s +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return own_comm_.get();
}

void GroupTeam::combine(std::span<std::int64_t> values, Operation operation) {
  const MPI_Op op = operation == Operation::sum   ? MPI_SUM
                    : operation == Operation::min ? MPI_MIN
                                                  : MPI_MAX;
  own_.assign(values.begin(), values.end());
  const int count = static_cast<int>(values.size());
  if (const range::Comm* range = group_.as_range()) {
    range::allreduce(own_.data(), values.data(), count, MPI_INT64_T, op, *range);
    return;
  }
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(own_.data(), values.data(), count, MPI_INT64_T, op, group_.comm(), &request);
  waiter_.wait(request);
}

void GroupTeam::broadcast_to_others(std::span<std::byte> bytes, int root) {
  const int count = message_length(bytes.size());
  if (const range::Comm* range = group_.as_range()) {
    range::bcast(bytes.data(), count, MPI_BYTE, root, *range);
    return;
  }
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibcast(bytes.data(), count, MPI_BYTE, root, group_.comm(), &request);
  waiter_.wait(request);
}

namespace {

constexpr std::int64_t nobody = std::numeric_limits<std::int64_t>::max();

/// Encodes a rank that has a state, and its size. The minimum gives the lowest of such ranks.
constexpr int size_bits = 40;
std::int64_t holder_of(int rank, std::size_t bytes) {
  return (static_cast<std::int64_t>(rank) << size_bits) | static_cast<std::int64_t>(bytes);
}

}  // namespace

Carrier::Carrier(const WalkerSource& source, const RunInput& run, const World& world)
    : source_(source),
      names_(run.walker_names()),
      stream_(run.stream),
      items_(run.chain_items),
      waiter_(world.waiter()),
      world_(world) {}

void Carrier::start(const Chain& chain) {
  chain_.reset();
  unreported_.reset();
  joined_ = false;
  if (chain.walker == Chain::none) return;
  chain_.emplace(source_, ChainName{number_of(chain), stream_, items_});
}

void Carrier::save() {
  State state = unreported_ ? *std::exchange(unreported_, std::nullopt) : chain_->packed();
  source_.files->write(chain_->number(), {chain_->items(), chain_->done(), std::move(state)});
}

ChainReport Carrier::report(bool keeps) {
  keeps = keeps && source_.files != nullptr;
  if (keeps && !is_time(source_.report_every, false)) unreported_ = chain_->packed();
  ChainReport report = chain_->report();
  if (keeps) source_.files->add(report);
  return report;
}

void Carrier::send_away(const Group& own, const std::vector<Group>& groups) {
  if (!source_.has_state || own.chain.items_left == 0) return;
  const auto next = std::ranges::find(groups, own.chain, &Group::chain);
  if (next == groups.end() || next->ranks.overlaps(own.ranks)) return;
  send(chain_->packed(), next->leader());
}

void Carrier::send(State state, int leader) {
  if (!source_.has_state) return;
  reap();
  Sent& sent = sent_.emplace_back(std::move(state));
  MPI_Isend(sent.state.data(), message_length(sent.state.size()), MPI_BYTE, world_.process(leader),
            world_.tag(tag_state), world_.comm(), &sent.request);
}

void Carrier::unpark(const Chain& chain, const State& state) {
  if (!source_.has_state) return;
  start(chain);
  chain_->unpack(state);
}

State Carrier::receive(int number) {
  const auto here = std::ranges::find(arrived_, number,
                                      [](const State& state) { return regroup::number_of(state); });
  if (here != arrived_.end()) {
    State state = std::move(*here);
    arrived_.erase(here);
    return state;
  }
  for (;;) {
    State state = receive_state(MPI_ANY_SOURCE, world_.tag(tag_state), waiter_, world_.comm());
    if (regroup::number_of(state) == number) return state;
    arrived_.push_back(std::move(state));
  }
}

std::int64_t Carrier::next_item(const Chain& chain) const {
  const auto number = static_cast<std::size_t>(number_of(chain));
  return number < items_.size() ? items_[number] - chain.items_left : 0;
}

template <class Act>
bool Carrier::attempt(int number, std::int64_t item, AgreeingTeam& team, Act act) {
  if (!source_.errors_end_chain) {
    act();
    return true;
  }
  std::exception_ptr interruption;
  auto error = team.execute([&] {
    try {
      act();
    } catch (const RunInterrupted&) {
      interruption = std::current_exception();
      throw;
    } catch (const std::exception& named) {
      std::rethrow_if_nested(named);  // the inner error does not name chain and item
      throw;
    }
  });
  if (interruption) std::rethrow_exception(interruption);
  if (!error) return true;
  waiter_.blocking([&] { chain_.reset(); });
  joined_ = false;
  unreported_.reset();
  failure_ = {number, item, one_line(*error)};
  return false;
}

bool Carrier::take_over(const Group& before, const Group& next, AgreeingTeam& team, bool fresh) {
  leave(team);
  failure_.reset();
  const bool handed_over = take_chain_over(before, next, team, fresh);
  if (chain_ && next.chain.items_left > 0) {
    joined_ = attempt(chain_->number(), chain_->items(), team,
                      [&] { waiter_.blocking([&] { chain_->join(team); }); });
  }
  return handed_over || team.has_communicator();
}

void Carrier::leave(AgreeingTeam& team) {
  if (std::exchange(joined_, false)) waiter_.blocking([&] { chain_->leave(team); });
}

bool Carrier::execute(double seconds, AgreeingTeam& team, std::span<const State> messages) {
  bool goes_on = true;
  const auto act = [&] {
    chain_->execute(seconds, team, messages);
    goes_on = !source_.open_end || !chain_->done();
  };
  return attempt(chain_->number(), chain_->items(), team,
                 [&] {
                   // Libraries that the walker uses wait in blocking MPI calls.
                   team.has_communicator() ? waiter_.blocking(act) : act();
                 }) &&
         goes_on;
}

void Carrier::check_continued(std::int64_t items, const Chain& chain) const {
  const auto number = static_cast<std::size_t>(chain_->number());
  const auto& before = source_.executed_before;
  const std::int64_t expected = number < before.size() ? before[number] : 0;
  if (chain.items_left == 0 || items == expected) return;
  throw std::runtime_error(
      fmt::format("chain {} has a state of {} items on this rank, and one of {} on rank 0: do all "
                  "ranks see {}?",
                  number, items, expected, source_.files->directory()));
}

bool Carrier::take_chain_over(const Group& before, const Group& next, AgreeingTeam& team,
                              bool fresh) {
  if (next.chain.walker == Chain::none || (!fresh && next.chain.items_left == 0)) {
    chain_.reset();  // its result is known
    return false;
  }
  const int number = number_of(next.chain);
  const std::int64_t item = next_item(next.chain);
  if (fresh || !source_.has_state) {
    chain_.reset();
    if (std::ranges::count(source_.failed, number, &ChainFailure::number) > 0) return false;
    attempt(number, item, team, [&] { start(next.chain); });
    if (!chain_ || source_.files == nullptr) return false;
    const auto saved = source_.files->read(chain_->number());
    team.sum(std::int64_t{0});  // all must have read it before the next one is saved
    check_continued(saved ? saved->items : 0, next.chain);
    if (saved) attempt(number, item, team, [&] { chain_->unpack(saved->state); });
    return false;
  }
  const bool here = chain_ && chain_->number() == number;
  if (here && before.ranks.contains(next.ranks)) return false;

  if (here) chain_->pack(state_);
  std::int64_t holder = here ? holder_of(team.rank(), state_.size()) : nobody;
  team.min(std::span(&holder, 1));
  if (holder == nobody) {  // no member has it: another group sends it
    if (team.rank() == 0) {
      state_ = receive(number);
      holder = holder_of(0, state_.size());
    }
    team.min(std::span(&holder, 1));
  }
  state_.resize(static_cast<std::size_t>(holder & ((std::int64_t{1} << size_bits) - 1)));
  team.broadcast(state_, static_cast<int>(holder >> size_bits));
  state_bytes_ = std::max(state_bytes_, static_cast<std::int64_t>(state_.size()));
  attempt(number, item, team, [&] {
    if (here) return;
    start(next.chain);
    chain_->unpack(state_);
  });
  return true;
}

ChainEnd Carrier::end() const {
  if (source_.at_end) source_.at_end(chain_->number(), chain_->walker());
  return chain_->end();
}

void Carrier::reap() {
  while (!sent_.empty()) {
    int done = 0;
    MPI_Test(&sent_.front().request, &done, MPI_STATUS_IGNORE);
    if (done == 0) return;
    sent_.pop_front();
  }
}

void Carrier::finish() {
  for (Sent& sent : sent_) waiter_.wait(sent.request);
  sent_.clear();
}

namespace {

constexpr auto between_shows = std::chrono::seconds(1);

}  // namespace

Reporting::Reporting(const WalkerSource& source, std::span<const std::int64_t> items,
                     const World& world, Outbox& outbox)
    : source_(source), world_(world), outbox_(outbox), rank_(world.rank()) {
  if (!source.enough.asked()) verdict_ = Verdict::never;
  if (rank_ != 0 || source.report_every == 0) return;
  monitor_.emplace(source.quantities, source.report_every, source.enough, items,
                   source.executed_before, source.reports_before, source.failed);
  if (monitor_->enough_items() > 0) announce(Verdict::enough);  // by reports of an earlier run
}

void Reporting::tell(ChainReport report, bool ended) {
  if (rank_ == 0) return add(std::move(report), ended);
  outbox_.send_report(to_letter(report, ended), world_.process(0), world_.tag(tag_leaders),
                      world_.comm());
}

void Reporting::tell(const ChainFailure& failure) {
  if (source_.report_every == 0) return;
  if (rank_ == 0) return add(failure);
  Letter letter = letter_of(Notice::failed);
  letter.put(failure.number);
  letter.put(failure.item);
  outbox_.send(letter, world_.process(0), world_.tag(tag_leaders), world_.comm());
}

void Reporting::take(Letter letter) {
  if (notice_in(letter) == Notice::report) {
    for (auto& [report, ended] : reports_of(std::move(letter))) add(std::move(report), ended);
    return;
  }
  const bool failed = notice_in(letter) == Notice::failed;
  letter.take();
  if (failed) {
    const auto number = static_cast<int>(letter.take());
    return add(ChainFailure{number, letter.take(), {}});
  }
  verdict_ = letter.take() != 0 ? Verdict::enough : Verdict::never;
}

template <class... What>
void Reporting::add(What&&... what) {
  monitor_->add(std::forward<What>(what)...);
  if (verdict_ == Verdict::open && monitor_->enough_items() > 0) announce(Verdict::enough);
  show();
}

void Reporting::announce(Verdict verdict) {
  verdict_ = verdict;
  Letter letter = letter_of(Notice::enough);
  letter.put(enough() ? 1 : 0);
  for (int to = 1; to < world_.size(); ++to) {
    outbox_.send(letter, world_.process(to), world_.tag(tag_leaders), world_.comm());
  }
}

/// Shows results only occasionally, since their computation takes longer the more reports exist.
void Reporting::show() {
  if (!source_.on_reports || monitor_->items() == shown_items_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - shown_at_ < between_shows) return;
  shown_items_ = monitor_->items();
  source_.on_reports(shown_items_, monitor_->found());
  // Limits the share of time for these computations.
  const auto done = std::chrono::steady_clock::now();
  shown_at_ = done + 20 * (done - now);
}

void Reporting::finish(Mailbox& mailbox) {
  if (monitor_) {
    mailbox.wait_for_notices([&] { return monitor_->complete(); });
    if (verdict_ == Verdict::open) announce(Verdict::never);
  } else {
    mailbox.wait_for_notices([&] { return verdict_ != Verdict::open; });
  }
}

}  // namespace regroup
