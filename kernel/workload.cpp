// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/workload.hpp"

#include <array>

namespace regroup {
namespace {

using Items = std::vector<std::int64_t>;
using Groups = std::span<const RankRange>;

// The paper's kernel: S(R) = multiplier · (R mod modulus), R the group's lowest rank. The paper
// prints "10 · R mod 32"; its sequence 0, 40, 80, …, 280, 0, … settles the reading.
// Source: Dinan et al., Noncollective Communicator Creation in MPI, EuroMPI 2011, section 4.
constexpr std::array cyclic_options{
    OptionSpec{"multiplier", OptionSpec::Type::integer, "10", 0, 1e6, "", "items per step"},
    OptionSpec{"modulus", OptionSpec::Type::integer, "32", 1, 1e9, "", "ranks per cycle"},
};

Items cyclic(const Options& options, Groups groups, std::uint64_t) {
  const std::int64_t multiplier = options.integer("multiplier");
  const std::int64_t modulus = options.integer("modulus");
  Items items;
  items.reserve(groups.size());
  for (const RankRange& group : groups) items.push_back(multiplier * (group.lo % modulus));
  return items;
}

constexpr std::array entries{
    WorkloadEntry{{"cyclic",
                   "multiplier · (R mod modulus) items, R the group's lowest rank: the "
                   "paper's workload",
                   cyclic_options},
                  cyclic},
};

}  // namespace

std::span<const WorkloadEntry> workloads() { return entries; }

}  // namespace regroup
