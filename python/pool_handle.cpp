// SPDX-License-Identifier: BSD-3-Clause
#include "python/pool_handle.hpp"

#include <memory>
#include <stdexcept>
#include <utility>

#include "regroup/waiter.hpp"

namespace regroup {
namespace {

State state_of(const py::bytes& bytes) {
  const std::string_view text = bytes;
  const auto all = std::as_bytes(std::span(text));
  return {all.begin(), all.end()};
}

py::bytes bytes_of(std::span<const std::byte> state) {
  return {reinterpret_cast<const char*>(state.data()), state.size()};
}

/// The team handle of all tasks; never destroyed, since the interpreter may end first.
py::object& shared_handle() {
  static py::object* const handle = [] {
    auto created = std::make_unique<TeamHandle>();
    created->lend(nullptr);
    return new py::object(py::cast(std::move(created)));
  }();
  return *handle;
}

bool in_task = false;

}  // namespace

py::object current_team() {
  if (in_task) return shared_handle();
  throw std::runtime_error("regroup.team() is called outside of a task of a pool");
}

PoolHandle::PoolHandle(int group_size, const std::string& waiting, py::object execute)
    : execute_(std::move(execute)),
      pool_(
          MPI_COMM_WORLD,
          [this](std::span<const std::byte> task, Team& team) { return this->execute(task, team); },
          {group_size, waiting}) {}

State PoolHandle::execute(std::span<const std::byte> task, Team& team) {
  const py::gil_scoped_acquire acquired;
  auto& handle = shared_handle().cast<TeamHandle&>();
  handle.lend(&team);
  in_task = true;
  const AtEnd taken_back([&] {
    handle.lend(nullptr);
    in_task = false;
  });
  try {
    py::object function = py::none();
    if (known_shared_ != pool_.times_shared()) function = bytes_of(pool_.shared());
    const auto result = execute_(function, bytes_of(task)).cast<py::bytes>();
    known_shared_ = pool_.times_shared();
    return state_of(result);
  } catch (py::error_already_set& error) {
    const py::object value = error.value();
    if (error.trace()) PyException_SetTraceback(value.ptr(), error.trace().ptr());
    throw std::runtime_error(
        py::module_::import("regroup.pool").attr("described")(value).cast<std::string>());
  }
}

void PoolHandle::serve() {
  const py::gil_scoped_release released;
  pool_.serve();
}

void PoolHandle::share(const py::bytes& function) {
  State state = state_of(function);
  const py::gil_scoped_release released;
  pool_.share(std::move(state));
}

py::list PoolHandle::map(const std::vector<py::bytes>& tasks, const std::vector<double>& costs) {
  std::vector<State> states;
  states.reserve(tasks.size());
  for (const py::bytes& task : tasks) states.push_back(state_of(task));
  std::vector<State> results;
  {
    const py::gil_scoped_release released;
    results = pool_.map(states, costs);
  }
  py::list all;
  for (const State& result : results) all.append(bytes_of(result));
  return all;
}

void PoolHandle::close() {
  const py::gil_scoped_release released;
  pool_.close();
}

}  // namespace regroup
