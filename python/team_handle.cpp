// SPDX-License-Identifier: BSD-3-Clause
#include "python/team_handle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "regroup/team_communicator.hpp"

namespace regroup {
namespace {

/// Calls `call`, without the interpreter's lock if there are other members to wait for.
template <class Call>
void waiting(const Team& team, Call call) {
  if (team.size() == 1) return call();
  const py::gil_scoped_release released;
  call();
}

/// Maps the bits of a double to an integer with the order of doubles; it is its own inverse.
std::int64_t ordered(std::int64_t bits) {
  return bits ^ ((bits >> 63) & std::numeric_limits<std::int64_t>::max());
}

template <class Number>
auto contiguous(const py::object& value) {
  constexpr int style = py::array::c_style | py::array::forcecast;
  auto array = py::array_t<Number, style>::ensure(value);
  if (!array) throw py::error_already_set();
  return array;
}

py::array array_of_numbers(const py::object& value) {
  py::array array = py::array::ensure(value);
  if (!array) throw py::error_already_set();
  const char kind = array.dtype().kind();
  const auto bytes = array.itemsize();
  const bool fits =
      kind == 'b' || kind == 'i' || (kind == 'u' && bytes < 8) || (kind == 'f' && bytes <= 8);
  if (fits) return array;
  throw py::type_error(
      fmt::format("a team gets numbers of the type {}; allowed: bool, integers up to int64, floats "
                  "up to float64",
                  std::string(py::str(array.dtype()))));
}

}  // namespace

Team& TeamHandle::team() const {
  if (team_ != nullptr) return *team_;
  throw std::runtime_error(
      "a team is used after the call that got it; allowed: within execute, joined and leaving");
}

TeamHandle::Operation TeamHandle::operation_named(const std::string& op) {
  if (op == "sum") return Operation::sum;
  if (op == "min") return Operation::min;
  if (op == "max") return Operation::max;
  throw std::invalid_argument(
      fmt::format("allreduce has no operation '{}'; allowed: sum, min, max", op));
}

void TeamHandle::combine(std::span<std::int64_t> values, Operation operation) {
  waiting(team(), [&] {
    switch (operation) {
      case Operation::sum:
        return team().sum(values);
      case Operation::min:
        return team().min(values);
      case Operation::max:
        return team().max(values);
    }
  });
}

void TeamHandle::combine(std::span<double> values, Operation operation) {
  if (operation == Operation::sum) {
    sums_.resize(values.size());
    std::ranges::transform(values, sums_.begin(), FixedPoint::of);
    waiting(team(), [&] { team().sum(std::span(sums_)); });
    std::ranges::transform(sums_, values.begin(), &FixedPoint::value);
    return;
  }
  keys_.resize(values.size());
  std::ranges::transform(values, keys_.begin(), [](double value) {
    if (std::isnan(value)) throw std::range_error("the smallest or largest of nan is asked for");
    return ordered(std::bit_cast<std::int64_t>(value));
  });
  combine(std::span(keys_), operation);
  std::ranges::transform(keys_, values.begin(),
                         [](std::int64_t key) { return std::bit_cast<double>(ordered(key)); });
}

template <class Number>
py::object TeamHandle::combined_array(const py::object& value, Operation operation) {
  const auto given = contiguous<Number>(value);
  py::array_t<Number> result(std::vector<py::ssize_t>(given.shape(), given.shape() + given.ndim()));
  const auto number = static_cast<std::size_t>(given.size());
  if (number > 0) std::memcpy(result.mutable_data(), given.data(), number * sizeof(Number));
  combine(std::span<Number>(result.mutable_data(), number), operation);
  if (given.ndim() == 0) return py::cast(*result.data());
  return result;
}

py::object TeamHandle::allreduce(const py::object& value, const std::string& op) {
  const Operation operation = operation_named(op);
  if (PyFloat_Check(value.ptr())) {
    double number = PyFloat_AS_DOUBLE(value.ptr());
    combine(std::span(&number, 1), operation);
    return py::float_(number);
  }
  if (PyLong_Check(value.ptr())) {
    std::int64_t number = PyLong_AsLongLong(value.ptr());
    if (number == -1 && PyErr_Occurred() != nullptr) {
      PyErr_Clear();
      throw std::range_error("an integer has more than 64 bits");
    }
    combine(std::span(&number, 1), operation);
    return py::int_(number);
  }
  const py::array array = array_of_numbers(value);
  return array.dtype().kind() == 'f' ? combined_array<double>(array, operation)
                                     : combined_array<std::int64_t>(array, operation);
}

py::object TeamHandle::sum(const py::object& terms) {
  const py::array array = array_of_numbers(terms);
  if (array.dtype().kind() == 'f') {
    const auto given = contiguous<double>(array);
    FixedPoint sum;
    for (const double term : std::span(given.data(), static_cast<std::size_t>(given.size()))) {
      sum += FixedPoint::of(term);
    }
    waiting(team(), [&] { sum = team().sum(sum); });
    return py::float_(sum.value());
  }
  const auto given = contiguous<std::int64_t>(array);
  std::uint64_t sum = 0;  // wraps
  for (const std::int64_t term : std::span(given.data(), static_cast<std::size_t>(given.size()))) {
    sum += static_cast<std::uint64_t>(term);
  }
  auto whole = static_cast<std::int64_t>(sum);
  combine(std::span(&whole, 1), Operation::sum);
  return py::int_(whole);
}

py::object TeamHandle::broadcast(const py::object& value, int root) {
  if (root < 0 || root >= size()) {
    throw std::invalid_argument(
        fmt::format("bcast has the root {}; allowed: 0 to {}", root, size() - 1));
  }
  if (size() == 1) return value;
  const py::module_ states = py::module_::import("regroup.state");
  std::string bytes;
  if (rank() == root) bytes = states.attr("packed")(value).cast<std::string>();
  auto number = static_cast<std::int64_t>(bytes.size());
  waiting(team(), [&] {
    team().broadcast(std::as_writable_bytes(std::span(&number, 1)), root);
    bytes.resize(static_cast<std::size_t>(number));
    team().broadcast(std::as_writable_bytes(std::span(bytes)), root);
  });
  return rank() == root ? value : states.attr("unpacked")(py::bytes(bytes));
}

py::object TeamHandle::communicator() {
  const py::module_ mpi = py::module_::import("regroup.mpi");
  mpi.attr("check_communicators")();
  MPI_Comm comm = MPI_COMM_NULL;
  {
    const py::gil_scoped_release released;
    comm = regroup::communicator(team());
  }
  std::uintptr_t handle = 0;
  static_assert(sizeof(comm) <= sizeof(handle));
  std::memcpy(&handle, &comm, sizeof(comm));
  return mpi.attr("communicator_of")(handle);
}

}  // namespace regroup
