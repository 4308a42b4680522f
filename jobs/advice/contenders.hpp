// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "jobs/catalog/scenario.hpp"
#include "kernel/virtual/costs.hpp"

namespace regroup {

/// A balancer with its options, and the communicator strategy that it is run with; none where it
/// never regroups.
struct Contender {
  Choice balancer;
  std::string communicator;
};

/// Every balancer of the list with those options that matter, over every strategy that serves it.
std::vector<Contender> all_contenders();

Scenario run_by(const Contender& contender, Scenario run);

/// Whether it regroups and forms communicators of MPI.
bool forms_communicators(const Contender& contender);

/// "asynchronous(release) over range".
std::string words(const Contender& contender);

/// An element of the key `balancers`: "asynchronous: {finished: release, communicator: range}".
std::string yaml(const Contender& contender);

/// A contender, and what communication costs it.
struct Entrant : Contender {
  Costs costs;
};

/// The contenders for runs like `run`, with the costs that it names.
struct Entrants {
  std::vector<Entrant> all;               ///< of strategies that cost the same, the first only
  std::vector<std::string> not_measured;  ///< strategies that the costs say nothing of
};

/// Throws UserError where a file of costs cannot be read, or has nothing of any strategy.
Entrants entrants(const Scenario& run);

}  // namespace regroup
