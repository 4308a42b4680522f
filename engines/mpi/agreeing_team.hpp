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

/// A group that executes tasks, of which one that throws on some members fails on all of them.
/// Before each operation of a task all members agree that all go on, so that nobody waits for one
/// that has thrown or returned. They cannot agree inside a library that uses communicator(): there,
/// all must throw.
class AgreeingTeam final : public GroupTeam {
 public:
  AgreeingTeam(const GroupComm& group, const Waiter& waiter, TeamCommunicators& communicators)
      : GroupTeam(group, waiter, communicators) {}

  /// Calls `task` on all members, and returns what it threw on the first one that it threw on;
  /// equal on all members.
  std::optional<std::string> execute(const std::function<void()>& task);

  MPI_Comm communicator() override;

  /// Waits until all members have come.
  void gather() { agree(Doing::operation); }

  /// All get the `number` of member 0.
  std::int64_t from_leader(std::int64_t number);

 private:
  enum class Doing : std::int64_t { operation, returned, threw };

  void combine(std::span<std::int64_t> values, Operation operation) override;
  void broadcast_to_others(std::span<std::byte> bytes, int root) override;

  void begin_operation();
  /// Whether all are doing the same, which is not to throw.
  bool agree(Doing doing);
  /// The `text` of the first member that has one.
  std::string first_text(const std::optional<std::string>& text);

  bool in_task_ = false;
  bool ended_ = false;  // one member threw or returned
};

}  // namespace regroup
