// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "driver/config/grid.hpp"
#include "driver/config/reader.hpp"

namespace regroup {

/// An axis of a sweep: the values of one parameter, or of several that advance together.
struct SweepAxis {
  struct Value {
    std::vector<Listed> listed;  ///< its positions in given lists, including those of options
  };
  std::vector<std::string> keys;
  std::vector<Value> values;
  Grid::Set set;
};

/// Applies the key `zip` to `axes`: merges axes with lists of the named keys or options into one,
/// with the combinations in which all of these lists are at the same position. Throws UserError if
/// a name has no list, or if lists differ in length.
std::vector<SweepAxis> zipped(const ConfigReader& reader, std::vector<SweepAxis> axes);

/// Describes the key `zip`.
ConfigKey zip_key();

}  // namespace regroup
