// SPDX-License-Identifier: BSD-3-Clause
//
// The dictionary of the tables beside them, for programs: a Data Package
// (https://specs.frictionlessdata.io/data-package), whose fields have a `unit` besides.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "jobs/results/inventory.hpp"

namespace regroup {

inline constexpr std::string_view data_package_file = "datapackage.json";

/// That of `tables`, all of their columns included. The others tell of the tasks of the first.
std::string data_package(std::span<const ResultFile> tables);

}  // namespace regroup
