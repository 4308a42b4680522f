// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pybind11/pybind11.h>

#include <map>
#include <string>
#include <vector>

namespace regroup {

namespace py = pybind11;

/// Throws std::invalid_argument if one of `names` is not an argument of regroup.run().
void check_names(const std::vector<std::string>& names);

/// Executes an ensemble on all processes. `settings`: members of Ensemble by their names in
/// configurations. `make` receives a ChainName; `at_end` the number of a chain and its walker.
/// Returns the figures of the outcome on rank 0, None on others. Throws std::invalid_argument on
/// all ranks if the settings cannot be executed. If a walker fails in a run on one rank, throws
/// std::runtime_error; with several ranks, prints the error and aborts all of them.
py::object execute_ensemble(const py::dict& settings, const py::object& make,
                            const py::object& at_end);

/// Returns the values of all options of the walker that `json` describes: those of `given`, and
/// defaults. Throws std::invalid_argument for unknown, wrong or missing options.
std::map<std::string, std::string> option_texts(const std::string& json,
                                                const std::map<std::string, std::string>& given);

/// Executes one rank of a task, as regroup-mpi, with the walkers of `file`. Returns the exit code.
int run_rank(const std::string& file, const std::vector<std::string>& arguments);

}  // namespace regroup
