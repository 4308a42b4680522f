// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace regroup {

/// What times on a host depend on. Texts are empty where the system does not tell.
struct HostFacts {
  std::string processor;     ///< the model
  std::string smt;           ///< several threads on a core: "on" or "off"
  std::string governor;      ///< what sets the clock rate of the first processor
  std::string kernel;        ///< release
  std::string clock_source;  ///< of the kernel's clocks
  double quota = 0;          ///< processors' worth of time that control groups give; 0: all
  double load = 0;           ///< processes that ran or waited to, over the last minute

  friend bool operator==(const HostFacts&, const HostFacts&) = default;
};

/// Those of this host, as this process sees it. `root`: a folder that stands for /.
HostFacts host_facts(const std::string& root = "");

/// Of /proc/cpuinfo; empty where it tells none.
std::string processor_model(const std::string& root = "");

/// The least of the quotas of the process's control group and of those that it is in, of version 1
/// or 2; 0 where there is none.
double processor_quota(const std::string& root = "");

}  // namespace regroup
