// SPDX-License-Identifier: BSD-3-Clause
//
// Janus Quicksort: after Axtmann, Wiebigke, Sanders, Lightweight MPI Communicators with
// Applications to Perfectly Balanced Quicksort, IPDPS 2018, section VII (arXiv 1710.08027).
//
//   balance the elements: each rank holds floor(n/p) or ceil(n/p) of them
//   while a group has more than two ranks
//     pivot ← median of random samples
//     small elements go to its first ranks, large ones to its last; the rank at the cut belongs to
//     both groups from now on, and works in both at the same time
//   groups of two ranks exchange all elements and keep their parts; each rank sorts its elements
#include <algorithm>
#include <array>
#include <climits>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "regroup/groups.hpp"
#include "regroup/sorting.hpp"
#include "regroup/waiter.hpp"
#include "sorting/level.hpp"

namespace regroup::sorting {
namespace {

/// A group that has just been divided: its communicator, and the ranks of its parts in the world;
/// none for a part of one or two ranks, which needs no communicator.
struct Division {
  Link& link;
  RankRange ranks;
  std::array<std::optional<RankRange>, 2> parts;
  int level;

  bool has(std::size_t part, int rank) const { return parts[part] && parts[part]->contains(rank); }
};

/// The communicators of those parts of a division to which the caller belongs.
using PartLinks = std::array<std::optional<Link>, 2>;

/// Creates the communicators of a sort.
class Links {
 public:
  Links() = default;
  Links(const Links&) = delete;
  Links& operator=(const Links&) = delete;
  virtual ~Links() = default;

  /// Returns a communicator of all ranks.
  virtual Link all() = 0;
  /// Returns a communicator of the first `ranks` ranks; none on others. Called by all ranks.
  virtual std::optional<Link> first(int ranks) = 0;
  /// Creates the communicators of the parts. Called by all ranks of the divided group.
  virtual PartLinks parts(const Division& division, int rank) = 0;
};

/// Range communicators, created locally.
class RangeLinks final : public Links {
 public:
  explicit RangeLinks(const range::Comm& comm) : comm_(comm) {}

  Link all() override { return Link(comm_); }

  std::optional<Link> first(int ranks) override {
    if (comm_.rank() >= ranks) return std::nullopt;
    return Link(comm_.range(0, ranks - 1));
  }

  PartLinks parts(const Division& division, int rank) override {
    PartLinks links;
    for (const std::size_t part : {0, 1}) {
      if (!division.has(part, rank)) continue;
      links[part].emplace(comm_.range(division.parts[part]->lo, division.parts[part]->hi));
    }
    return links;
  }

 private:
  range::Comm comm_;
};

/// Communicators of a strategy. A group-collective strategy creates them from ranks of the world, a
/// parent-collective strategy from ranks of the divided group.
class StrategyLinks final : public Links {
 public:
  /// `local`: the strategy creates range communicators.
  StrategyLinks(Site& world, MakeCommunicator make, Caller caller, bool local)
      : world_(world), make_(make), caller_(caller), local_(local) {}

  Link all() override { return local_ ? Link(world_.all()) : Link(world_.comm()); }

  std::optional<Link> first(int ranks) override {
    const bool joins = world_.rank() < ranks;
    if (!joins && caller_ == Caller::group) return std::nullopt;
    GroupComm made = form(world_, joins ? Members(RankRange{0, ranks - 1}) : Members(), 0);
    if (!joins) return std::nullopt;
    return Link(std::move(made), nullptr);
  }

  PartLinks parts(const Division& division, int rank) override {
    return caller_ == Caller::group ? parts_by_members(division, rank)
                                    : parts_by_all(division, rank);
  }

 private:
  GroupComm form(Site& parent, const Members& members, int tag) {
    GroupComm made;
    world_.waiter().blocking([&] { made = make_(parent, members, tag); });
    return made;
  }

