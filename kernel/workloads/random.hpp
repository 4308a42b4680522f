// SPDX-License-Identifier: BSD-3-Clause
//
// Workloads that draw the items of every group, independently of each other. All have the mean that
// is asked for, up to rounding to whole items; they differ in how far the longest chains are from
// it. Equal seeds give equal items on every machine (exact_math.hpp).
#pragma once

#include "kernel/workloads/workload.hpp"

namespace regroup {

// Whole numbers from 0 to twice the mean, equally likely.
inline constexpr std::array uniform_options{mean_option};
Items uniform(const Options& options, Groups groups, std::uint64_t seed);

// As the number of transitions is where every transition is equally likely to be the last.
inline constexpr std::array exponential_options{mean_option};
Items exponential(const Options& options, Groups groups, std::uint64_t seed);

// The product of many small influences.
inline constexpr std::array lognormal_options{
    mean_option,
    real_option("log_stdev", "1", 0, 10, "standard deviation of the logarithm"),
};
Items lognormal(const Options& options, Groups groups, std::uint64_t seed);

// A heavy tail: few chains have much of the work. With alpha up to 2 the variance is infinite.
inline constexpr std::array pareto_options{
    mean_option,
    real_option("tail_exponent", "2.5", 1.01, 100,
                "exponent of the tail: the smaller, the heavier"),
};
Items pareto(const Options& options, Groups groups, std::uint64_t seed);

}  // namespace regroup
