// SPDX-License-Identifier: BSD-3-Clause
//
// The one file that includes hwloc.
#include <fmt/format.h>
#include <hwloc.h>

#include <memory>
#include <vector>

#include "jobs/definitions/make.hpp"
#include "kernel/files/user_error.hpp"

namespace regroup {
namespace {

using Topology = std::unique_ptr<hwloc_topology, decltype(&hwloc_topology_destroy)>;

Topology this_machine() {
  hwloc_topology_t topology = nullptr;
  if (hwloc_topology_init(&topology) != 0 || hwloc_topology_load(topology) != 0) {
    throw UserError("hwloc cannot tell what this machine has");
  }
  return {topology, &hwloc_topology_destroy};
}

hwloc_obj_type_t type_of(const std::string& part) {
  if (part == "l3") return HWLOC_OBJ_L3CACHE;
  return part == "package" ? HWLOC_OBJ_PACKAGE : HWLOC_OBJ_MACHINE;
}

}  // namespace

std::vector<RankSet> groups_of_machine(const std::string& part, int ranks) {
  const Topology machine = this_machine();
  const int cores = hwloc_get_nbobjs_by_type(machine.get(), HWLOC_OBJ_CORE);
  if (ranks > cores) {
    throw UserError(fmt::format("{} ranks on {} cores: which of them share {}, nobody knows", ranks,
                                cores, part == "l3" ? "an L3 cache" : "a " + part));
  }
  const int parts = hwloc_get_nbobjs_by_type(machine.get(), type_of(part));
  if (parts < 1) throw UserError(fmt::format("hwloc knows of no {} here", part));
  std::vector<std::vector<RankRange>> there(static_cast<std::size_t>(parts));
  for (int rank = 0; rank < ranks; ++rank) {
    const auto core =
        hwloc_get_obj_by_type(machine.get(), HWLOC_OBJ_CORE, static_cast<unsigned>(rank));
    for (int i = 0; i < parts; ++i) {
      const auto object =
          hwloc_get_obj_by_type(machine.get(), type_of(part), static_cast<unsigned>(i));
      if (hwloc_bitmap_isincluded(core->cpuset, object->cpuset) == 0) continue;
      there[static_cast<std::size_t>(i)].push_back({rank, rank});
    }
  }
  std::vector<RankSet> groups;
  for (const auto& ranges : there) {
    if (!ranges.empty()) groups.push_back(RankSet::of(ranges));
  }
  return groups;
}

}  // namespace regroup
