// SPDX-License-Identifier: BSD-3-Clause
#include "engines/mpi/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "engines/mpi/collect.hpp"
#include "engines/mpi/process.hpp"
#include "engines/mpi/remains.hpp"
#include "engines/mpi/shared_clock.hpp"
#include "engines/mpi/world.hpp"
#include "kernel/check.hpp"
#include "kernel/clocks/clock.hpp"
#include "kernel/clocks/sleep.hpp"
#include "kernel/recovery.hpp"

namespace regroup {
namespace {

/// Returns `lives` with times that are corrected by the last clock reading.
std::vector<GroupLife> settled(std::vector<GroupLife> lives, const SharedClock& clock) {
  for (GroupLife& life : lives) {
    for (double* time : {&life.formed_s, &life.busy_until_s, &life.ended_s}) {
      *time = clock.settled(*time);
    }
  }
  return lives;
}

/// A run on this process, from its start to its end. After a loss of ranks, a new phase begins
/// without them; the interrupted phase remains in stack frames to which the process never returns.
class Execution {
 public:
  Execution(std::shared_ptr<const RunInput> run, const RealRun& real, Processes& processes)
      : run_(std::move(run)),
        real_(real),
        walkers_(real.walkers),
        processes_(processes),
        clock_(processes.clock()),
        position_(real.position != nullptr ? *real.position : unseen_),
        watch_(real.recovery != nullptr ? &real.recovery->watch : nullptr),
        world_(new World(processes.site())) {
    const Surroundings& found = processes.surroundings();
    outcome_.library = found.library;
    outcome_.place = found.place;
    outcome_.waiting = found.waiting_name();
    if (!found.simulated) {
      auto here = std::make_shared<RunInput>(*run_);
      here->nodes = found.nodes;
      if (real.walkers.computes) here->cores = found.cores;
      run_ = std::move(here);
    }
    if (watch_ != nullptr) share_place();
  }

  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;
  /// Not reached if ranks were lost.
  ~Execution() {
    delete process_;
    delete world_;
  }

  Outcome run() {
    processes_.site().communicators() = {};
    process_ = new Process(*run_, real_.make, walkers_, *world_, {position_, watch_, real_.slower},
                           clock_);
    if (real_.start == RealRun::Start::together) {
      processes_.waiter().blocking([&] { clock_.start_together(); });
    } else {
      clock_.start_at_once(processes_.site());
    }
    position_.started = Position::now();
    if (watch_ != nullptr) begin_to_watch();
    if (real_.on_start && world_->rank() == 0) real_.on_start();
    outcome_.setup_s = MPI_Wtime() - real_.began_s;
    before_s_ = read_clock(CLOCK_PROCESS_CPUTIME_ID);
    finish();
    return std::move(outcome_);
  }

 private:
  /// Broadcasts the place of the run, which only rank 0 knows, because rank 0 may be lost.
  void share_place() {
    State text;
    if (world_->rank() == 0) {
      const std::string json = to_json(outcome_);
      const auto bytes = std::as_bytes(std::span(json));
      text.assign(bytes.begin(), bytes.end());
    }
    broadcast(text, *world_, tag_recovery);
    const auto* characters = reinterpret_cast<const char*>(text.data());
    outcome_ = outcome_from_json({characters, characters + text.size()});
  }

  void begin_to_watch() {
    watch_->box().rank = processes_.site().rank();
    watch_->box().ranks = processes_.site().size();
    watch_->box().started = position_.started.load();
    watch_->on_change([this] { watch_->box().write(packed(own_result())); });
    watch_->write_down();
    watch_->begin([this] { recover(); });
  }

  /// Returns the results of this rank in all phases.
  RankResult own_result() const {
    RankResult own = past_;
    if (process_ == nullptr) return own;
    const auto& failures = process_->failures();
    own.failures.insert(own.failures.end(), failures.begin(), failures.end());
    const auto& lives = process_->lives();
    own.lives.insert(own.lives.end(), lives.begin(), lives.end());
    own.phases.resize(own.lives.size(), world_->phase());
    const auto& chains = process_->chains();
    own.chains.insert(own.chains.end(), chains.begin(), chains.end());
    own.figures.hand_over_s += process_->hand_over_s();
    own.figures.hand_over_bytes =
        std::max(own.figures.hand_over_bytes, process_->carrier().state_bytes());
    const TeamCommunicators& teams = process_->team_communicators();
    own.figures.walker_communicators += teams.created;
    own.figures.walker_communicators_s += teams.creating_s;
    const CommunicatorCount& count = world_->site().communicators();
    own.figures.communicators_alive_max =
        std::max(own.figures.communicators_alive_max, count.alive_max);
    own.figures.communicators_left += count.alive + teams.count.alive;
    return own;
  }

