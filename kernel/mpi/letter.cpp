// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/mpi/letter.hpp"

#include <bit>

#include "kernel/check.hpp"

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

std::span<std::int64_t> Letter::make_room() {
  rest_.resize(size() > first_part ? size() - first_part : 0);
  return rest_;
}

namespace {

/// In the place of a message's sender.
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
  for (const std::int64_t count :
       {report.items, report.samples, std::bit_cast<std::int64_t>(report.mean),
        std::bit_cast<std::int64_t>(report.variance), report.proposed, report.accepted,
        std::bit_cast<std::int64_t>(report.hash)}) {
    letter.put(count);
  }
  return letter;
}

std::pair<ChainReport, bool> report_of(Letter letter) {
  letter.take();
  const std::int64_t both = letter.take();
  ChainReport report;
  report.number = static_cast<int>(both >> 1);
  report.items = letter.take();
  report.samples = letter.take();
  report.mean = std::bit_cast<double>(letter.take());
  report.variance = std::bit_cast<double>(letter.take());
  report.proposed = letter.take();
  report.accepted = letter.take();
  report.hash = std::bit_cast<std::uint64_t>(letter.take());
  return {report, (both & 1) != 0};
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

}  // namespace regroup
