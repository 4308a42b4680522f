// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/places/host_facts.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <vector>

#include "kernel/files/plain_text.hpp"

namespace regroup {
namespace {

/// The first line of a file; empty where there is none.
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

/// Of the two numbers that a group's files tell: microseconds of processor time in so many of time.
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

/// The least that `quota` finds from `group` up to the root of `mount`. In a container the group's
/// own name may be one that is not mounted there: then the root is the container's.
double least(const std::string& mount, std::string group, double (*quota)(const std::string&)) {
  double result = 0;
  for (;;) {
    if (const double found = quota(mount + group); found > 0) {
      result = result > 0 ? std::min(result, found) : found;
    }
    const std::size_t end = group.rfind('/');
    if (end == std::string::npos || group.empty()) return result;
    group.resize(end);
  }
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
