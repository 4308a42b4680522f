// SPDX-License-Identifier: BSD-3-Clause
#include <regroup/program.hpp>

#include "longest_first.hpp"
#include "posterior.hpp"

void regroup::add_rows(Catalog& catalog) {
  catalog.walkers.push_back(posterior_row);
  catalog.balancers.push_back(longest_first_row);
}
