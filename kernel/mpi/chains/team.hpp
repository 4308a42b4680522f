// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <vector>

#include "communicators/group_comm.hpp"
#include "communicators/waiting/waiter.hpp"
#include "kernel/chains/walker.hpp"

namespace regroup {

/// The members of `group`, whose operations are those of its communicator: MPI's, or a range
/// communicator's.
class GroupTeam final : public Team {
 public:
  GroupTeam(const GroupComm& group, const Waiter& waiter)
      : Team(group.rank(), group.size()), group_(group), waiter_(waiter) {}

 private:
  void combine(std::span<std::int64_t> values, Operation operation) override;
  void broadcast_to_others(std::span<std::byte> bytes, int root) override;

  const GroupComm& group_;
  const Waiter& waiter_;
  std::vector<std::int64_t> own_;  // what this member gives to a combination
};

}  // namespace regroup
