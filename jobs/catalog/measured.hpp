// SPDX-License-Identifier: BSD-3-Clause
//
// What the parameters of a measurement come to.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "jobs/catalog/catalog.hpp"
#include "jobs/catalog/scenario.hpp"

namespace regroup {

/// Whether it is a measurement of sorting.
bool is_sort(const Scenario& task);

/// The communicator strategy that a task is about; empty where it is about none.
std::string_view strategy_of(const Scenario& task);

/// The groups that a measurement forms, layer by layer; nothing where they depend on the nodes of
/// its ranks, or `nodes` do not allow any, or where what is sorted decides.
std::vector<Layer> layers_of(const Scenario& measurement,
                             const Catalog& catalog = standard_catalog(),
                             const NodeMap& nodes = {});

/// Whether its groups depend on who shares a node.
bool needs_nodes(const Scenario& measurement, const Catalog& catalog = standard_catalog());

/// Fixes the options that do not apply to a measurement, so that it is made once whatever they are.
void settle(Scenario& measurement, const Catalog& catalog = standard_catalog());

/// Whether a settled measurement fits into its ranks; else a sweep leaves it out.
bool fits(const Scenario& measurement);

/// Why a measurement cannot be made, whatever the MPI library: its strategy cannot form the groups
/// of its pattern, or its ranks are on `nodes` that do not allow them. Empty where it can, or where
/// nodes are not known and needed.
std::string impossible(const Scenario& measurement, const Catalog& catalog = standard_catalog(),
                       const NodeMap& nodes = {});

}  // namespace regroup