  /// A rank in both parts creates the communicator of the left one first: see Sorter.
  PartLinks parts_by_members(const Division& division, int rank) {
    PartLinks links;
    for (const std::size_t part : {0, 1}) {
      if (!division.has(part, rank)) continue;
      const int tag = (2 * division.level + static_cast<int>(part)) % range::Parent::max_tag;
      links[part].emplace(form(world_, Members(*division.parts[part]), tag), nullptr);
    }
    return links;
  }

  /// All ranks of the group call once for both parts if these are disjoint, else once for each.
  PartLinks parts_by_all(const Division& division, int rank) {
    PartLinks links;
    const auto& [left, right] = division.parts;
    if (!left && !right) return links;
    const auto site = std::make_shared<Site>(division.link.comm(), world_.waiter());
    const auto of_group = [&](const RankRange& ranks) {
      return Members(RankRange{ranks.lo - division.ranks.lo, ranks.hi - division.ranks.lo});
    };
    const bool at_once = left && right && left->hi < right->lo;
    if (at_once) {
      const std::size_t part = division.has(0, rank) ? 0 : 1;
      links[part].emplace(form(*site, of_group(*division.parts[part]), 0), site);
      return links;
    }
    for (const std::size_t part : {0, 1}) {
      if (!division.parts[part]) continue;
      const bool joins = division.has(part, rank);
      GroupComm made = form(*site, joins ? of_group(*division.parts[part]) : Members(), 0);
      if (joins) links[part].emplace(std::move(made), site);
    }
    return links;
  }

  Site& world_;
  MakeCommunicator make_;
  Caller caller_;
  bool local_;
};

/// Janus Quicksort on one rank, which is in at most two groups at a time: on the border of both. It
/// works on both in turns, and never waits for only one. Of two groups to be divided, it divides
/// the right one first; if it is on the border of a division, it enters the left part first. So
/// every other border rank begins on its left, the others on their right, and no group waits for
/// more than one turn (the alternating schedule). There is no deadlock: the group that a common
/// rank enters first does not wait for the other, and groups in a row form no cycle.
class Sorter {
 public:
  Sorter(Links& links, const Waiter& waiter, const ElementOperations& type,
         const SortOptions& options)
      : links_(links),
        waiter_(waiter),
        options_(options),
        world_(links.all()),
        datatype_(type.size),
        elements_{type, datatype_.get()} {}

  Sorted sort(const void* elements, std::size_t count) {
    balance(static_cast<const std::byte*>(elements), count);
    facts_.fewest_elements = facts_.most_elements = own().size();
    begin(static_cast<int>(std::min<long long>(slots_.all().size(), world_.size())));
    while (!levels_.empty()) {
      waiter_.until([&] {
        bool progress = false;
        for (const auto& level : levels_) progress |= level->advance();
        return progress;
      });
      divide_finished_levels();
    }
    finish();
    memory_.keep_first(static_cast<std::size_t>(own().size()));
    return {std::move(memory_), facts_};
  }

 private:
  int rank() const { return world_.rank(); }
  Interval own() const { return slots_.of(rank()); }
  bool joins(const Interval& positions) const { return !common(positions, own()).empty(); }
  /// Returns the job for the caller's share of `positions`, at its location in memory_.
  SortJob job(const Interval& positions, int level) {
    const Interval held = common(positions, own());
    const auto index = static_cast<std::size_t>(held.begin - own().begin);
    return {positions, memory_.at(index),
            memory_.at(static_cast<std::size_t>(own().size()) + index),
            static_cast<std::size_t>(held.size()), level};
  }
  RankRange ranks_of(const Interval& positions) const {
    return {slots_.first_of(positions), slots_.last_of(positions)};
  }

  void wait(Pending pending) {
    waiter_.until([&] { return pending.test(); });
  }

