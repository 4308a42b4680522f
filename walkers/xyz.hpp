// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "walkers/lennard_jones.hpp"

namespace regroup {

/// Returns the atoms in `file`, in XYZ format: the number of atoms, a comment line, and a line
/// `El x y z` per atom. Throws std::invalid_argument, with file and line, unless they fit `model`:
/// the right number of atoms, all of one element, within the sphere and without overlaps. An
/// unchanged file is read only once.
std::vector<Point> atoms_in_xyz(const std::string& file, const ClusterModel& model);

}  // namespace regroup
