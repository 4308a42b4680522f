// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/allocation/candidates.hpp"

#include <algorithm>
#include <set>
#include <sstream>

#include "jobs/build_info.hpp"

namespace regroup {
namespace {

/// Starts with what the site chose: Slurm's own default, or the user's SLURM_MPI_TYPE.
std::vector<JobLauncher> of_slurm(const GivenHosts& given, const MpiToLaunch& mpi,
                                  const std::string& types) {
  std::vector<std::string> options{""};
  for (const std::string& type : likely_types(types, mpi.open_mpi)) {
    options.push_back(" --mpi=" + type);
  }
  std::vector<JobLauncher> all;
  for (const std::string& option : options) {
    const std::string srun = "srun" + option;
    all.push_back({srun + " -n {ranks}",
                   srun + " -N {nodes} --ntasks-per-node={ranks_per_node} -n {ranks}", "-O",
                   given.processors, given.least_on_a_host, ""});
  }
  return all;
}

/// The MPI library's own launcher is told the hosts.
JobLauncher of_pbs(const GivenHosts& given, const MpiToLaunch& mpi) {
  const std::size_t end = std::min(mpi.launcher.find(' '), mpi.launcher.size());
  const std::string program = mpi.launcher.substr(0, end);
  const std::string options = mpi.launcher.substr(end);
  const std::string hosts = mpi.open_mpi ? " --hostfile {hostfile}" : " -f {hostfile}";
  const std::string places =
      mpi.open_mpi ? " --map-by ppr:{ranks_per_node}:node" : " -ppn {ranks_per_node}";
  return {program + hosts + options,
          program + hosts + places + options,
          "",
          given.processors,
          given.least_on_a_host,
          given.hostfile};
}

}  // namespace

MpiToLaunch own_mpi() { return {mpi_is_open_mpi, std::string(mpi_launcher)}; }

std::vector<std::string> likely_types(const std::string& types, bool open_mpi) {
  std::set<std::string> there;
  std::istringstream lines(types);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word;
    while (words >> word) {
      if (word != "srun:") break;
    }
    if (!(words >> std::ws).eof()) continue;  // a sentence, not a name
    there.insert(word);
  }
  std::vector<std::string> wanted{"pmi2", "cray_shasta", "pmix"};
  if (open_mpi) wanted = {"pmix", "pmi2"};
  std::erase_if(wanted, [&](const std::string& type) { return !there.contains(type); });
  return wanted;
}

std::vector<JobLauncher> candidates(const GivenHosts& given, const MpiToLaunch& mpi,
                                    const std::string& types) {
  switch (given.scheduler) {
    case Scheduler::slurm:
      return of_slurm(given, mpi, types);
    case Scheduler::pbs:
      return {of_pbs(given, mpi)};
    case Scheduler::flux:
      return {{"flux run -n {ranks}", "flux run -N {nodes} -n {ranks}", "", 0, 0, ""}};
    case Scheduler::none:
      break;
  }
  return {};
}

}  // namespace regroup
