// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "driver/cli/commands.hpp"
#include "driver/execute/allocation.hpp"
#include "driver/execute/launch.hpp"
#include "driver/store/table.hpp"
#include "kernel/text/plain_text.hpp"
#include "kernel/text/terminal.hpp"
#include "measurements/creation_claims.hpp"

namespace regroup {

int run(Experiment experiment, const SweepOptions& options) {
  settle_launcher(experiment, options.which);
  if (interrupted()) return 130;
  const int code = run_sweep(experiment, options);
  constexpr int some_did_not_end_well = 1;
  if (code > some_did_not_end_well || experiment.of_runs()) return code;
  try {
    print_measurements(*experiment.measured(), results_directory(experiment, options), "text",
                       experiment.catalog());
  } catch (const UserError& error) {  // in a row that was there before
    print_error(error.what());
    return 1;
  }
  return code;
}

/// 0 where all guidelines hold, 1 where one is violated. Throws UserError where none can be judged.
static int check_guidelines(const std::string& directory, const Catalog& catalog) {
  const MeasurementKind& kind = *find_entry(catalog.measurements, "creation");
  const std::string path = directory + "/" + file_of(&kind);
  const std::vector<Record> records = read_records(directory, &kind, catalog);
  std::size_t number = 0;
  std::size_t unknown = 0;
  bool violated = false;
  for (const TitledSetting& setting : measured_settings(kind, directory, records)) {
    for (const Guideline& guideline : judged(setting.setting)) {
      ++number;
      unknown += guideline.verdict == Guideline::Verdict::too_few_samples ? 1 : 0;
      violated |= guideline.verdict == Guideline::Verdict::violated;
    }
  }
  if (violated) return 1;
  if (number == 0) {
    throw UserError(
        fmt::format("{}: no guideline can be judged: both sides of one must be "
                    "measured, on the same ranks",
                    path));
  }
  if (unknown > 0) {
    throw UserError(fmt::format("{}: {} of {} guidelines have too few samples to be judged", path,
                                unknown, number));
  }
  return 0;
}

int print_table(const std::string& directory, const std::string& format, bool check,
                const Catalog& catalog) {
  const MeasurementKind* kind = kind_in(directory, catalog);
  if (check && (kind == nullptr || kind->name != "creation")) {
    throw UserError(
        fmt::format("{}: there is no creation.csv, whose guidelines --check judges", directory));
  }
  if (kind == nullptr) {
    print_run_table(directory, format, catalog);
  } else {
    print_measurements(*kind, directory, format, catalog);
  }
  return check ? check_guidelines(directory, catalog) : 0;
}

}  // namespace regroup
