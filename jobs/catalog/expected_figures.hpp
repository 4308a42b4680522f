// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <string>

#include "jobs/catalog/catalog.hpp"
#include "jobs/catalog/scenario.hpp"

namespace regroup {

/// The figures of a measurement that follow from its parameters: those that must be there, with
/// their value where it does.
using Figures = std::map<std::string, std::optional<double>>;

/// `nodes`: those of its ranks, where they are known.
Figures expected_figures(const Scenario& measurement, const NodeMap& nodes);

}  // namespace regroup
