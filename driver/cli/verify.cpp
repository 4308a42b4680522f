// SPDX-License-Identifier: BSD-3-Clause
#include "driver/check/verify.hpp"

#include <fmt/format.h>

#include "driver/cli/commands.hpp"
#include "driver/store/columns.hpp"
#include "driver/store/inventory.hpp"
#include "driver/store/run_files.hpp"
#include "kernel/files/files.hpp"
#include "kernel/starting_groups.hpp"
#include "kernel/text/plain_text.hpp"
#include "library/resolve.hpp"

namespace regroup {
namespace {

/// The kinds of measurements that a directory has results of.
std::vector<const MeasurementKind*> kinds_in(const std::string& directory) {
  std::vector<const MeasurementKind*> kinds;
  for (const MeasurementKind& kind : standard_catalog().measurements) {
    if (file_exists(directory + "/" + file_of(kind.name))) kinds.push_back(&kind);
  }
  return kinds;
}

void tell_verified(const std::string& directory, const Verified& verified, std::string_view noun) {
  fmt::print("{}: {} of {} {} verified{}\n", directory, verified.ended_well, verified.rows, noun,
             verified.ended_well == verified.rows ? "" : "; the others did not end well");
}

}  // namespace

int verify(const std::string& directory) {
  Faults faults;
  std::vector<std::string> files{"provenance.yaml", std::string(data_package_file)};
  std::optional<Verified> runs;
  Origins origins(directory, faults);
  const auto kinds = kinds_in(directory);
  if (kinds.empty() || file_exists(directory + "/runs.csv")) {
    runs = verify_runs(directory, origins, faults);
    if (runs->rows == 0) throw UserError(fmt::format("{}/runs.csv: there are no runs", directory));
    files.insert(files.end(), {"runs.csv", "regroups.csv", "events.csv"});
    if (file_exists(directory + "/chains.csv")) files.push_back("chains.csv");
    files.insert(files.end(), runs->places.begin(), runs->places.end());
  }
  Verified measurements;
  for (const MeasurementKind* kind : kinds) {
    const Verified some = verify_measurements(*kind, directory, origins, faults);
    measurements.rows += some.rows;
    measurements.ended_well += some.ended_well;
    files.push_back(file_of(kind->name));
    if (file_exists(fmt::format("{}/{}", directory, samples_file))) files.push_back(samples_file);
    files.insert(files.end(), some.places.begin(), some.places.end());
  }
  verify_checksums(directory, files, faults);
  if (is_unfinished(directory)) {
    faults.unchecked(
        fmt::format("what is still to come: {}/lock says that the sweep has not ended", directory));
  }

  faults.print();
  if (faults.count() > 0) {
    fmt::print("{}: {} violation{}\n", directory, faults.count(), faults.count() == 1 ? "" : "s");
    return 1;
  }
  if (runs) tell_verified(directory, *runs, "runs");
  if (!kinds.empty()) tell_verified(directory, measurements, "measurements");
  return 0;
}

}  // namespace regroup
