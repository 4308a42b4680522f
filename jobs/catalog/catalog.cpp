// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/catalog/catalog.hpp"

#include "balancers/balancers.hpp"
#include "walkers/walkers.hpp"

namespace regroup {
namespace {

template <class Rows>
auto all(const Rows& rows) {
  return std::vector(std::begin(rows), std::end(rows));
}

}  // namespace

const Catalog& standard_catalog() {
  static const Catalog catalog{all(engines()),   all(balancers()),   all(strategies),
                               all(workloads()), all(wants()),       all(speedups()),
                               all(walkers()),   all(cost_models()), all(measurement_kinds()),
                               all(patterns())};
  return catalog;
}

}  // namespace regroup
