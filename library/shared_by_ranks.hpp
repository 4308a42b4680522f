// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <type_traits>

#include "engines/mpi/surroundings.hpp"

namespace regroup {

/// What `make` returns, which must be the same on all ranks. Simulated ranks, which are in one
/// process, have one copy of it: at thousands of ranks, a copy for each would take gigabytes.
/// `make` calls nothing of MPI.
template <class Make>
auto shared_by_ranks(Make make) {
  using Made = const std::invoke_result_t<Make>;
  static std::weak_ptr<Made> copy;  // for each place in the code
  std::shared_ptr<Made> made = copy.lock();
  if (made == nullptr) made.reset(new Made(make()));
  if (is_simulated()) copy = made;
  return made;
}

}  // namespace regroup
