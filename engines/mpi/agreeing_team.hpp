// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "engines/mpi/chains.hpp"
#include "regroup/communicator.hpp"
#include "regroup/waiter.hpp"

namespace regroup {

/// A group that executes tasks; a task that throws on some members fails on all of them. Before
/// each operation of a task, the members agree that all of them go on, so that none waits for a
/// member that has thrown or returned. They cannot agree inside a library that uses communicator():
/// there, either all members throw or none.
class AgreeingTeam final : public GroupTeam {
 public:
  AgreeingTeam(const GroupComm& group, const Waiter& waiter, TeamCommunicators& communicators)
      : GroupTeam(group, waiter, communicators) {}

  /// Calls `task` on all members. If it throws on some, returns the message of the first of them,
  /// equal on all members.
  std::optional<std::string> execute(const std::function<void()>& task);

  MPI_Comm communicator() override;

  /// Waits until all members have called it.
  void gather() { agree(Doing::operation); }

  /// Returns the `number` of member 0 on all members.
  std::int64_t from_leader(std::int64_t number);

 private:
  enum class Doing : std::int64_t { operation, returned, threw };

  void combine(std::span<std::int64_t> values, Operation operation) override;
  void broadcast_to_others(std::span<std::byte> bytes, int root) override;

  void begin_operation();
  /// Whether all members do the same, and none has thrown.
  bool agree(Doing doing);
  /// Returns the `text` of the first member that has one.
  std::string first_text(const std::optional<std::string>& text);

  bool in_task_ = false;
  bool ended_ = false;  // one member threw or returned
};

}  // namespace regroup
