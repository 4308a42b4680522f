// SPDX-License-Identifier: BSD-3-Clause
//
// Ranks are matched with processors by augmenting paths (H. W. Kuhn, The Hungarian method, 1955): a
// rank takes a free processor, or one whose rank can move to another. Ranks of the same binding
// form one node of the graph, so paths are at most as long as the number of bindings.
#include "kernel/places/host.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <vector>

#include "kernel/text/plain_text.hpp"
#include "regroup/outcome.hpp"

namespace regroup {
namespace {

class Matching {
 public:
  explicit Matching(std::span<const Binding> bindings) : bindings_(bindings) {
    int last = -1;
    for (const Binding& binding : bindings) last = std::max(last, binding.cpus.hi());
    owners_.assign(static_cast<std::size_t>(last) + 1, nobody);
  }

  bool is_whole() {
    for (std::size_t binding = 0; binding < bindings_.size(); ++binding) {
      for (int rank = 0; rank < bindings_[binding].ranks.size(); ++rank) {
        seen_.assign(bindings_.size(), false);
        if (!add_one(binding)) return false;
      }
    }
    return true;
  }

 private:
  static constexpr std::size_t nobody = static_cast<std::size_t>(-1);

  /// Assigns one more processor to `binding`. Returns false if this is impossible.
  bool add_one(std::size_t binding) {
    seen_[binding] = true;
    return each_cpu(binding,
                    [&](std::size_t& owner) {
                      if (owner != nobody) return false;
                      owner = binding;
                      return true;
                    }) ||
           each_cpu(binding, [&](std::size_t& owner) {
             const std::size_t other = owner;
             if (other == nobody || seen_[other] || !add_one(other)) return false;
             owner = binding;
             return true;
           });
  }

  template <class Take>
  bool each_cpu(std::size_t binding, Take take) {
    for (const RankRange range : bindings_[binding].cpus.ranges()) {
      for (int cpu = range.lo; cpu <= range.hi; ++cpu) {
        if (take(owners_[static_cast<std::size_t>(cpu)])) return true;
      }
    }
    return false;
  }

  std::span<const Binding> bindings_;
  std::vector<std::size_t> owners_;  // binding of each processor
  std::vector<bool> seen_;           // bindings on the path
};

}  // namespace

bool have_own_processors(std::span<const Binding> bindings) {
  int ranks = 0;
  std::vector<RankSet> cpus;
  for (const Binding& binding : bindings) {
    ranks += binding.ranks.size();
    cpus.push_back(binding.cpus);
  }
  return ranks <= united(cpus).size() && Matching(bindings).is_whole();
}

namespace {

constexpr std::array<std::string_view, 6> placing_prefixes{"UCX_",  "FI_",    "MPIR_",
                                                           "OMPI_", "SLURM_", "PBS_"};

constexpr std::array job_variables{"SLURM_JOB_ID", "PBS_JOBID", "FLUX_JOB_ID", "FLUX_ENCLOSING_ID",
                                   "LSB_JOBID"};

}  // namespace

RankSet own_cpus() {
  // The call fails with EINVAL if the machine has more processors than the mask has bits.
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

namespace {

Node own_node(const RankSet& ranks) {
  Node node;
  node.bindings.push_back({ranks, own_cpus()});
  node.facts.quota = processor_quota();
  return node;
}

}  // namespace

int own_cores() { return own_node({}).cores(); }

bool would_crowd_this_host(int ranks) { return own_node({0, ranks - 1}).crowded(); }

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

namespace {

/// Returns the first line of a file; empty if there is none.
std::string line_of(const std::string& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return one_line(line);
}

std::string smt(const std::string& root) {
  const std::string active = line_of(root + "/sys/devices/system/cpu/smt/active");
  return active == "1" ? "on" : active == "0" ? "off" : "";
}

/// Returns the quota for `time_us` of processor time per period of `period_us`; 0: no limit.
double quota_of(const std::string& time_us, const std::string& period_us) {
  double time = 0;
  double period = 0;
  std::istringstream(time_us) >> time;  // "max", -1: no limit
  std::istringstream(period_us) >> period;
  return time > 0 && period > 0 ? time / period : 0;
}

double quota_v2(const std::string& group) {
  std::istringstream words(line_of(group + "/cpu.max"));
  std::string time;
  std::string period;
  words >> time >> period;
  return quota_of(time, period);
}

double quota_v1(const std::string& group) {
  return quota_of(line_of(group + "/cpu.cfs_quota_us"), line_of(group + "/cpu.cfs_period_us"));
}

/// Returns the smallest `limit` of `group` and its ancestors in `mount`; 0: no limit. In a
/// container, `group` may not be mounted; the root is then the group of the container.
double least(const std::string& mount, std::string group, double (*limit)(const std::string&)) {
  double result = 0;
  for (;;) {
    if (const double found = limit(mount + group); found > 0) {
      result = result > 0 ? std::min(result, found) : found;
    }
    const std::size_t end = group.rfind('/');
    if (end == std::string::npos || group.empty()) return result;
    group.resize(end);
  }
}

/// Returns the number of bytes that the group may still allocate; 0: no limit.
double memory_left(const std::string& group) {
  double most = 0;
  double taken = 0;
  std::istringstream(line_of(group + "/memory.max")) >> most;  // "max": no limit
  std::istringstream(line_of(group + "/memory.current")) >> taken;
  return most > 0 ? std::max(1.0, most - taken) : 0;
}

bool names_cpu(const std::string& controllers) {
  return ("," + controllers + ",").find(",cpu,") != std::string::npos;
}

}  // namespace

std::string processor_model(const std::string& root) {
  std::ifstream file(root + "/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != line.npos) {
      return one_line(line.substr(colon + 2));
    }
  }
  return {};
}

double processor_quota(const std::string& root) {
  const std::string mounts = root + "/sys/fs/cgroup";
  double result = 0;
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {  // "4:cpu,cpuacct:/a/b", "0::/a/b"
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == line.npos || second == line.npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string group = line.substr(second + 1);
    double found = 0;
    if (controllers.empty()) {
      found = least(mounts, group, quota_v2);
      if (found == 0) found = least(mounts + "/unified", group, quota_v2);
    } else if (names_cpu(controllers)) {
      found = least(mounts + "/" + controllers, group, quota_v1);
      if (found == 0) found = least(mounts + "/cpu", group, quota_v1);
    }
    if (found > 0) result = result > 0 ? std::min(result, found) : found;
  }
  return result;
}

double available_memory(const std::string& root) {
  double bytes = 0;
  std::ifstream memory(root + "/proc/meminfo");
  for (std::string word; memory >> word;) {
    double kilobytes = 0;
    if (word == "MemAvailable:" && memory >> kilobytes) bytes = 1024 * kilobytes;
  }
  std::ifstream groups(root + "/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    if (!line.starts_with("0::")) continue;
    const double left = least(root + "/sys/fs/cgroup", line.substr(3), memory_left);
    if (left > 0) bytes = std::min(bytes, left);
  }
  return bytes;
}

HostFacts host_facts(const std::string& root) {
  HostFacts facts;
  facts.processor = processor_model(root);
  facts.smt = smt(root);
  facts.governor = line_of(root + "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  facts.kernel = line_of(root + "/proc/sys/kernel/osrelease");
  facts.clock_source =
      line_of(root + "/sys/devices/system/clocksource/clocksource0/current_clocksource");
  facts.quota = processor_quota(root);
  std::istringstream(line_of(root + "/proc/loadavg")) >> facts.load;
  return facts;
}

}  // namespace regroup
