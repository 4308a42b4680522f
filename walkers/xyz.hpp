// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "walkers/lennard_jones.hpp"

namespace regroup {

/// The atoms in `file`, in the XYZ format: their number, a line of comment, and a line `El x y z`
/// for each. Throws std::invalid_argument, with file and line, unless they are those of one cluster
/// like `model`: as many, of one element, within its sphere, and none over another. A file that did
/// not change is read once.
std::vector<Point> atoms_in_xyz(const std::string& file, const ClusterModel& model);

}  // namespace regroup
