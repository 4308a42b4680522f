// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/places/this_process.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

#include "kernel/files/plain_text.hpp"
#include "kernel/places/place.hpp"

namespace regroup {
namespace {

constexpr std::array<std::string_view, 6> placing_prefixes{"UCX_",  "FI_",    "MPIR_",
                                                           "OMPI_", "SLURM_", "PBS_"};

constexpr std::array job_variables{"SLURM_JOB_ID", "PBS_JOBID", "FLUX_JOB_ID", "FLUX_ENCLOSING_ID",
                                   "LSB_JOBID"};

}  // namespace

RankSet own_cpus() {
  // Machines with more processors than a mask has bits answer EINVAL.
  for (int most = 1024; most <= 1 << 14; most *= 4) {
    const std::size_t bytes = CPU_ALLOC_SIZE(most);
    const auto release = [](cpu_set_t* set) { CPU_FREE(set); };
    const std::unique_ptr<cpu_set_t, decltype(release)> set(CPU_ALLOC(most), release);
    if (set != nullptr && sched_getaffinity(0, bytes, set.get()) == 0) {
      std::vector<RankRange> cpus;
      for (int cpu = 0; cpu < most; ++cpu) {
        if (CPU_ISSET_S(cpu, bytes, set.get())) cpus.push_back({cpu, cpu});
      }
      return RankSet::of(std::move(cpus));
    }
    if (errno != EINVAL) break;
  }
  return {0, std::max(1, static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN))) - 1};
}

int own_cores() {
  Node node;
  node.bindings.push_back({{}, own_cpus()});
  node.facts.quota = processor_quota();
  return node.cores();
}

std::map<std::string, std::string> variables_with(std::span<const std::string_view> prefixes,
                                                  const char* const* environment) {
  std::map<std::string, std::string> found;
  for (; *environment != nullptr; ++environment) {
    const std::string_view text = *environment;
    const auto begins = [&](std::string_view prefix) { return text.starts_with(prefix); };
    const std::size_t end = text.find('=');
    if (end == text.npos || std::ranges::none_of(prefixes, begins)) continue;
    found.emplace(one_line(text.substr(0, end)), one_line(text.substr(end + 1)));
  }
  return found;
}

std::map<std::string, std::string> placing_variables(const char* const* environment) {
  return variables_with(placing_prefixes, environment);
}

std::string job_id() {
  for (const char* name : job_variables) {
    const char* value = std::getenv(name);
    if (value != nullptr && *value != '\0') return one_line(value);
  }
  return {};
}

}  // namespace regroup
