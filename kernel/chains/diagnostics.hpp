// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "regroup/convergence.hpp"

namespace regroup {

/// Computes the diagnostics of one quantity from its draws in each chain, like R's package
/// posterior, in O(n log n). All draws must be finite. Results are bit-identical on all machines.
/// Source: Vehtari, Gelman, Simpson, Carpenter and Bürkner, "Rank-Normalization, Folding, and
/// Localization: An Improved R-hat for Assessing Convergence of MCMC", Bayesian Analysis 16, 2021.
///
/// Chains of unequal length are cut to the length of the shortest; only their first draws count.
/// - Without draws, no figure is defined; for a single draw, `sd` is missing.
/// - Only `mean` and `sd` are defined if a chain has fewer than 4 draws or if all draws of a chain
///   are equal. With fewer than 6 draws per chain, only `r_hat` is also defined.
/// - `r_hat` is infinite if both halves of each chain are constant but differ between halves.
/// - `r_hat` is missing if all draws are equally far from their median.
/// - `tail_ess` is missing if the 95 % quantile is equal to the largest draw.
Diagnostics diagnostics_of(std::span<const std::vector<double>> chains);

}  // namespace regroup
