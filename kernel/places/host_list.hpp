// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace regroup {

/// A host of a list, and the number of ranks that it has room for.
struct ListedHost {
  std::string name;  ///< or its address
  int slots = 1;
  friend bool operator==(const ListedHost&, const ListedHost&) = default;
};

/// The hosts in `text`, in its order; a host may occur several times. `text` may be
///   - a list of Slurm or Flux: "n[001-003,7],login-[0-1].example";
///   - one of PBS or Torque: "n1/0*2+n2/1", "n1/0-3", "(n1:ncpus=2:mem=4gb)+(n2:ncpus=1)",
///     "n1:ppn=4+n2:ppn=4", or a file with a host in each line ($PBS_NODEFILE);
///   - one of LSF: "n1 2 n2 4", "4*n1:2*n2", "n[1:10]", or such a file ($LSB_DJOB_HOSTFILE);
///   - one of MPI launchers: "n1:2,n2", or a hostfile with lines such as "n1 slots=2 # mine".
/// IPv4 addresses are names, too. IPv6 addresses are in brackets before a number of slots:
/// "[fe80::1]:2". Throws std::invalid_argument with the word that is no host.
std::vector<ListedHost> host_list(std::string_view text);

/// Expands the ranges in `text`: "n[08-10]" becomes n08, n09 and n10. Throws std::invalid_argument.
std::vector<std::string> host_names(std::string_view text);

/// Whether `text` is an IPv6 address without brackets.
bool is_ipv6(std::string_view text);

/// Whether two names denote the same host: they are equal, or differ only in that one lacks the
/// domain.
bool same_host(std::string_view a, std::string_view b);

/// Numbers as Slurm gives them for the hosts of a list: "2(x3),4" are 2, 2, 2 and 4. Throws
/// std::invalid_argument.
std::vector<int> numbers_of_hosts(std::string_view text);

}  // namespace regroup
