// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <type_traits>

#include "engines/mpi/surroundings.hpp"

namespace regroup {

/// Returns a pointer to the result of `make`, which must be equal on all ranks. Simulated ranks,
/// which are in one process, share one copy: separate copies for thousands of ranks would take
/// gigabytes. `make` must not call MPI.
template <class Make>
auto shared_by_ranks(Make make) {
  using Made = const std::invoke_result_t<Make>;
  static std::weak_ptr<Made> copy;  // one for each call site
  std::shared_ptr<Made> made = copy.lock();
  if (made == nullptr) made.reset(new Made(make()));
  if (is_simulated()) copy = made;
  return made;
}

}  // namespace regroup
