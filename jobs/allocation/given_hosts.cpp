// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/allocation/given_hosts.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string_view>

#include "kernel/files/files.hpp"
#include "kernel/numbers/parse.hpp"

namespace regroup {
namespace {

int number(std::string_view text) { return std::max(0, parse<int>(text).value_or(0)); }

/// A host's name without its domain.
std::string short_name(const std::string& host) { return host.substr(0, host.find('.')); }

/// What Slurm tells of the processors of hosts: "2(x3),4" are three hosts with 2 and one with 4.
void add_processors(const std::string& text, GivenHosts& given) {
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    const std::size_t times = part.find("(x");
    const bool repeated = times != part.npos && part.ends_with(')');
    const int on_each = number(std::string_view(part).substr(0, times));
    const int hosts =
        repeated ? number(std::string_view(part).substr(times + 2, part.size() - times - 3)) : 1;
    given.processors += on_each * hosts;
    given.least_on_a_host =
        given.least_on_a_host == 0 ? on_each : std::min(given.least_on_a_host, on_each);
  }
}

GivenHosts given_by_slurm(const Variables& variables, const std::string& here) {
  GivenHosts given;
  given.scheduler = Scheduler::slurm;
  given.hosts = number(variables("SLURM_JOB_NUM_NODES"));
  const std::string names = variables("SLURM_JOB_NODELIST");
  const bool is_here = names.empty() || names == variables("SLURMD_NODENAME") ||
                       short_name(names) == short_name(here);
  if (given.hosts == 0 || (given.hosts == 1 && is_here)) return {};
  add_processors(variables("SLURM_JOB_CPUS_PER_NODE"), given);
  given.ranks = number(variables("SLURM_NTASKS"));
  return given;
}

GivenHosts given_by_pbs(const Variables& variables, const std::string& here) {
  GivenHosts given;
  given.scheduler = Scheduler::pbs;
  given.hostfile = variables("PBS_NODEFILE");
  std::istringstream lines(given.hostfile.empty() ? "" : read_file(given.hostfile).value_or(""));
  std::map<std::string, int> processors;
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty()) ++processors[short_name(line)];
  }
  if (processors.empty() || (processors.size() == 1 && processors.contains(short_name(here)))) {
    return {};
  }
  given.hosts = static_cast<int>(processors.size());
  for (const auto& [host, on_it] : processors) {
    given.ranks += on_it;
    given.least_on_a_host =
        given.least_on_a_host == 0 ? on_it : std::min(given.least_on_a_host, on_it);
  }
  given.processors = given.ranks;
  return given;
}

}  // namespace

std::string GivenHosts::name() const {
  constexpr std::array names{"", "Slurm", "PBS", "Flux"};
  return names.at(static_cast<std::size_t>(scheduler));
}

GivenHosts given_hosts(const Variables& variables, const std::string& here) {
  // Flux runs in jobs of others, and not the other way round.
  if (!variables("FLUX_URI").empty() || !variables("FLUX_ENCLOSING_ID").empty()) {
    GivenHosts given;
    given.scheduler = Scheduler::flux;
    return given;
  }
  if (!variables("SLURM_JOB_ID").empty()) return given_by_slurm(variables, here);
  if (!variables("PBS_JOBID").empty()) return given_by_pbs(variables, here);
  return {};
}

GivenHosts given_hosts() {
  std::array<char, 256> here{};
  gethostname(here.data(), here.size() - 1);
  return given_hosts(
      [](const char* name) {
        const char* value = std::getenv(name);
        return std::string(value == nullptr ? "" : value);
      },
      here.data());
}

}  // namespace regroup
