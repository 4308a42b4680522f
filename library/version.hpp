// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace regroup {

/// The version of the sources that a program was built from.
struct ProgramVersion {
  std::string_view version;  ///< "0.2.0+1a2b3c4d5e6f", with a hash of uncommitted changes
  std::string_view commit;   ///< or "unknown"
  std::string_view tree;     ///< "clean", "with uncommitted changes" or "unknown"
};
ProgramVersion program_version();

}  // namespace regroup
