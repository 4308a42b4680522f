// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "kernel/balancer.hpp"
#include "kernel/options.hpp"

namespace regroup {

std::unique_ptr<Balancer> make_batch(const Options& options);

}  // namespace regroup
