// SPDX-License-Identifier: BSD-3-Clause
#include "engines/mpi/mailbox.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "engines/mpi/tags.hpp"
#include "kernel/check.hpp"
#include "kernel/clocks/sleep.hpp"

namespace regroup {

void Letter::put(std::int64_t number) {
  if (size() < first_part) {
    first_[size()] = number;
  } else {
    rest_.push_back(number);
  }
  ++first_[0];
}

void Letter::put(const RankSet& ranks) {
  put(static_cast<std::int64_t>(ranks.ranges().size()));
  for (const RankRange range : ranks.ranges()) {
    put((static_cast<std::int64_t>(range.lo) << 32) | range.hi);
  }
}

void Letter::put(const Group& group) {
  put((static_cast<std::int64_t>(group.note.size()) << 32) |
      static_cast<std::uint32_t>(group.chain.walker));
  put(group.chain.items_left);
  put(group.ranks);
  for (const std::int64_t number : group.note) put(number);
}

void Letter::put(std::span<const std::byte> bytes) {
  put(static_cast<std::int64_t>(bytes.size()));
  while (!bytes.empty()) {
    std::int64_t number = 0;
    const std::size_t some = std::min(bytes.size(), sizeof number);
    std::memcpy(&number, bytes.data(), some);
    put(number);
    bytes = bytes.subspan(some);
  }
}

std::int64_t Letter::take() {
  check(taken_ < size(), "a letter is shorter than what it tells");
  const std::size_t place = taken_++;
  return place < first_part ? first_[place] : rest_[place - first_part];
}

RankSet Letter::take_ranks() {
  std::vector<RankRange> ranges(static_cast<std::size_t>(take()));
  for (RankRange& range : ranges) {
    const std::int64_t both = take();
    range = {static_cast<int>(both >> 32), static_cast<int>(both & 0xffffffff)};
  }
  return RankSet::of(std::move(ranges));
}

Group Letter::take_group() {
  Group group;
  const std::int64_t both = take();
  group.chain.walker = static_cast<int>(static_cast<std::uint32_t>(both & 0xffffffff));
  group.chain.items_left = take();
  group.ranks = take_ranks();
  group.note.resize(static_cast<std::size_t>(both >> 32));
  for (std::int64_t& number : group.note) number = take();
  return group;
}

std::vector<std::byte> Letter::take_bytes() {
  std::vector<std::byte> bytes(static_cast<std::size_t>(take()));
  for (std::size_t place = 0; place < bytes.size();) {
    const std::int64_t number = take();
    const std::size_t some = std::min(bytes.size() - place, sizeof number);
    std::memcpy(bytes.data() + place, &number, some);
    place += some;
  }
  return bytes;
}

void Letter::append(const Letter& other, std::size_t from) {
  for (std::size_t i = from; i < other.size(); ++i) {
    put(i < first_part ? other.first_[i] : other.rest_[i - first_part]);
  }
}

std::span<std::int64_t> Letter::make_room() {
  rest_.resize(size() > first_part ? size() - first_part : 0);
  return rest_;
}

namespace {

/// Replaces the sender of a message in letters that are notices.
constexpr std::int64_t no_rank = 0xffffffff;

}  // namespace

Letter letter_of(Notice notice) {
  Letter letter;
  letter.put((static_cast<std::int64_t>(notice) << 32) | no_rank);
  return letter;
}

Notice notice_in(const Letter& letter) {
  const std::int64_t both = letter.first()[1];
  return (both & no_rank) == no_rank ? static_cast<Notice>(both >> 32) : Notice::none;
}

Letter to_letter(const ChainReport& report, bool ended) {
  Letter letter = letter_of(Notice::report);
  letter.put((static_cast<std::int64_t>(report.number) << 1) | (ended ? 1 : 0));
  letter.put(report.items);
  letter.put(std::bit_cast<std::int64_t>(report.hash));
  letter.put(static_cast<std::int64_t>(report.quantities.size()));
  letter.put(static_cast<std::int64_t>(report.draws.size()));
  for (const Moments& moments : report.quantities) {
    letter.put(moments.samples);
    letter.put(std::bit_cast<std::int64_t>(moments.mean));
    letter.put(std::bit_cast<std::int64_t>(moments.squared_deviations));
  }
  for (const double number : report.draws) letter.put(std::bit_cast<std::int64_t>(number));
  return letter;
}

namespace {

std::pair<ChainReport, bool> take_report(Letter& letter) {
  const std::int64_t both = letter.take();
  ChainReport report;
  report.number = static_cast<int>(both >> 1);
  report.items = letter.take();
  report.hash = std::bit_cast<std::uint64_t>(letter.take());
  report.quantities.resize(static_cast<std::size_t>(letter.take()));
  report.draws.resize(static_cast<std::size_t>(letter.take()));
  for (Moments& moments : report.quantities) {
    moments.samples = letter.take();
    moments.mean = std::bit_cast<double>(letter.take());
    moments.squared_deviations = std::bit_cast<double>(letter.take());
  }
  for (double& number : report.draws) number = std::bit_cast<double>(letter.take());
  return {std::move(report), (both & 1) != 0};
}

}  // namespace

std::vector<std::pair<ChainReport, bool>> reports_of(Letter letter) {
  std::vector<std::pair<ChainReport, bool>> reports;
  letter.take();
  while (!letter.all_taken()) reports.push_back(take_report(letter));
  return reports;
}

Letter to_letter(const Message& message) {
  Letter letter;
  letter.put((static_cast<std::int64_t>(message.word) << 32) | message.from);
  for (const std::int64_t number : message.numbers) letter.put(number);
  letter.put(message.ranks);
  return letter;
}

Message message_of(Letter letter) {
  Message message;
  const std::int64_t both = letter.take();
  message.word = static_cast<std::int32_t>(both >> 32);
  message.from = static_cast<std::int32_t>(both & 0xffffffff);
  for (std::int64_t& number : message.numbers) number = letter.take();
  message.ranks = letter.take_ranks();
  return message;
}

void Outbox::send_report(const Letter& report, int to, int tag, MPI_Comm comm) {
  reap();
  if (held_.empty() && under_way_.size() < under_way_most) {
    return begin(report, to, tag, comm, MPI_Issend);
  }
  constexpr std::size_t longest = std::size_t{1} << 24;  // numbers in a letter: 128 MiB
  const bool joins = !held_.empty() && held_.back().to == to && held_.back().tag == tag &&
                     held_.back().comm == comm &&
                     held_.back().letter.size() + report.size() < longest;
  if (joins) {
    held_.back().letter.append(report, 2);
  } else {
    held_.push_back({report, to, tag, comm});
  }
}

void Outbox::send(const Letter& letter, int to, int tag, MPI_Comm comm) {
  begin(letter, to, tag, comm, MPI_Isend);
}

void Outbox::begin(const Letter& letter, int to, int tag, MPI_Comm comm, Isend isend) {
  if (spare_.empty()) spare_.emplace_back();
  Sent& sent = spare_.front();
  sent.letter = letter;
  const auto first = std::as_const(sent.letter).first();
  isend(first.data(), static_cast<int>(first.size()), MPI_INT64_T, to, tag, comm, &sent.first);
  const auto& rest = sent.letter.rest();
  if (!rest.empty()) {
    MPI_Isend(rest.data(), static_cast<int>(rest.size()), MPI_INT64_T, to, tag + 1, comm,
              &sent.rest);
  }
  under_way_.splice(under_way_.end(), spare_, spare_.begin());
  ++sent_;
}

void Outbox::reap() {
  while (!under_way_.empty()) {
    for (MPI_Request* request : {&under_way_.front().first, &under_way_.front().rest}) {
      int done = 0;
      MPI_Test(request, &done, MPI_STATUS_IGNORE);
      if (done == 0) return;
    }
    spare_.splice(spare_.begin(), under_way_, under_way_.begin());
    if (held_.empty()) continue;
    const Held next = std::move(held_.front());
    held_.pop_front();
    begin(next.letter, next.to, next.tag, next.comm, MPI_Issend);
  }
}

void Outbox::finish(const Waiter& waiter) {
  if (holds()) {
    waiter.until([this] {
      reap();
      return !holds();
    });
  }
  for (Sent& sent : under_way_) {
    waiter.wait(sent.first);
    if (sent.rest != MPI_REQUEST_NULL) waiter.wait(sent.rest);
  }
  spare_.splice(spare_.begin(), under_way_);
}

void begin_to_receive(Letter& letter, int from, int tag, MPI_Comm comm, MPI_Request& request) {
  MPI_Irecv(letter.first().data(), static_cast<int>(Letter::first_part), MPI_INT64_T, from, tag,
            comm, &request);
}

void receive_rest(Letter& letter, int from, int tag, MPI_Comm comm, const Waiter& waiter) {
  const auto rest = letter.make_room();
  if (rest.empty()) return;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Irecv(rest.data(), static_cast<int>(rest.size()), MPI_INT64_T, from, tag + 1, comm, &request);
  waiter.wait(request);
}

Mailbox::Mailbox(const World& world, Outbox& outbox, std::function<void(Letter letter)> notices)
    : world_(world), waiter_(world.waiter()), outbox_(outbox), notices_(std::move(notices)) {
  expect(expected_.emplace_back());
}

Mailbox::~Mailbox() { expect_nothing(); }

void Mailbox::expect_nothing() {
  for (Expected& expected : expected_) {
    MPI_Cancel(&expected.request);
    MPI_Wait(&expected.request, MPI_STATUS_IGNORE);
  }
  expected_.clear();
}

void Mailbox::send(const Message& message, int to) {
  outbox_.reap();
  outbox_.send(to_letter(message), world_.process(to), world_.tag(tag_leaders), world_.comm());
}

bool Mailbox::look() {
  if (outbox_.holds()) outbox_.reap();
  for (std::size_t looks = 0; looks < expected_.size(); ++looks) {
    int there = 0;
    MPI_Status status;
    MPI_Test(&expected_.front().request, &there, &status);
    if (there == 0) return !arrived_.empty();
    accept(status);
  }
  expect_more();
  return !arrived_.empty();
}

std::optional<Message> Mailbox::take() {
  if (arrived_.empty() && !look()) return std::nullopt;
  Message oldest = std::move(arrived_.front());
  arrived_.pop_front();
  return oldest;
}

void Mailbox::wait(std::optional<double> at_most_s) {
  if (look()) return;
  if (!at_most_s) {
    while (arrived_.empty()) wait_for_letter();
    return;
  }
  // A few naps with a look after each keep no core busy, and end under a virtual clock, too.
  constexpr int naps = 8;
  const double nap_s = *at_most_s / naps;
  for (int nap = 0; nap_s > 0 && nap < naps && !look(); ++nap) sleep_for(nap_s);
}

void Mailbox::pass_on_until(MPI_Request& other, int leader, const Waiter& waiter) {
  for (;;) {
    std::array both{other, expected_.front().request};
    MPI_Status status;
    const int done = wait_any(both, status, waiter);
    if (done == 0) break;
    accept(status);
    pass_on(leader);
  }
  other = MPI_REQUEST_NULL;
}

int Mailbox::wait_any(std::span<MPI_Request> requests, MPI_Status& status, const Waiter& waiter) {
  int done = MPI_UNDEFINED;
  if (outbox_.holds()) {
    waiter.until([&] {
      int some = 0;
      outbox_.reap();
      MPI_Testany(static_cast<int>(requests.size()), requests.data(), &done, &some, &status);
      return some != 0 || !outbox_.holds();
    });
  }
  return done != MPI_UNDEFINED ? done : waiter.wait_any(requests, status);
}

void Mailbox::pass_on(int leader) {
  for (const Message& message : std::exchange(arrived_, {})) send(message, leader);
}

void Mailbox::receive_late() {
  for (;;) {
    outbox_.reap();
    const std::int64_t own = outbox_.sent() - received_;
    std::int64_t under_way = 0;
    // MPI_Iallreduce of SimGrid sends a number of messages quadratic in the number of ranks.
    range::Request sum = iallreduce(&own, &under_way, 1, MPI_INT64_T, MPI_SUM, world_.site().all(),
                                    world_.tag(tag_leaders));
    if (outbox_.holds()) {  // others may wait for reports held back here
      waiter_.until([&] {
        outbox_.reap();
        return sum.test() || !outbox_.holds();
      });
    }
    sum.wait();
    if (under_way == 0) break;
    look();
  }
  expect_nothing();  // letters of the next run must not be received here
  outbox_.finish(waiter_);
}

void Mailbox::wait_for_letter() {
  MPI_Status status;
  wait_any({&expected_.front().request, 1}, status, waiter_);
  accept(status);
}

void Mailbox::expect(Expected& expected) {
  expected.letter = {};
  begin_to_receive(expected.letter, MPI_ANY_SOURCE, world_.tag(tag_leaders), world_.comm(),
                   expected.request);
}

void Mailbox::expect_more() {
  const std::size_t wanted = std::min(2 * expected_.size(), expected_most);
  while (expected_.size() < wanted) expect(expected_.emplace_back());
}

void Mailbox::accept(const MPI_Status& status) {
  Expected& first = expected_.front();
  receive_rest(first.letter, status.MPI_SOURCE, world_.tag(tag_leaders), world_.comm(), waiter_);
  ++received_;
  Letter letter = std::move(first.letter);
  expect(first);
  expected_.splice(expected_.end(), expected_, expected_.begin());
  if (notice_in(letter) != Notice::none) return notices_(std::move(letter));
  arrived_.push_back(message_of(std::move(letter)));
}

}  // namespace regroup