  /// Executes the run to its end, and fills in the outcome.
  void finish() {
    process_->run();
    const double cpu_s = read_clock(CLOCK_PROCESS_CPUTIME_ID) - before_s_;
    if (watch_ == nullptr) clock_.look_again();
    RankResult own = own_result();
    own.lives = settled(std::move(own.lives), clock_);
    own.figures.clock_error_s = clock_.has_other_hosts() ? clock_.settled_error() : 0;
    own.figures.cpu_s = processes_.surroundings().simulated ? 0 : cpu_s;
    std::vector<RankResult> all = collect(own, *world_, tag_result);
    if (world_->lost_ranks() && world_->rank() == 0) all = values_of(by_rank(all, lost_records()));
    fill_in(all);
    if (watch_ == nullptr) return;
    if (world_->rank() == 0) real_.recovery->store(std::move(outcome_));
    State nothing;
    broadcast(nothing, *world_, tag_done);
    watch_->end();
  }

  /// Returns the records of lost ranks, as far as they exist.
  std::vector<LastRecord> lost_records() const {
    std::vector<LastRecord> records;
    for (const LostRank& one : watch_->heard()) {
      auto record = last_record(real_.recovery->last_record(one.rank));
      if (!record) continue;
      record->result.lives = settled(std::move(record->result.lives), clock_);
      record->rank = one.rank;
      record->reason = one.reason;
      records.push_back(std::move(*record));
    }
    return records;
  }

  /// Returns the results of all ranks, as far as they are known, by rank.
  std::map<int, RankResult> by_rank(std::span<const RankResult> left,
                                    std::span<const LastRecord> lost) const {
    std::map<int, RankResult> all;
    for (const LastRecord& record : lost) all[record.rank] = record.result;
    for (std::size_t i = 0; i < left.size(); ++i) {
      all[world_->process(static_cast<int>(i))] = left[i];
    }
    drop_void_phases(all, run_->ranks);
    for (const LastRecord& record : lost) complete_last_lives(all, record.rank);
    return all;
  }

  void fill_in(std::span<const RankResult> all) {
    using Figures = RankResult::Figures;
    outcome_.clock_error_us = 1e6 * largest(all, &Figures::clock_error_s);
    outcome_.cpu_s = sum(all, &Figures::cpu_s);
    outcome_.hand_over_s = sum(all, &Figures::hand_over_s);
    outcome_.hand_over_bytes = largest(all, &Figures::hand_over_bytes);
    outcome_.walker_communicators = largest(all, &Figures::walker_communicators);
    outcome_.walker_communicators_s = largest(all, &Figures::walker_communicators_s);
    outcome_.communicators_alive_max = largest(all, &Figures::communicators_alive_max);
    outcome_.communicators_left = largest(all, &Figures::communicators_left);
    outcome_.lives = lives_of(all);
    if (world_->lost_ranks()) {
      settle_after_losses(outcome_.lives);
      outcome_.lost = watch_->heard();
    }
    if (world_->rank() == 0) outcome_.failures = failures_of(all, walkers_.failed);
    if (walkers_.open_end || walkers_.enough.asked() || !outcome_.failures.empty()) {
      count_executed_items(outcome_.lives);
    }
    const bool comparable = walkers_.has_state && walkers_.reproducible;
    if (comparable && world_->rank() == 0) outcome_.chains_hash = hash_of(chain_ends_of(all));
    if (const auto& monitor = process_->reporting().monitor()) {
      outcome_.reports = monitor->reports();
      outcome_.enough_items = monitor->enough_items();
      if (comparable && outcome_.enough_items > 0) outcome_.chains_hash = hash_of(monitor->ends());
      // Which chains went on beyond these items depends on timing.
      if (outcome_.enough_items > 0) {
        std::erase_if(outcome_.failures, [&](const ChainFailure& failure) {
          return failure.item >= outcome_.enough_items;
        });
      }
    }
  }

