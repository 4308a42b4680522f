// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <string>
#include <vector>

#include "python/team_handle.hpp"
#include "regroup/pool.hpp"

namespace regroup {

/// A pool of all processes whose tasks, results and shared function are pickled by Python.
class PoolHandle {
 public:
  /// `execute(function, task)` receives the shared bytes, or None if they are unchanged since the
  /// previous call, and returns the bytes of the result.
  PoolHandle(int group_size, const std::string& waiting, py::object execute);

  bool is_master() const { return pool_.is_master(); }
  int size() const { return pool_.size(); }
  void serve();
  void share(const py::bytes& function);
  /// Returns the result of each task as bytes. Throws Pool::TaskFailed.
  py::list map(const std::vector<py::bytes>& tasks, const std::vector<double>& costs);
  void close();
  const Pool::Round& last_round() const { return pool_.last_round(); }

 private:
  State execute(std::span<const std::byte> task, Team& team);

  py::object execute_;
  std::int64_t known_shared_ = 0;  // times_shared() of the function that execute_ has
  Pool pool_;
};

/// Returns the team that executes the task in progress. Throws std::runtime_error outside of tasks.
py::object current_team();

}  // namespace regroup
