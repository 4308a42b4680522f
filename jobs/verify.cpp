// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/verify.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "jobs/commands.hpp"
#include "jobs/stored_measurements.hpp"
#include "kernel/user_error.hpp"

namespace regroup {

int verify(const std::string& directory) {
  Faults faults;
  const Verified runs = verify_runs(directory, faults);
  if (runs.rows == 0) throw UserError(fmt::format("{}/runs.csv: there are no runs", directory));
  faults.print();
  if (faults.count() > 0) {
    fmt::print("{}: {} violations\n", directory, faults.count());
    return 1;
  }
  fmt::print("{}: {} of {} runs verified{}\n", directory, runs.ended_well, runs.rows,
             runs.ended_well == runs.rows ? "" : "; the others did not end well");
  return 0;
}

}  // namespace regroup