  /// Moves elements so that each rank holds as many as it has positions, in no order.
  void balance(const std::byte* elements, std::size_t count) {
    const long long mine = static_cast<long long>(count);
    const std::array<long long, 2> bounds{mine, -mine};
    std::array<long long, 2> most{};
    wait(world_.allmax(bounds.data(), most.data(), 2));
    if (most[0] == -most[1]) {
      set_slots(mine * world_.size());
      if (count > 0) std::memcpy(memory_.data(), elements, count * elements_.type.size);
      return;
    }
    long long before = 0;
    wait(world_.exscan(&mine, &before, 1));
    long long all = before + mine;
    wait(world_.bcast(&all, 1, MPI_LONG_LONG, world_.size() - 1));
    set_slots(all);
    Exchange exchange;
    exchange.start(world_, elements_, small_tag, elements,
                   pieces_in_order(slots_, {before, before + mine}), 0, memory_.data(),
                   own().size());
    waiter_.until([&] { return exchange.advance(); });
    facts_.bytes_sent += exchange.bytes_sent();
  }

  void set_slots(long long n) {
    slots_ = Slots(n, world_.size());
    if (slots_.fewest() >= INT_MAX) {
      throw std::length_error("a rank can sort fewer than 2^31 - 1 elements");
    }
    memory_ = ElementBuffer(elements_.type, 2 * static_cast<std::size_t>(own().size()));
  }

  void begin(int ranks) {
    const Interval all = slots_.all();
    if (ranks <= 2) {
      if (ranks > 0 && joins(all)) pairs_.push_back(job(all, 1));
      return;
    }
    if (ranks == world_.size()) return start(job(all, 1), links_.all());
    const double began = MPI_Wtime();
    std::optional<Link> link = links_.first(ranks);
    facts_.creation_s += MPI_Wtime() - began;
    if (link) start(job(all, 1), std::move(*link));
  }

  void start(const SortJob& job, Link link) {
    facts_.levels = std::max(facts_.levels, job.level);
    levels_.push_back(
        std::make_unique<Level>(job, std::move(link), slots_, rank(), elements_, options_));
  }

  void divide_finished_levels() {
    std::vector<std::unique_ptr<Level>> done;
    for (auto& level : levels_) {
      if (level->done()) done.push_back(std::move(level));
    }
    std::erase(levels_, nullptr);
    std::ranges::sort(done, std::ranges::greater{},
                      [](const auto& level) { return level->job().positions.begin; });
    // Reports all of them before any is divided: until then, each holds its elements.
    long long held = 0;
    for (const auto& each : levels_) held += each->held();
    for (const auto& each : done) held += each->held();
    for (const auto& each : pairs_) held += static_cast<long long>(each.count);
    for (const auto& level : done) report(*level, held);
    for (const auto& level : done) divide(*level);
  }

  void divide(Level& level) {
    if (level.all_equal()) {
      pairs_.push_back(job(common(level.job().positions, own()), level.job().level));
      return;
    }
    Division division{level.link(), ranks_of(level.job().positions), {}, level.job().level};
    for (const int part : {0, 1}) {
      const RankRange ranks = ranks_of(level.positions(part));
      if (ranks.size() > 2) division.parts[static_cast<std::size_t>(part)] = ranks;
    }
    const double began = MPI_Wtime();
    PartLinks links = links_.parts(division, rank());
    facts_.creation_s += MPI_Wtime() - began;
    for (const int part : {0, 1}) {
      if (!joins(level.positions(part))) continue;
      const SortJob next = job(level.positions(part), level.job().level + 1);
      std::optional<Link>& link = links[static_cast<std::size_t>(part)];
      if (link) {
        start(next, std::move(*link));
      } else {
        pairs_.push_back(next);
      }
    }
  }

