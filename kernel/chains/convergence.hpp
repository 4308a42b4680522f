// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>

#include "kernel/outcome.hpp"

namespace regroup {

/// What chains that sample the same distribution say of it, of which each begins somewhere else.
struct Convergence {
  /// The potential scale reduction: near 1 where the chains agree. 0 where there are fewer than two
  /// chains with two reports, or nothing varies. Source: Gelman and Rubin, Inference from Iterative
  /// Simulation Using Multiple Sequences, Statistical Science 7, 1992; its first estimate, without
  /// the correction for degrees of freedom.
  double r_hat = 0;
  /// How many independent samples those of all chains are worth, by the variance of the means of
  /// reports; 0 where no chain has two. Source: Flegal, Haran and Jones, Markov Chain Monte Carlo:
  /// Can We Trust the Third Significant Figure?, Statistical Science 23, 2008 (batch means).
  double effective_samples = 0;
  double mean = 0;  ///< of all samples that count; 0 without any
};

/// Of `reports`, which are in the order of Outcome::reports. The first half of each chain's,
/// rounded down, does not count: the chain may not have forgotten there where it began.
Convergence convergence_of(std::span<const ChainReport> reports);

/// "R-hat 1.023, 412 effective samples", as far as these have a meaning.
std::string text_of(const Convergence& found);

}  // namespace regroup
