// SPDX-License-Identifier: BSD-3-Clause
//
// Workloads in which the place of a group alone decides how many items it has.
#pragma once

#include "kernel/workloads/workload.hpp"

namespace regroup {

// The paper's kernel: S(R) = multiplier · (R mod modulus), R the group's lowest rank. The paper
// prints "10 · R mod 32"; its sequence 0, 40, 80, …, 280, 0, … settles the reading.
// Source: Dinan et al., Noncollective Communicator Creation in MPI, EuroMPI 2011, section 4.
inline constexpr std::array cyclic_options{
    integer_option("multiplier", "10", 0, 1e6, "items per step"),
    integer_option("modulus", "32", 1, 1e9, "ranks per cycle"),
};
Items cyclic(const Options& options, Groups groups, std::uint64_t seed);

// The other literal reading of that print: S(R) = (multiplier · R) mod modulus.
inline constexpr std::array cyclic_literal_options{
    integer_option("multiplier", "10", 0, 1e6, "items per rank"),
    integer_option("modulus", "32", 1, 1e9, "items per cycle"),
};
Items cyclic_literal(const Options& options, Groups groups, std::uint64_t seed);

// No imbalance: what a balancer costs where there is nothing to gain.
inline constexpr std::array constant_options{mean_option};
Items constant(const Options& options, Groups groups, std::uint64_t seed);

// The worst imbalance: one group has all the work.
inline constexpr std::array<std::string_view, 3> long_group_words{"first", "middle", "last"};
inline constexpr std::array single_options{
    mean_option,
    choice_option("long_group", "last", long_group_words, "where the group with all the work is"),
};
Items single(const Options& options, Groups groups, std::uint64_t seed);

// All long chains at one end. Groups only grow to the left, so work at the right end can be reached
// by everybody, and work at the left end by few.
inline constexpr std::array<std::string_view, 2> long_side_words{"left", "right"};
inline constexpr std::array blocks_options{
    mean_option,
    real_option("long_fraction", "0.25", 0, 1,
                "part of the groups that share all the work, one group at least"),
    choice_option("long_side", "right", long_side_words, "where they are"),
};
Items blocks(const Options& options, Groups groups, std::uint64_t seed);

}  // namespace regroup
