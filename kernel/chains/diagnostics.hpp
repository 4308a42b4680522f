// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "regroup/convergence.hpp"

namespace regroup {

/// Diagnostics of one quantity from its draws in each chain, as R's package posterior computes
/// them, in O(n log n). All draws must be finite. The result has the same last bit on every
/// machine. Source: Vehtari, Gelman, Simpson, Carpenter and Bürkner, "Rank-Normalization, Folding,
/// and Localization: An Improved R-hat for Assessing Convergence of MCMC", Bayesian Analysis 16,
/// 2021.
///
/// Chains of unequal length are cut to the shortest: its length counts the first draws of each.
/// - Without draws, there are no figures; a single draw has no `sd`.
/// - `mean` and `sd` are the only figures if a chain has fewer than 4 draws or if all draws of a
///   chain are equal. With fewer than 6 draws per chain, `r_hat` is the only other figure.
/// - `r_hat` is infinite if both halves of each chain are constant but differ between halves.
/// - `r_hat` is missing if all draws are equally far from their median.
/// - `tail_ess` is missing if the 95 % quantile is the largest draw: more than 5 % are equal to it.
Diagnostics diagnostics_of(std::span<const std::vector<double>> chains);

}  // namespace regroup
