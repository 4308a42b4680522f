// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "jobs/catalog/catalog.hpp"

namespace regroup {

/// Which balancer is to be checked, and how much of what it can come to is tried.
struct AskedCheck {
  std::string balancer;
  double seconds = 20;  ///< for each of its variants; what is begun is ended, the first always
  int runs = 1000;      ///< random ones in virtual time
};

/// Explores small runs of a balancer in every order of events, and large ones at random; prints
/// what was tried and, where something is wrong, the shortest way to it. Answers the exit code: 0,
/// or 1 where it is wrong. Throws UserError where `catalog` has no such balancer.
int check_balancer(const AskedCheck& asked, const Catalog& catalog = standard_catalog());

}  // namespace regroup
