// SPDX-License-Identifier: BSD-3-Clause
//
// places/PLACEMENT.yaml in a directory of results: where runs were executed.
#pragma once

#include <string>
#include <string_view>

#include "regroup/outcome.hpp"

namespace regroup {

/// A placement is the same where nodes, the ranks on them, their binding, other properties of the
/// nodes and the MPI library are the same: the hash of all that the file says of these.
struct PlaceFile {
  std::string placement;  ///< sixteen digits; empty where the run was simulated
  std::string text;

  std::string name() const { return "places/" + placement + ".yaml"; }
};

PlaceFile place_file(const Place& place);

/// The placement that a file with this `text` is about.
std::string placement_in(std::string_view text);

}  // namespace regroup
