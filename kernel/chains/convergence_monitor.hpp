// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "kernel/chains/convergence.hpp"
#include "kernel/outcome.hpp"

namespace regroup {

/// When chains have observed enough for a run to end. What is 0 is not asked for.
struct Enough {
  double r_hat = 0;              ///< at most
  double effective_samples = 0;  ///< at least

  bool asked() const { return r_hat > 0 || effective_samples > 0; }
  bool is_met_by(const Convergence& found) const {
    return (r_hat == 0 || (found.r_hat > 0 && found.r_hat <= r_hat)) &&
           found.effective_samples >= effective_samples;
  }
};

/// The round that is judged after `round`, of which 0 is none. Not one of the first twenty: of some
/// few reports the variance of means is small by chance, and looking often finds the chance. And
/// then at most twenty while their number doubles: each looks at all reports.
std::int64_t next_judged(std::int64_t round);

/// Items of the first round that is judged and in which `reports`, which are in the order of
/// Outcome::reports, are enough; 0 where there is none.
std::int64_t first_enough(std::span<const ChainReport> reports, std::int64_t every,
                          const Enough& enough);

/// Takes the reports of all chains while these go on, and says when they suffice.
///
/// In round r all chains have executed r · every items, or ended. A round is judged when all that
/// was reported in it is there, by the reports up to it and no later ones: so what is found does
/// not depend on when reports come, nor on how far chains are by then.
class ConvergenceMonitor {
 public:
  /// `items` to execute of the chains 0, 1, …, which have executed `before` (none where it is
  /// empty). Each reports whenever it has executed a multiple of `every`, and at its end.
  ConvergenceMonitor(std::int64_t every, const Enough& enough, std::span<const std::int64_t> items,
                     std::span<const std::int64_t> before = {});

  /// In whatever order they come. A report without samples tells only how far its chain is;
  /// `ended`: it is the chain's last.
  void add(const ChainReport& report, bool ended);

  /// Whether all chains have ended and all their reports are there.
  bool complete() const { return going_on_ == 0; }

  /// Items of the last round that is complete; 0 before the first.
  std::int64_t items() const { return (round_ - 1) * every_; }

  /// By the reports up to there.
  Convergence found() const;

  /// Items of the first round in which the chains had observed enough; 0 where there is none yet.
  std::int64_t enough_items() const { return enough_items_; }

  /// All that count, those up to enough_items() if there is such a round: in the order of
  /// Outcome::reports.
  std::vector<ChainReport> reports() const;

  /// What the chains had come to in that round. To be asked for only if there is one.
  std::vector<ChainEnd> ends() const;

 private:
  struct OfChain {
    std::map<std::int64_t, ChainReport> reports;  // by items
    std::int64_t told = 0;                        // the last round up to which all are there
    std::int64_t ended_at = -1;                   // items
    bool complete = false;
  };

  void end_round();
  std::size_t chains_behind() const;
  bool is_ready() const { return behind_ == 0 && items() < most_items_; }
  std::vector<ChainReport> reports_up_to(std::int64_t items) const;

  std::int64_t every_;
  Enough enough_;
  std::vector<OfChain> chains_;
  std::int64_t round_ = 1;       // the next to be complete
  std::int64_t judged_;          // the next to be judged
  std::size_t behind_ = 0;       // chains that have not come to its end
  std::size_t going_on_ = 0;     // chains that are not complete
  std::int64_t most_items_ = 0;  // that a chain has executed
  std::int64_t enough_items_ = 0;
};

}  // namespace regroup
