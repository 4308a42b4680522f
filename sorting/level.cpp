// SPDX-License-Identifier: BSD-3-Clause
#include "sorting/level.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <type_traits>

#include "regroup/numbers.hpp"

namespace regroup::sorting {
bool Pending::test(MPI_Status* status) {
  if (range_) return range_.test(status);
  if (mpi_ == MPI_REQUEST_NULL) return true;
  int done = 0;
  MPI_Test(&mpi_, &done, status);
  return done != 0;
}

Link::Link(MPI_Comm borrowed) : borrowed_(borrowed) {
  MPI_Comm_rank(borrowed, &rank_);
  MPI_Comm_size(borrowed, &size_);
}

/// Starts an operation in its form for range communicators or in that of MPI; both take the same
/// arguments before the communicator. Collectives of range communicators also take a tag.
template <class OnRange, class InMpi, class... Arguments>
Pending Link::started(OnRange on_range, InMpi in_mpi, Arguments... arguments) const {
  if (const range::Comm* range = comm_.as_range()) {
    if constexpr (std::is_invocable_v<OnRange, Arguments..., const range::Comm&>) {
      return Pending(on_range(arguments..., *range));
    } else {
      return Pending(on_range(arguments..., *range, 0));
    }
  }
  MPI_Request request = MPI_REQUEST_NULL;
  in_mpi(arguments..., comm(), &request);
  return Pending(request);
}

Pending Link::gatherv(const void* data, int count, void* all, const int* counts, const int* begins,
                      MPI_Datatype type, int root) const {
  return started(range::igatherv, MPI_Igatherv, data, count, type, all, counts, begins, type, root);
}

Pending Link::bcast(void* data, int count, MPI_Datatype type, int root) const {
  return started(range::ibcast, MPI_Ibcast, data, count, type, root);
}

Pending Link::exscan(const long long* numbers, long long* sums, int count) const {
  return started(range::iexscan, MPI_Iexscan, numbers, sums, count, MPI_LONG_LONG, MPI_SUM);
}

Pending Link::allmax(const long long* numbers, long long* results, int count) const {
  return started(range::iallreduce, MPI_Iallreduce, numbers, results, count, MPI_LONG_LONG,
                 MPI_MAX);
}

Pending Link::allgather(const long long* numbers, int count, long long* all) const {
  return started(range::iallgather, MPI_Iallgather, numbers, count, MPI_LONG_LONG, all, count,
                 MPI_LONG_LONG);
}

Pending Link::send(const void* data, int count, MPI_Datatype type, int to, int tag) const {
  return started(range::isend, MPI_Isend, data, count, type, to, tag);
}

Pending Link::receive(void* data, int count, MPI_Datatype type, int from, int tag) const {
  return started(range::irecv, MPI_Irecv, data, count, type, from, tag);
}

int number_of_samples(const SortOptions& options, int ranks, long long elements) {
  const double by_ranks = options.samples_per_log_rank * std::log2(ranks);
  const double by_elements =
      options.samples_per_element * static_cast<double>(elements) / static_cast<double>(ranks);
  return std::max({options.fewest_samples, 1, static_cast<int>(by_ranks),
                   static_cast<int>(std::min(by_elements, 1e6))});
}

std::vector<long long> sample_positions(const SortOptions& options, int ranks, int level,
                                        const Interval& positions) {
  std::uint64_t seed = hash_combined(options.seed, static_cast<std::uint64_t>(level));
  seed = hash_combined(seed, static_cast<std::uint64_t>(positions.begin));
  const int samples = number_of_samples(options, ranks, positions.size());
  std::vector<long long> drawn(
      static_cast<std::size_t>(std::min<long long>(samples, positions.size())));
  if (positions.size() <= samples) {
    std::iota(drawn.begin(), drawn.end(), positions.begin);
    return drawn;
  }
  for (std::size_t sample = 0; sample < drawn.size(); ++sample) {
    const std::uint64_t bits = hash_combined(seed, sample);
    drawn[sample] = positions.begin +
                    static_cast<long long>(bits % static_cast<std::uint64_t>(positions.size()));
  }
  return drawn;
}

void Exchange::start(const Link& link, const Elements& elements, int tag, const std::byte* from,
                     std::span<const Piece> pieces, int first, std::byte* to, long long expected) {
  link_ = &link;
  datatype_ = elements.datatype;
  element_size_ = elements.type.size;
  tag_ = tag;
  to_ = to;
  expected_ = expected;
  for (const Piece& piece : pieces) {
    const std::size_t bytes = static_cast<std::size_t>(piece.count) * elements.type.size;
    if (piece.to - first == link.rank()) {
      std::memcpy(to_ + static_cast<std::size_t>(arrived_) * element_size_, from, bytes);
      arrived_ += piece.count;
    } else {
      sends_.push_back(
          link.send(from, static_cast<int>(piece.count), datatype_, piece.to - first, tag));
      bytes_sent_ += static_cast<long long>(bytes);
    }
    from += bytes;
  }
  messages_sent_ = static_cast<long long>(sends_.size());
  receive_next();
}

bool Exchange::advance() {
  while (arrived_ < held()) {
    MPI_Status status;
    if (!receive_.test(&status)) return false;
    int count = 0;
    MPI_Get_count(&status, datatype_, &count);
    arrived_ += count;
    ++messages_received_;
    receive_next();
  }
  while (!sends_.empty() && sends_.back().test()) sends_.pop_back();
  return sends_.empty();
}

/// Receives from any rank, at the next free location: no message has more elements than are still
/// expected.
void Exchange::receive_next() {
  if (arrived_ == held()) return;
  receive_ = link_->receive(to_ + static_cast<std::size_t>(arrived_) * element_size_,
                            static_cast<int>(held() - arrived_), datatype_, MPI_ANY_SOURCE, tag_);
}

Level::Level(SortJob job, Link link, const Slots& slots, int rank, const Elements& elements,
             const SortOptions& options)
    : job_(std::move(job)),
      link_(std::move(link)),
      slots_(slots),
      elements_(elements),
      options_(options),
      first_(slots.first_of(job_.positions)),
      own_(common(job_.positions, slots.of(rank))),
      pivot_(elements.type, 1) {
  send_samples();
}

bool Level::advance() {
  switch (state_) {
    case State::samples:
      if (!gather_.test()) return false;
      if (is_root()) broadcast_median();
      state_ = State::pivot;
      return true;
    case State::pivot:
      if (!bcast_.test()) return false;
      count();
      state_ = State::counts;
      return true;
    case State::counts:
      if (!gather_.test()) return false;
      if (!gathers_counts() && is_last()) broadcast_sums();
      state_ = State::sums;
      return true;
    case State::sums:
      if (!bcast_.test()) return false;
      split();
      return true;
    case State::exchange:
      // Advances both, so that both make progress.
      if (const bool small = parts_[0].advance(); !parts_[1].advance() || !small) return false;
      state_ = State::done;
      return true;
    case State::done:
      return false;
  }
  return false;
}

Interval Level::positions(int part) const {
  const long long cut = job_.positions.begin + small_;
  return part == 0 ? Interval{job_.positions.begin, cut} : Interval{cut, job_.positions.end};
}

long long Level::held() const {
  return static_cast<long long>(done() && !all_equal() ? parts_[0].held() + parts_[1].held()
                                                       : own_.size());
}

void Level::send_samples() {
  std::vector<int> counts(static_cast<std::size_t>(link_.size()));
  std::vector<std::size_t> own;
  for (const long long position :
       sample_positions(options_, link_.size(), job_.level, job_.positions)) {
    const int owner = slots_.owner(position) - first_;
    ++counts[static_cast<std::size_t>(owner)];
    if (owner == link_.rank()) own.push_back(static_cast<std::size_t>(position - own_.begin));
  }
  samples_ = ElementBuffer(elements_.type, own.size());
  for (std::size_t i = 0; i < own.size(); ++i) {
    std::memcpy(samples_.at(i), job_.elements + own[i] * elements_.type.size, elements_.type.size);
  }
  std::vector<int> begins(counts.size());
  for (std::size_t rank = 1; rank < counts.size(); ++rank) {
    begins[rank] = begins[rank - 1] + counts[rank - 1];
  }
  if (is_root()) {
    all_samples_ =
        ElementBuffer(elements_.type, static_cast<std::size_t>(begins.back() + counts.back()));
  } else {
    bytes_sent_ = static_cast<long long>(samples_.size() * elements_.type.size);
  }
  gather_ = link_.gatherv(samples_.data(), static_cast<int>(samples_.size()), all_samples_.data(),
                          counts.data(), begins.data(), elements_.datatype, root());
  counts_.swap(counts);
  begins_.swap(begins);
  if (!is_root()) bcast_ = link_.bcast(pivot_.data(), 1, elements_.datatype, root());
}

void Level::broadcast_median() {
  // Of two samples in the middle, the larger; the smaller if elements equal to it are small.
  const std::size_t index = (all_samples_.size() - (prefers_equal() ? 1 : 0)) / 2;
  elements_.type.select(all_samples_.data(), all_samples_.size(), index);
  std::memcpy(pivot_.data(), all_samples_.at(index), elements_.type.size);
  bcast_ = link_.bcast(pivot_.data(), 1, elements_.datatype, root());
}

void Level::count() {
  mine_ = elements_.type.count(job_.elements, job_.count, pivot_.data());
  if (gathers_counts()) {
    all_.resize(2 * static_cast<std::size_t>(link_.size()));
    gather_ = link_.allgather(mine_.data(), 2, all_.data());
  } else {
    gather_ = link_.exscan(mine_.data(), before_.data(), 2);
    if (!is_last()) bcast_ = link_.bcast(sums_.data(), 2, MPI_LONG_LONG, link_.size() - 1);
  }
}

void Level::broadcast_sums() {
  for (std::size_t i = 0; i < 2; ++i) sums_[i] = before_[i] + mine_[i];
  bcast_ = link_.bcast(sums_.data(), 2, MPI_LONG_LONG, link_.size() - 1);
}

void Level::split() {
  for (std::size_t i = 0; i < all_.size(); ++i) sums_[i % 2] += all_[i];
  const long long less = sums_[0];
  const long long not_greater = job_.positions.size() - sums_[1];
  const bool none_less = less == 0;
  const bool none_greater = not_greater == job_.positions.size();
  if (none_less && none_greater) {
    state_ = State::done;
    return;
  }
  equal_is_small_ = none_less || (prefers_equal() && !none_greater);
  small_ = equal_is_small_ ? not_greater : less;
  const long long own_small = small_of(mine_[0], mine_[1], own_.size());
  elements_.type.part(job_.elements, job_.count, pivot_.data(), equal_is_small_, job_.room);
  const auto at = [&](std::byte* first, long long index) {
    return first + static_cast<std::size_t>(index) * elements_.type.size;
  };
  for (const int part : {0, 1}) {
    const std::vector<Piece> pieces = gathers_counts() ? pieces_by_all(part) : pieces_by_sum(part);
    const Interval kept = common(positions(part), own_);
    this->part(part).start(link_, elements_, part == 0 ? small_tag : large_tag,
                           at(job_.room, part == 0 ? 0 : own_small), pieces, first_,
                           at(job_.elements, kept.begin - own_.begin), kept.size());
  }
  state_ = State::exchange;
}

std::vector<Piece> Level::pieces_by_sum(int part) const {
  const long long in_front = own_.begin - job_.positions.begin;
  const long long small_before = small_of(before_[0], before_[1], in_front);
  const long long small = small_of(mine_[0], mine_[1], own_.size());
  const long long begin =
      positions(part).begin + (part == 0 ? small_before : in_front - small_before);
  return pieces_in_order(slots_, {begin, begin + (part == 0 ? small : own_.size() - small)});
}

std::vector<Piece> Level::pieces_by_all(int part) const {
  const Interval all = positions(part);
  std::vector<long long> lengths;
  for (int rank = 0; rank < link_.size(); ++rank) {
    const auto i = 2 * static_cast<std::size_t>(rank);
    const long long elements = common(job_.positions, slots_.of(first_ + rank)).size();
    const long long small = small_of(all_[i], all_[i + 1], elements);
    lengths.push_back(part == 0 ? small : elements - small);
  }
  std::vector<long long> capacities;  // of the ranks of the part, or (greedy) of the group
  const int first = is_greedy() ? first_ : slots_.first_of(all);
  const int last = is_greedy() ? first_ + link_.size() - 1 : slots_.last_of(all);
  for (int rank = first; rank <= last; ++rank) {
    capacities.push_back(common(all, slots_.of(rank)).size());
  }
  const auto me = static_cast<std::size_t>(link_.rank());
  std::vector<Piece> pieces = is_greedy() ? pieces_home_first(lengths, capacities, me)
                                          : deterministic_pieces(lengths, capacities, me);
  for (Piece& piece : pieces) piece.to += first;
  return pieces;
}

}  // namespace regroup::sorting
