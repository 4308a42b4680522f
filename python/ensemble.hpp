// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pybind11/pybind11.h>

#include <map>
#include <string>
#include <vector>

namespace regroup {

namespace py = pybind11;

/// Throws std::invalid_argument if regroup.run() has no argument of one of these names.
void check_names(const std::vector<std::string>& names);

/// Executes an ensemble on all processes. `settings`: members of Ensemble by the names that they
/// have in configurations. `make` gets a ChainName; `at_end` the number of a chain and its walker.
/// Returns the figures of the outcome on rank 0, None on others. Throws std::invalid_argument on
/// all ranks for what cannot be executed; std::runtime_error where a walker fails and no other rank
/// could wait for it; with several ranks it prints the error and ends them all.
py::object execute_ensemble(const py::dict& settings, const py::object& make,
                            const py::object& at_end);

/// The value of each option of the walker that `json` describes, of which `given` names some.
/// Throws std::invalid_argument.
std::map<std::string, std::string> option_texts(const std::string& json,
                                                const std::map<std::string, std::string>& given);

/// One rank of a task, as regroup-mpi, with the walkers of `file`. Returns the exit code.
int run_rank(const std::string& file, const std::vector<std::string>& arguments);

}  // namespace regroup
