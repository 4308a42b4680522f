// SPDX-License-Identifier: BSD-3-Clause
#include "engines/mpi/agreeing_team.hpp"

#include <array>
#include <exception>
#include <stdexcept>

namespace regroup {

std::optional<std::string> AgreeingTeam::execute(const std::function<void()>& task) {
  ended_ = false;
  in_task_ = true;
  std::optional<std::string> error;
  try {
    task();
  } catch (const std::exception& thrown) {
    error = thrown.what();
  } catch (...) {
    error = "an exception that is not a std::exception";
  }
  in_task_ = false;
  if (size() == 1) return error;
  if (ended_) {
    error.reset();  // only a consequence of another member's end
  } else if (agree(error ? Doing::threw : Doing::returned)) {
    return std::nullopt;
  }
  return first_text(error);
}

std::int64_t AgreeingTeam::from_leader(std::int64_t number) {
  if (size() > 1) GroupTeam::broadcast_to_others(std::as_writable_bytes(std::span(&number, 1)), 0);
  return number;
}

MPI_Comm AgreeingTeam::communicator() {
  if (!has_communicator()) begin_operation();
  return GroupTeam::communicator();
}

void AgreeingTeam::combine(std::span<std::int64_t> values, Operation operation) {
  begin_operation();
  GroupTeam::combine(values, operation);
}

void AgreeingTeam::broadcast_to_others(std::span<std::byte> bytes, int root) {
  begin_operation();
  GroupTeam::broadcast_to_others(bytes, root);
}

void AgreeingTeam::begin_operation() {
  if (!in_task_ || (!ended_ && agree(Doing::operation))) return;
  throw std::runtime_error("another member of the group has ended the task");
}

bool AgreeingTeam::agree(Doing doing) {
  if (size() == 1) return true;
  const auto own = static_cast<std::int64_t>(doing);
  std::array<std::int64_t, 2> most{own, -own};
  GroupTeam::combine(most, Operation::max);
  const bool same = most[0] == -most[1] && most[0] != static_cast<std::int64_t>(Doing::threw);
  ended_ = ended_ || !same;
  return same;
}

std::string AgreeingTeam::first_text(const std::optional<std::string>& text) {
  std::array<std::int64_t, 1> first{text ? rank() : size()};
  GroupTeam::combine(first, Operation::min);
  if (first[0] == size()) {
    return "its members did not call the same operations: some returned while others had not";
  }
  const int root = static_cast<int>(first[0]);
  std::string result = text.value_or("");
  auto length = static_cast<std::int64_t>(result.size());
  GroupTeam::broadcast_to_others(std::as_writable_bytes(std::span(&length, 1)), root);
  result.resize(static_cast<std::size_t>(length));
  if (length > 0) GroupTeam::broadcast_to_others(std::as_writable_bytes(std::span(result)), root);
  return result;
}

}  // namespace regroup
