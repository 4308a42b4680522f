// SPDX-License-Identifier: BSD-3-Clause
//
// Logarithm, exponential and normal quantile with the same last bit everywhere. The functions of
// the C library differ in it between versions and processors, and a workload that depends on it
// could not be reproduced. These are made of + − × ÷ and the square root alone, which IEEE 754
// rounds exactly (and the project compiles without fused multiply-add).
#pragma once

namespace regroup::exact {

/// Relative error below 1e-14; for finite, normal x > 0.
double log(double x);

/// As above; exact where x is a power of two.
double log2(double x);

/// Relative error below 1e-14; for results from 1e-300 to 1e300. Smaller ones become 0.
double exp(double x);

/// The z with P(Z <= z) = p for a standard normal Z; for 0 < p < 1.
/// Source: Wichura, Algorithm AS 241 (PPND16), Applied Statistics 37, 1988.
double normal_quantile(double p);

}  // namespace regroup::exact
