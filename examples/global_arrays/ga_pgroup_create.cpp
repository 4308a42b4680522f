// SPDX-License-Identifier: BSD-3-Clause
//
// ga_pgroup_create: creates a processor group of Global Arrays, and uses its MPI communicator.
// Group-collective if the environment contains ARMCI_NONCOLLECTIVE_GROUPS=1. The communicator
// belongs to the group, so it is freed by GA_Pgroup_destroy.
// Source: Dinan et al., EuroMPI 2011, section 2.2, and the manual of Global Arrays.
#include <ga-mpi.h>
#include <ga.h>
#include <mpi.h>

#include <cstdlib>
#include <map>
#include <regroup/communicator.hpp>
#include <regroup/program.hpp>
#include <regroup/strategy.hpp>
#include <vector>

using namespace regroup;

namespace {

/// The handles of existing groups, by their communicators.
std::map<MPI_Comm, int>& handles() {
  static std::map<MPI_Comm, int> all;
  return all;
}

int destroy(MPI_Comm* comm) {
  const auto found = handles().find(*comm);
  GA_Pgroup_destroy(found->second);
  handles().erase(found);
  *comm = MPI_COMM_NULL;
  return MPI_SUCCESS;
}

/// Returns the ranks in MPI_COMM_WORLD, by which Global Arrays number processes.
std::vector<int> in_world(MPI_Comm parent, const Members& members) {
  const std::vector<int> ranks = members.ranks();
  MPI_Group of_parent = MPI_GROUP_NULL;
  MPI_Group of_world = MPI_GROUP_NULL;
  MPI_Comm_group(parent, &of_parent);
  MPI_Comm_group(MPI_COMM_WORLD, &of_world);
  std::vector<int> translated(ranks.size());
  MPI_Group_translate_ranks(of_parent, members.size(), ranks.data(), of_world, translated.data());
  MPI_Group_free(&of_parent);
  MPI_Group_free(&of_world);
  return translated;
}

GroupComm ga_pgroup_create(Site& parent, const Members& members, int) {
  std::vector<int> ranks = in_world(parent.comm(), members);
  const int handle = GA_Pgroup_create(ranks.data(), members.size());
  MPI_Comm comm = GA_MPI_Comm_pgroup(handle);
  handles()[comm] = handle;
  return GroupComm(CommHandle(comm, parent.communicators(), destroy));
}

}  // namespace

/// Also starts Global Arrays, collectively, before any group is created.
int MPI_Init(int* argc, char*** argv) {
  const int result = PMPI_Init(argc, argv);
  if (result == MPI_SUCCESS) GA_Initialize();
  return result;
}

void regroup::add_rows(Catalog& catalog) {
  catalog.strategies.push_back({.name = "ga_pgroup_create",
                                .help = "GA_Pgroup_create of Global Arrays, by the members alone",
                                .make = ga_pgroup_create});
}
