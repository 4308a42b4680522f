// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>

#include "kernel/chains/live_chain.hpp"
#include "kernel/mpi/mailbox.hpp"
#include "kernel/mpi/outbox.hpp"

namespace regroup {

/// Brings what chains report to rank 0 while they go on. Nobody waits for it: reports travel as
/// letters between leaders do, and rank 0 reads them where it looks for those. When the chains have
/// observed enough it tells all ranks.
class Reporting {
 public:
  /// `items` of the chains 0, 1, … Its letters leave by `outbox`.
  Reporting(const WalkerSource& source, std::span<const std::int64_t> items, MPI_Comm world,
            Outbox& outbox);

  /// By the leader of the chain's group; `ended`: the chain's last.
  void tell(const ChainReport& report, bool ended);

  /// What came by letter.
  void take(Letter letter);

  /// How many of `items` a leader may order without looking for news: all where the run ends only
  /// with its last item.
  std::int64_t at_once(std::int64_t items) const {
    return source_.enough.asked() ? source_.report_every : items;
  }

  /// Whether the chains have observed enough, as far as this rank has heard.
  bool enough() const { return verdict_ == Verdict::enough; }

  /// When this rank has nothing more to execute: on rank 0 until all has been reported.
  void finish(Mailbox& mailbox);

  /// What was reported: on rank 0 of a run with reports, else nothing.
  const std::optional<ConvergenceMonitor>& monitor() const { return monitor_; }

 private:
  enum class Verdict : std::uint8_t { open, enough, never };

  void add(const ChainReport& report, bool ended);
  void announce(Verdict verdict);
  void show();

  const WalkerSource& source_;
  MPI_Comm world_;
  Outbox& outbox_;
  int rank_ = 0;
  Verdict verdict_ = Verdict::open;
  std::optional<ConvergenceMonitor> monitor_;
  std::int64_t shown_items_ = 0;
  std::chrono::steady_clock::time_point shown_at_;
};

}  // namespace regroup
