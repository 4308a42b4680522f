// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "jobs/definitions/check.hpp"

namespace regroup {

/// How a picture of groups is to look.
struct AskedPicture {
  int columns = 0;     ///< processes in a row; 0: a square
  std::string names;   ///< only communicators of these names, with commas between; empty: all
  std::string output;  ///< the picture without its ending; empty: named after the definitions
};

/// Draws what a file defines, by plots/groups.py, which lies beside this program or is installed
/// with it; it says which files it has written, or what is wrong. Answers its exit code. Throws
/// UserError where it is not to be found, or the file is wrong.
int draw_groups(AskedDefinitions asked, const AskedPicture& picture);

}  // namespace regroup