  /// Recovers from a loss of ranks. Called again if more ranks are lost during the recovery.
  [[noreturn]] void recover() {
    watch_->set_at_rest(nullptr);
    watch_->set_peers(RankRange{0, processes_.site().size() - 1});
    if (process_ != nullptr) {
      process_->leave_behind();
      past_ = own_result();
      process_ = nullptr;
      watch_->write_down();
    }
    const double heard_s = clock_.now();
    const std::size_t before = watch_->heard().size();
    for (watch_->hear(); watch_->heard().size() == before; watch_->hear()) sleep_for(0.001);
    auto& lost = watch_->heard();
    for (std::size_t i = before; i < lost.size(); ++i) lost[i].at_s = heard_s;

    const auto phase = static_cast<int>(lost.size());
    check(phase <= World::most_phases, "too many ranks were lost");
    Site& first = processes_.site();
    auto* const site = new Site(first.comm(), processes_.waiter(), range::default_overlap_check(),
                                static_cast<std::uint32_t>(phase));
    world_ = new World(*site, survivors(first.size(), watch_->lost()), phase);
    begin_phase(agree_on_remains());
    const double went_on_s = clock_.now();
    for (LostRank& one : lost) {
      if (one.recovered_s == 0) one.recovered_s = went_on_s - one.at_s;
    }
    finish();
    std::fflush(nullptr);
    std::_Exit(0);  // MPI_Finalize would wait for lost ranks
  }

  /// Determines the remains from the results of all survivors. Equal on all of them.
  Remains agree_on_remains() {
    const std::vector<RankResult> left = collect(past_, *world_, tag_recovery);
    State state;
    if (world_->rank() == 0) state = packed(find_remains(left));
    broadcast(state, *world_, tag_recovery);
    Remains remains = unpacked_remains(state, walkers_);
    remains.lost = watch_->lost();
    return remains;
  }

  RemainsOfRun find_remains(std::span<const RankResult> left) {
    const std::vector<LastRecord> lost = lost_records();
    const std::map<int, RankResult> known = by_rank(left, lost);
    RemainsOfRun found{
        remains_of(*run_, *world_, known), {}, failures_of(values_of(known), walkers_.failed)};
    for (const LastRecord& record : lost) {
      if (auto failure = failure_of(record, *run_)) found.failed.push_back(std::move(*failure));
    }
    if (walkers_.files != nullptr) {
      for (const ChainFailure& failure : found.failed) walkers_.files->write(failure);
      found.remains.items_left = real_.recovery->read_states(walkers_);
      found.executed_before = walkers_.executed_before;
    }
    drop_doubles(found.failed);
    for (const ChainFailure& failure : found.failed) {
      found.remains.items_left[static_cast<std::size_t>(failure.number)] = 0;
    }
    return found;
  }

  void begin_phase(const Remains& remains) {
    RunInput rest = rest_of(*run_, remains);
    const auto wrong = violation(*run_, remains, rest);
    check(!wrong, wrong.value_or(""));
    rest_.push_back(std::make_unique<RunInput>(std::move(rest)));
    process_ = new Process(*rest_.back(), real_.make, walkers_, *world_,
                           {position_, watch_, real_.slower}, clock_, Turn::recover);
    watch_->write_down();
    // No rank executes items before all have begun, so a phase that not all have begun is void.
    collect({}, *world_, tag_recovery);
    State nothing;
    broadcast(nothing, *world_, tag_recovery);
  }

  std::shared_ptr<const RunInput> run_;
  const RealRun& real_;
  WalkerSource walkers_;
  Processes& processes_;
  SharedClock& clock_;
  Position unseen_;
  Position& position_;
  LossWatch* watch_;
  Outcome outcome_;
  RankResult past_;  // of abandoned phases
  // The current phase. Objects of abandoned phases are never destroyed.
  const World* world_;
  Process* process_ = nullptr;
  std::vector<std::unique_ptr<RunInput>> rest_;
  double before_s_ = 0;
};

}  // namespace

Outcome execute(std::shared_ptr<const RunInput> run, const RealRun& real, Processes& processes) {
  const int size = processes.site().size();
  if (size != run->ranks) {
    throw std::invalid_argument(
        fmt::format("the run wants {} ranks and was launched with {}", run->ranks, size));
  }
  return Execution(std::move(run), real, processes).run();
}

}  // namespace regroup
