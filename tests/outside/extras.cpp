// SPDX-License-Identifier: BSD-3-Clause
//
// A program that adds what posterior does not: a workload, a communicator strategy, and a
// kind of measurement, whose file is measurement_kind_example.cpp.
#include <mpi.h>

#include <array>
#include <regroup/communicator.hpp>
#include <regroup/measurement.hpp>
#include <regroup/program.hpp>
#include <regroup/strategy.hpp>
#include <regroup/workload.hpp>

namespace regroup {
MeasurementKind barrier_kind();
}

using namespace regroup;

namespace {

constexpr std::array rising_options{
    integer_option("more", "10", 0, 1e6, "items that a walker has more than the one on its left"),
};

Items rising(const Options& options, Groups groups, std::uint64_t) {
  Items items;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    items.push_back(options.integer("more") * static_cast<std::int64_t>(i + 1));
  }
  return items;
}

const WorkloadEntry rising_row{
    {"rising", "each walker has `more` items more than the one on its left", rising_options},
    rising,
    /*draws=*/false};

GroupComm members_only(Site& parent, const Members& members, int tag) {
  const GroupHandle group = group_of(parent.comm(), members);
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_create_group(parent.comm(), group.get(), tag, &comm);
  return GroupComm(CommHandle(comm, parent.communicators()));
}

}  // namespace

void regroup::add_rows(Catalog& catalog) {
  catalog.workloads.push_back(rising_row);
  catalog.strategies.push_back(
      {.name = "members_only", .help = "the members alone", .make = members_only});
  catalog.measurements.push_back(barrier_kind());
}
