// SPDX-License-Identifier: BSD-3-Clause
//
// In place of otf2.cpp, where the library is not.
#include "jobs/trace/write_trace.hpp"
#include "kernel/files/user_error.hpp"

namespace regroup {

bool has_otf2() { return false; }

void write_otf2_trace(const TracedRun&, const std::string&) {
  throw UserError(
      "--format otf2 is unsupported: this program was built without the Open Trace Format 2 "
      "(Debian: libopen-trace-format2-dev); allowed: chrome");
}

}  // namespace regroup
