// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/workloads/workload.hpp"

#include "kernel/workloads/deterministic.hpp"
#include "kernel/workloads/random.hpp"
#include "kernel/workloads/trace.hpp"

namespace regroup {
namespace {

constexpr bool fixed = false;
constexpr bool drawn = true;

constexpr std::array entries{
    WorkloadEntry{{"cyclic",
                   "multiplier · (R mod modulus) items, R the group's lowest rank: the "
                   "paper's workload",
                   cyclic_options},
                  cyclic,
                  fixed},
    WorkloadEntry{
        {"cyclic_literal", "(multiplier · R) mod modulus items: the paper's formula to the letter",
         cyclic_literal_options},
        cyclic_literal,
        fixed},
    WorkloadEntry{{"constant", "every group has as many items", constant_options}, constant, fixed},
    WorkloadEntry{{"single", "one group has all items", single_options}, single, fixed},
    WorkloadEntry{
        {"blocks", "the groups at one end have all items", blocks_options}, blocks, fixed},
    WorkloadEntry{
        {"uniform", "from 0 to twice the mean, equally likely", uniform_options}, uniform, drawn},
    WorkloadEntry{
        {"exponential", "exponentially distributed", exponential_options}, exponential, drawn},
    WorkloadEntry{{"lognormal", "lognormally distributed", lognormal_options}, lognormal, drawn},
    WorkloadEntry{{"pareto", "Pareto distributed: a heavy tail", pareto_options}, pareto, drawn},
    WorkloadEntry{{"trace", "the items of every group from a file", trace_options}, trace, fixed},
};

}  // namespace

std::span<const WorkloadEntry> workloads() { return entries; }

}  // namespace regroup
