// SPDX-License-Identifier: BSD-3-Clause
//
// The module regroup._engine, through which the package `regroup` uses the engine.
#include <fmt/format.h>
#include <mpi.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cmath>
#include <exception>
#include <limits>
#include <utility>

#include "library/build_info.hpp"
#include "library/launcher.hpp"
#include "python/ensemble.hpp"
#include "python/pool_handle.hpp"
#include "python/python_walker.hpp"
#include "python/team_handle.hpp"
#include "python/world.hpp"
#include "regroup/communicator.hpp"

namespace {

using namespace regroup;
using namespace pybind11::literals;

void add_parts_of_walkers(py::module_& module) {
  py::class_<ChainName>(module, "Chain", "All that a walker may draw by.")
      .def(py::init([](int number, std::uint64_t stream) {
             return ChainName{number, stream};
           }),
           "number"_a = 0, "stream"_a = 1)
      .def_readonly("number", &ChainName::number, "0, 1, … in the run")
      .def_readonly("stream", &ChainName::stream, "of random numbers");
  py::class_<Item>(module, "Item", "One item of a chain.")
      .def(py::init([](std::int64_t number, double seconds) {
             return Item{number, seconds};
           }),
           "number"_a = 0, "seconds"_a = 0.0)
      .def_readonly("number", &Item::number, "0, 1, … since the chain's start")
      .def_readonly("seconds", &Item::seconds, "what the configuration says that it takes");
  py::class_<TeamHandle>(
      module, "Team",
      "The members of a group at work on an item. All call every operation, in the same order. "
      "Team() is a team of one, to try a walker.")
      .def(py::init())
      .def_property_readonly("rank", &TeamHandle::rank)
      .def_property_readonly("size", &TeamHandle::size)
      .def("allreduce", &TeamHandle::allreduce, "value"_a, "op"_a = "sum",
           "The sum, min or max over all members of a number or an array of numbers. Floats are "
           "added exactly, as multiples of 2^-60 between -2^62 and 2^62.")
      .def("sum", &TeamHandle::sum, "terms"_a,
           "The sum of all terms in the arrays of all members, which may differ in length. Exact, "
           "as above: it does not depend on how members share the terms.")
      .def("bcast", &TeamHandle::broadcast, "value"_a, "root"_a = 0,
           "The value of member `root`: bytes, an array, or what else a state may contain.")
      .def("communicator", &TeamHandle::communicator,
           "mpi4py's communicator of the team. It is freed when the group ends.");
}

/// Extends exact::log to all numbers.
double exact_log(double x) {
  if (x == 0) return -std::numeric_limits<double>::infinity();
  if (!(x > 0)) return std::numeric_limits<double>::quiet_NaN();
  if (std::isinf(x)) return x;
  return std::isnormal(x) ? exact::log(x) : exact::log(x * 0x1p54) - 54 * exact::log(2);
}

/// Extends exact::exp to all numbers.
double exact_exp(double x) {
  if (std::isnan(x)) return x;
  if (x < -700) return 0;
  if (x > 1500) return std::numeric_limits<double>::infinity();
  if (x <= 690) return exact::exp(x);
  const double root = exact::exp(x / 2);
  return root * root;
}

void add_functions(py::module_& module) {
  module.def("exact_log", py::vectorize(exact_log), "x"_a,
             "log(x), of numbers or arrays: the same bits on every machine.");
  module.def("exact_exp", py::vectorize(exact_exp), "x"_a,
             "exp(x), of numbers or arrays: the same bits on every machine.");
}

void add_pool(py::module_& module) {
  py::class_<PoolHandle>(module, "Pool")
      .def(py::init<int, const std::string&, py::object>())
      .def("is_master", &PoolHandle::is_master)
      .def_property_readonly("size", &PoolHandle::size)
      .def("serve", &PoolHandle::serve)
      .def("share", &PoolHandle::share)
      .def("map", &PoolHandle::map)
      .def("close", &PoolHandle::close)
      .def("last_round", [](const PoolHandle& pool) {
        const Pool::Round& round = pool.last_round();
        return py::dict("tasks"_a = round.tasks, "wide"_a = round.wide, "seconds"_a = round.seconds,
                        "expected_s"_a = round.expected_s);
      });
  module.def("team", &current_team, "The team that executes the task in progress of a Pool.");
  py::register_local_exception_translator([](std::exception_ptr thrown) {
    try {
      std::rethrow_exception(std::move(thrown));
    } catch (const Pool::TaskFailed& error) {
      const py::object type = py::module_::import("regroup.pool").attr("TaskError");
      const py::object value = type(error.what(), error.task);
      PyErr_SetObject(type.ptr(), value.ptr());
    }
  });
}

void add_world(py::module_& module) {
  module.def("initialise", &initialise_mpi);
  module.def("finalise", &finalise_mpi);
  module.def("rank", [] { return rank_in(MPI_COMM_WORLD); });
  module.def("size", [] { return size_of(MPI_COMM_WORLD); });
  module.def("rank_by_launcher", &rank_by_launcher);
  module.def("abort_all_ranks", &abort_all_ranks);
  module.def("agree", &agree);
  module.def("gather", [](const py::bytes& bytes) { return gather(bytes); });
  module.def("mpi_library", [] { return std::string(mpi_library); });
  py::class_<KeptErrorHandlers>(module, "KeptErrorHandlers")
      .def(py::init())
      .def("__enter__", &KeptErrorHandlers::enter)
      .def("__exit__", [](KeptErrorHandlers& scope, const py::args&) { scope.leave(); });
}

}  // namespace

PYBIND11_MODULE(_engine, module) {
  add_parts_of_walkers(module);
  add_functions(module);
  add_pool(module);
  add_world(module);
  module.def("check_names", &check_names);
  module.def("execute", &execute_ensemble);
  module.def("option_texts", &option_texts);
  module.def("rank_main", &run_rank);
  module.def("last_error", &last_error);
}
