// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "driver/config/grid.hpp"
#include "driver/config/reader.hpp"

namespace regroup {

/// The values of one parameter, or of several that advance together.
struct SweepAxis {
  struct Value {
    std::vector<Listed>
        listed;  ///< its place in the lists that are given, those of options included
  };
  std::vector<std::string> keys;
  std::vector<Value> values;
  Grid::Set set;
};

/// `axes` after the key `zip`: axes that have lists with the named keys or options become one, with
/// those combinations in which all of these lists are at the same place. Throws UserError where a
/// name has no list, or lists are of different lengths.
std::vector<SweepAxis> zipped(const ConfigReader& reader, std::vector<SweepAxis> axes);

/// What the key takes.
ConfigKey zip_key();

}  // namespace regroup
