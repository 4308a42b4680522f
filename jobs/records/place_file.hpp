// SPDX-License-Identifier: BSD-3-Clause
//
// places/PLACEMENT.yaml in a directory of results: where runs ran. A placement is the same where
// nodes, the ranks on them, what these are bound to, what else the nodes are and the MPI library
// are the same; its sixteen digits are the hash (hash.hpp) of all that the file says of these.
#pragma once

#include <string>
#include <string_view>

#include "kernel/places/place.hpp"

namespace regroup {

/// A file of a directory of results.
struct PlaceFile {
  std::string placement;  ///< empty where there is no place
  std::string text;
};
PlaceFile place_file(const Place& place);

/// The name of the file of `placement` in the directory.
std::string place_file_name(std::string_view placement);

/// Whether `name` can be one.
bool is_place_file_name(std::string_view name);

/// The placement that a file with this `text` tells of.
std::string placement_told_by(std::string_view text);

}  // namespace regroup
