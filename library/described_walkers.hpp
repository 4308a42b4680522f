// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "regroup/catalog.hpp"

namespace regroup {

/// The functions of the rows of described walkers. They take the name of the walker.
struct DescribedWalkers {
  std::function<std::unique_ptr<Walker>(const std::string& name, const Options&, ChainName)> make;
  std::function<std::int64_t(const std::string& name, const Options&)> state_bytes;
};

/// Adds the walkers that `json` describes, as python/regroup/description.py writes it. Throws
/// std::invalid_argument if `json` cannot be read.
void add_described(Catalog& catalog, const std::string& json, const DescribedWalkers& walkers);

}  // namespace regroup
