// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstdint>
#include <string>
#include <vector>

#include "regroup/walker.hpp"

namespace regroup {

namespace py = pybind11;

/// The team that a walker in Python gets. One that the engine lends is usable only during the call
/// that gets it; Python may keep the handle for longer.
class TeamHandle {
 public:
  /// A team of one, to try a walker without MPI.
  TeamHandle() : team_(&own_) {}
  TeamHandle(const TeamHandle&) = delete;
  TeamHandle& operator=(const TeamHandle&) = delete;

  /// Lends `team`, or takes it back: nullptr.
  void lend(Team* team) { team_ = team; }

  int rank() const { return team().rank(); }
  int size() const { return team().size(); }

  /// The sum, min or max over all members of `value`: a number, or an array of numbers, element by
  /// element. Integers are added with 64 bits, and floats exactly (FixedPoint).
  py::object allreduce(const py::object& value, const std::string& op);

  /// The sum of all terms, a number or an array, of all members. Of floats it is exact, however
  /// members share the terms.
  py::object sum(const py::object& terms);

  /// The value that member `root` has: whatever a state may contain.
  py::object broadcast(const py::object& value, int root);

  /// mpi4py's object for the MPI communicator of the team.
  py::object communicator();

 private:
  enum class Operation { sum, min, max };
  static Operation operation_named(const std::string& op);

  Team& team() const;
  void combine(std::span<std::int64_t> values, Operation operation);
  void combine(std::span<double> values, Operation operation);
  template <class Number>
  py::object combined_array(const py::object& value, Operation operation);

  Team own_;
  Team* team_;
  std::vector<FixedPoint> sums_;
  std::vector<std::int64_t> keys_;
};

}  // namespace regroup
