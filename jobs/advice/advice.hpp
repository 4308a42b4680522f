// SPDX-License-Identifier: BSD-3-Clause
//
// Which balancer over which strategy serves a problem best, what that saves, and when another
// choice would be better.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/advice/contenders.hpp"
#include "jobs/advice/crossing.hpp"
#include "jobs/advice/group_sizes.hpp"
#include "jobs/advice/problems.hpp"

namespace regroup {

/// Another choice wins where it saves more than this part of the time.
inline constexpr double margin = 0.01;

/// How far break-even is looked for.
inline constexpr double dearest = 1e6;       ///< times what forming a communicator costs
inline constexpr double shortest_ms = 1e-3;  ///< item_ms

struct Standing {
  Entrant entrant;
  double makespan_s;
  double of_bound;  ///< makespan over the time below which nobody can end
};

/// How far a choice stays the best, and who wins beyond; nobody up to the end where there is none.
struct BreakEven {
  double holds;
  std::optional<Contender> winner;
};

struct Advice {
  Problem problem;
  std::vector<Standing> standings;        ///< the fastest first; of equals the first in the list
  std::vector<std::string> not_measured;  ///< strategies that the costs say nothing of
  std::vector<std::string> failures;      ///< contenders that could not be simulated, and why
  std::optional<BreakEven> item_ms;       ///< nothing where items are that short already
  std::optional<Standing> communicators;  ///< the best of those that form communicators of MPI
  std::optional<BreakEven> dearer;        ///< of forming those, among them and `none`
  int members = 0;                        ///< of the group that the price is told for
  std::vector<GroupSize> group_sizes;     ///< with the best choice, ascending
  int group_size = 0;                     ///< to start with

  const Standing& best() const { return standings.front(); }
  /// The fastest of another balancer, whatever its options; nothing where there is none.
  const Standing* runner_up() const;
  const Standing* none() const;
  /// Those of other balancers or options within the margin, the fastest first.
  std::vector<Contender> as_good() const;
  double price_s() const;  ///< of forming a communicator of `members`
};

/// Is told what goes on.
using Tick = std::function<void(std::string_view)>;

/// Throws UserError where nothing can be simulated.
Advice advise(const Problem& problem, const Tick& tick);

}  // namespace regroup
