// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "driver/cli/commands.hpp"
#include "driver/execute/allocation.hpp"
#include "driver/execute/launch.hpp"
#include "driver/store/summaries.hpp"
#include "kernel/numbers/statistics.hpp"
#include "kernel/text/plain_text.hpp"
#include "kernel/text/terminal.hpp"
#include "regroup/catalog.hpp"

namespace regroup {

int run(Experiment experiment, const SweepOptions& options, bool check) {
  for (std::size_t i = 0; check && i < experiment.size(); ++i) {
    const Options samples = experiment.at(i).measure.options;
    if (samples.integer("samples") >= fewest_samples) continue;
    throw UserError(fmt::format("{}: samples: {} are too few for --check; allowed: from {}",
                                experiment.file, samples.text("samples"), fewest_samples));
  }
  settle_launcher(experiment, options.which);
  if (interrupted()) return 130;
  const int code = run_sweep(experiment, options);
  constexpr int all_that_began = 1;  // else some were not measured, and the code says why
  if (code > all_that_began || experiment.of_runs()) return code;
  const std::string directory = results_directory(experiment, options);
  try {
    print_summary(*find_entry(standard_catalog().measurements, experiment.kind()), directory);
  } catch (const UserError& error) {  // in a row that was there before
    print_error(error.what());
    return 1;
  }
  return check && code == 0 ? check_guidelines(directory) : code;
}

}  // namespace regroup
