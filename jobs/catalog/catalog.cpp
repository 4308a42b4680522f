// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/catalog/catalog.hpp"

#include <utility>

#include "balancers/balancers.hpp"
#include "jobs/catalog/added.hpp"
#include "walkers/walkers.hpp"

namespace regroup {
namespace {

template <class Rows>
auto all(const Rows& rows) {
  return std::vector(std::begin(rows), std::end(rows));
}

Catalog& lists() {
  static Catalog catalog{all(engines()),   all(balancers()),   all(strategies),
                         all(workloads()), all(wants()),       all(speedups()),
                         all(walkers()),   all(cost_models()), all(measurement_kinds()),
                         all(patterns())};
  return catalog;
}

}  // namespace

const Catalog& standard_catalog() { return lists(); }

void extend_catalog(AddRows add_rows) {
  Catalog extended = lists();
  add_rows(extended);
  check_added(extended, lists());
  name_in_measurements(extended);
  lists() = std::move(extended);
}

}  // namespace regroup
