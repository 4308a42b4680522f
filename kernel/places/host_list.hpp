// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace regroup {

/// A host of a list, and its number of slots for ranks.
struct ListedHost {
  std::string name;  ///< or address
  int slots = 1;
  friend bool operator==(const ListedHost&, const ListedHost&) = default;
};

/// Returns the hosts in `text`, in its order; a host may occur several times. `text` may be
///   - a list of Slurm or Flux: "n[001-003,7],login-[0-1].example";
///   - a list of PBS or Torque: "n1/0*2+n2/1", "n1/0-3", "(n1:ncpus=2:mem=4gb)+(n2:ncpus=1)",
///     "n1:ppn=4+n2:ppn=4", or a file with one host per line ($PBS_NODEFILE);
///   - a list of LSF: "n1 2 n2 4", "4*n1:2*n2", "n[1:10]", or such a file ($LSB_DJOB_HOSTFILE);
///   - a list of MPI launchers: "n1:2,n2", or a hostfile with lines such as "n1 slots=2 # mine".
/// Hosts may be IPv4 or IPv6 addresses. Before a number of slots, IPv6 addresses are in brackets:
/// "[fe80::1]:2". Throws std::invalid_argument with the word that is not a host.
std::vector<ListedHost> host_list(std::string_view text);

/// Expands the ranges in `text`: "n[08-10]" becomes n08, n09 and n10. Throws std::invalid_argument.
std::vector<std::string> host_names(std::string_view text);

/// Returns whether `text` is an IPv6 address without brackets.
bool is_ipv6(std::string_view text);

/// Returns whether two names denote the same host: they are equal, or one is the other without its
/// domain.
bool same_host(std::string_view a, std::string_view b);

/// Expands numbers per host in the format of Slurm: "2(x3),4" becomes 2, 2, 2 and 4. Throws
/// std::invalid_argument.
std::vector<int> numbers_of_hosts(std::string_view text);

}  // namespace regroup
