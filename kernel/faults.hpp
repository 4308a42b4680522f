// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace regroup {

struct Fault {
  enum class Kind : std::uint8_t {
    kill,  ///< the rank is killed
    hang,  ///< the rank stops without exiting
    slow   ///< the items of the rank take `factor` times as long during the whole run
  };
  static constexpr int random_rank = -1;

  Kind kind = Kind::kill;
  int rank = 0;              ///< random_rank only in plans
  std::int64_t at_item = 0;  ///< when the rank begins its nth item, from 1; 0: at `at_s`
  double at_s = 0;           ///< seconds since the common start
  double factor = 1;

  bool loses_rank() const { return kind != Kind::slow; }
  friend bool operator==(const Fault&, const Fault&) = default;
};

/// The faults in a configuration.
struct FaultPlan {
  static constexpr double usual_detection_ms = 100;

  std::vector<Fault> faults = {};
  double mtbf_s = 0;  ///< mean time between random losses in the whole run; 0: no such losses
  // Only used in virtual time.
  double detection_ms = usual_detection_ms;  ///< from a loss until other ranks detect it
  double save_ms = 0;                        ///< time for a group to save the state of a chain

  bool empty() const { return faults.empty() && mtbf_s == 0; }
  bool loses_ranks() const;
  /// Whether a rank or a time is random.
  bool draws() const;

  /// Returns "none", or a text such as
  /// "kill:5@30/kill:random@1.2s/hang:3@2s/slow:3x4/mtbf:20s/detection:50ms/save:9ms": kill rank 5
  /// when it begins its item 30, a random rank after 1.2 s, …
  std::string text() const;
  /// Parses such a text. Throws std::invalid_argument if it is not valid.
  static FaultPlan from(std::string_view text);

  /// Returns why a run on `ranks` ranks cannot have these faults; empty if it can.
  std::string complaint(int ranks) const;

  /// Draws the faults of one run. No rank is lost twice, and at least one remains. Faults due to
  /// `mtbf_s` come last, in the order of their times, which are less than `until_s`.
  std::vector<Fault> draw(int ranks, std::uint64_t stream,
                          double until_s = std::numeric_limits<double>::infinity()) const;

  friend bool operator==(const FaultPlan&, const FaultPlan&) = default;
};

/// Reactions of a run to the loss of a rank.
inline constexpr std::string_view on_rank_loss_words[]{"end", "recover"};

}  // namespace regroup
