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

/// The team that a walker in Python receives. A team that the engine lends is usable only during
/// the call that receives it; Python may keep the handle for longer.
class TeamHandle {
 public:
  /// Creates a team of one member, to try a walker without MPI.
  TeamHandle() : team_(&own_) {}
  TeamHandle(const TeamHandle&) = delete;
  TeamHandle& operator=(const TeamHandle&) = delete;

  /// Lends `team`; nullptr ends the loan.
  void lend(Team* team) { team_ = team; }

  int rank() const { return team().rank(); }
  int size() const { return team().size(); }

  /// Returns the sum, min or max of `value` over all members: of a number, or elementwise of an
  /// array of numbers. Integers are added with 64 bits, and floats exactly (FixedPoint).
  py::object allreduce(const py::object& value, const std::string& op);

  /// Returns the sum of all terms, a number or an array, of all members. Sums of floats are exact,
  /// however members share the terms.
  py::object sum(const py::object& terms);

  /// Returns the value of member `root`: anything that a state may contain.
  py::object broadcast(const py::object& value, int root);

  /// Returns mpi4py's object for the MPI communicator of the team.
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
