// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace regroup {

/// Purpose of a random number: draws for different purposes never use the same number.
enum class Purpose : std::uint32_t {
  decision,
  workload,
  jitter,
  exploration,
  subset,
  wants,
  chain,
  chain_start,
  order,
  sweep_order,
  swap,
  fault
};

/// Returns 64 uniformly distributed bits, a pure function of the arguments (Philox4x32-10; Salmon
/// et al., "Parallel Random Numbers: As Easy as 1, 2, 3", SC 2011): equal on all processes, engines
/// and machines, in any order of calls.
std::uint64_t random_bits(std::uint64_t seed, Purpose purpose, std::uint64_t who,
                          std::uint64_t count);

/// Converts `bits` to a number in [0, 1) with 53 random bits.
double unit_interval(std::uint64_t bits);

/// Converts `bits` to a standard normal variate: the quantile of a number strictly between 0 and 1.
double standard_normal(std::uint64_t bits);

}  // namespace regroup

namespace regroup::exact {

// Logarithm, exponential and normal quantile, bitwise equal on all machines: they use only + − × ÷
// and √, which IEEE 754 rounds correctly (the project compiles without fused multiply-add). The
// functions of the C library differ between versions and processors.

/// Relative error below 1e-14; for finite, normal x > 0.
double log(double x);

/// As log; exact if x is a power of two.
double log2(double x);

/// Relative error below 1e-14; for results from 1e-300 to 1e300. Smaller ones become 0.
double exp(double x);

/// The z with P(Z <= z) = p for a standard normal Z; for 0 < p < 1.
/// Source: Wichura, Algorithm AS 241 (PPND16), Applied Statistics 37, 1988.
double normal_quantile(double p);

}  // namespace regroup::exact

namespace regroup {

/// Hash of `text` (FNV-1a, 64 bits), and its sixteen hexadecimal digits.
std::uint64_t hash_number(std::string_view text);
std::string hash_text(std::string_view text);

/// Hash of `hash` and `number`, in this order, by the finaliser of SplitMix64.
constexpr std::uint64_t hash_combined(std::uint64_t hash, std::uint64_t number) {
  std::uint64_t mixed = (hash ^ number) * 0x100000001b3u + 0x9e3779b97f4a7c15u;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
  return mixed ^ (mixed >> 31);
}

/// Converts a hash to its digits, and back; nothing if `digits` are not those of a hash.
std::string hash_digits(std::uint64_t number);
std::optional<std::uint64_t> hash_from(std::string_view digits);

}  // namespace regroup
