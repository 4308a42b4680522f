// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/mpi/reporting.hpp"

#include <utility>

#include "kernel/mpi/stage/tags.hpp"

namespace regroup {
namespace {

constexpr auto between_shows = std::chrono::seconds(1);

}  // namespace

Reporting::Reporting(const WalkerSource& source, std::span<const std::int64_t> items,
                     MPI_Comm world, Outbox& outbox)
    : source_(source), world_(world), outbox_(outbox) {
  MPI_Comm_rank(world, &rank_);
  if (!source.enough.asked()) verdict_ = Verdict::never;
  if (rank_ != 0 || source.report_every == 0) return;
  monitor_.emplace(source.report_every, source.enough, items, source.executed_before);
}

void Reporting::tell(const ChainReport& report, bool ended) {
  if (rank_ == 0) return add(report, ended);
  outbox_.reap();
  outbox_.send(to_letter(report, ended), 0, tag_leaders, world_);
}

void Reporting::take(Letter letter) {
  if (notice_in(letter) == Notice::report) {
    const auto [report, ended] = report_of(std::move(letter));
    return add(report, ended);
  }
  letter.take();
  verdict_ = letter.take() != 0 ? Verdict::enough : Verdict::never;
}

void Reporting::add(const ChainReport& report, bool ended) {
  monitor_->add(report, ended);
  if (verdict_ == Verdict::open && monitor_->enough_items() > 0) announce(Verdict::enough);
  show();
}

void Reporting::announce(Verdict verdict) {
  verdict_ = verdict;
  int ranks = 0;
  MPI_Comm_size(world_, &ranks);
  Letter letter = letter_of(Notice::enough);
  letter.put(enough() ? 1 : 0);
  for (int to = 1; to < ranks; ++to) outbox_.send(letter, to, tag_leaders, world_);
}

/// Now and then only: to find out what all have observed takes the longer the more they have.
void Reporting::show() {
  if (!source_.on_reports || monitor_->items() == shown_items_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - shown_at_ < between_shows) return;
  shown_items_ = monitor_->items();
  source_.on_reports(shown_items_, monitor_->found());
  // To find out may have taken long by now.
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
