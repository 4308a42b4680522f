// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace regroup {

/// A fault of one rank during a run.
struct Fault {
  enum class Kind : std::uint8_t {
    kill,  ///< the rank ends
    hang,  ///< it stops, but does not end
    slow   ///< its items take `factor` times as long, from the start of the run on
  };
  static constexpr int random_rank = -1;

  Kind kind = Kind::kill;
  int rank = 0;              ///< random_rank only in plans
  std::int64_t at_item = 0;  ///< when the rank begins its nth item, from 1 on; 0: by time
  double at_s = 0;           ///< so many seconds after the common start
  double factor = 1;

  bool loses_rank() const { return kind != Kind::slow; }
  friend bool operator==(const Fault&, const Fault&) = default;
};

/// The faults that a configuration asks for.
struct FaultPlan {
  static constexpr double usual_detection_ms = 100;

  std::vector<Fault> faults = {};
  double mtbf_s = 0;  ///< mean time between failures of the whole run; 0: there are none
  // Of what is simulated; real ranks take their own time.
  double detection_ms = usual_detection_ms;  ///< from a loss until the others hear of it
  double save_ms = 0;                        ///< that saving the state of a chain takes its group

  bool empty() const { return faults.empty() && mtbf_s == 0; }
  bool loses_ranks() const;
  /// Whether a rank or a time is drawn.
  bool draws() const;

  /// "none", or as in
  /// "kill:5@30/kill:random@1.2s/hang:3@2s/slow:3x4/mtbf:20s/detection:50ms/save:9ms": rank 5 when
  /// it begins its item 30, a random rank after 1.2 s, …
  std::string text() const;
  /// The reverse. Throws std::invalid_argument.
  static FaultPlan from(std::string_view text);

  /// Why a run on so many ranks cannot have these faults; empty if it can.
  std::string complaint(int ranks) const;

  /// The faults of one run: no rank is lost twice, and one is left at least. Those of `mtbf_s` come
  /// last, in the order of their times, which are less than `until_s`.
  std::vector<Fault> draw(int ranks, std::uint64_t stream,
                          double until_s = std::numeric_limits<double>::infinity()) const;

  friend bool operator==(const FaultPlan&, const FaultPlan&) = default;
};

/// What ranks do when one of them is lost.
inline constexpr std::string_view on_rank_loss_words[]{"end", "recover"};

}  // namespace regroup
