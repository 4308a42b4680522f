// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

namespace regroup {

struct Binding;

/// Whether every rank of `bindings` can have a processor that is its alone, of those that it may
/// run on.
bool have_own_processors(std::span<const Binding> bindings);

}  // namespace regroup