  void report(Level& level, long long held) {
    facts_.fewest_elements = std::min(facts_.fewest_elements, held);
    facts_.most_elements = std::max(facts_.most_elements, held);
    facts_.bytes_sent += level.bytes_sent();
    LevelReport report;
    report.level = level.job().level;
    report.group_elements = level.job().positions.size();
    report.small = level.positions(0).size();
    const RankRange ranks = ranks_of(level.job().positions);
    report.first = ranks.lo;
    report.last = ranks.hi;
    report.elements = held;
    for (const std::size_t part : {0, 1}) {
      const Exchange& exchange = level.part(static_cast<int>(part));
      const Interval positions = level.positions(static_cast<int>(part));
      facts_.bytes_sent += exchange.bytes_sent();
      report.messages_received[part] = exchange.messages_received();
      report.messages_sent[part] = exchange.messages_sent();
      if (!positions.empty()) report.targets[part] = ranks_of(positions).size();
    }
    const auto both = [](const std::array<long long, 2>& of) { return of[0] + of[1]; };
    facts_.most_messages_received =
        std::max(facts_.most_messages_received, both(report.messages_received));
    facts_.most_messages_sent = std::max(facts_.most_messages_sent, both(report.messages_sent));
    if (options_.after_level) options_.after_level(report);
  }

  /// Finishes the remaining jobs, each of one or two ranks. Each rank sorts its elements; of two
  /// ranks, each sends all of them to the other, and keeps the smaller or the larger ones of both.
  void finish() {
    std::vector<ElementBuffer> others(pairs_.size());
    std::vector<Pending> pending;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      if (ranks_of(pairs_[i].positions).size() == 2) exchange_pair(pairs_[i], others[i], pending);
    }
    // Jobs of one rank come last, and are sorted while messages are in transit.
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      if (others[i].empty()) sort_own(pairs_[i]);
    }
    waiter_.until([&] {
      bool all = true;
      for (Pending& each : pending) all &= each.test();
      return all;
    });
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      if (!others[i].empty()) keep_part(pairs_[i], others[i]);
    }
  }

  void sort_own(const SortJob& job) { elements_.type.sort_with(job.elements, job.count, job.room); }

  bool is_left(const SortJob& job) const { return slots_.first_of(job.positions) == rank(); }

  void exchange_pair(const SortJob& job, ElementBuffer& others, std::vector<Pending>& pending) {
    const auto count = static_cast<int>(job.count);
    const int other = rank() + (is_left(job) ? 1 : -1);
    others =
        ElementBuffer(elements_.type, static_cast<std::size_t>(job.positions.size()) - job.count);
    pending.push_back(world_.receive(others.data(), static_cast<int>(others.size()),
                                     datatype_.get(), other, pair_tag));
    sort_own(job);
    pending.push_back(world_.send(job.elements, count, datatype_.get(), other, pair_tag));
    facts_.bytes_sent += count * static_cast<long long>(elements_.type.size);
  }

  /// Keeps the smaller or the larger elements of both ranks. Both ranks order equal elements of
  /// the left rank first, so that each element is kept by exactly one of them.
  void keep_part(const SortJob& job, const ElementBuffer& others) const {
    elements_.type.keep(job.elements, job.count, others.data(), others.size(), is_left(job),
                        job.room);
    std::memcpy(job.elements, job.room, job.count * elements_.type.size);
  }

  Links& links_;
  const Waiter& waiter_;
  const SortOptions& options_;
  Link world_;
  ElementDatatype datatype_;
  Elements elements_;
  Slots slots_{0, 1};
  ElementBuffer memory_;  ///< SortJob::elements and SortJob::room of all the caller's positions
  std::vector<std::unique_ptr<Level>> levels_;
  std::vector<SortJob> pairs_;
  SortFacts facts_;
};

}  // namespace

Sorted janus_sort(const ElementOperations& type, const void* elements, std::size_t count,
                  const range::Comm& comm, const SortOptions& options) {
  RangeLinks links(comm);
  return Sorter(links, comm.parent().waiter(), type, options).sort(elements, count);
}

Sorted sort_over(const ElementOperations& type, const void* elements, std::size_t count,
                 Site& world, MakeCommunicator make, Caller caller, bool local,
                 const SortOptions& options) {
  StrategyLinks links(world, make, caller, local);
  return Sorter(links, world.waiter(), type, options).sort(elements, count);
}

}  // namespace regroup::sorting
