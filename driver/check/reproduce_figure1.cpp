// SPDX-License-Identifier: BSD-3-Clause
//
// The paper's Figure 1, measured on this machine or found in results, and judged claim by claim.
#include <fmt/format.h>

#include <stdexcept>
#include <utility>
#include <vector>

#include "driver/check/claims.hpp"
#include "driver/cli/commands.hpp"
#include "driver/execute/allocation.hpp"
#include "driver/execute/launch.hpp"
#include "driver/store/columns.hpp"
#include "driver/store/record.hpp"
#include "driver/store/summaries.hpp"
#include "kernel/text/plain_text.hpp"
#include "regroup/catalog.hpp"

namespace regroup {
namespace {

constexpr const char* figure1_configuration = R"(# Figure 1 of the paper, on this machine.
experiment: figure1
measure: creation
ranks: 32
communicator: [comm_create, intercomm_merge, create_group]
group_size: all
samples: 30
item_ms: 0
late_ms: 0
repetitions: 3
)";

/// Makes the measurements that are not there yet. Answers the exit code.
int measure_figure1(const AskedClaims& asked, std::string& directory) {
  ConfigSource source("figure1", figure1_configuration);
  source.changes = asked.changes;
  Experiment experiment = read_experiment(source, "creation");
  SweepOptions options;
  options.directory = asked.out;
  options.command = asked.command;
  options.rest = asked.command;
  options.resume = true;
  directory = results_directory(experiment, options);
  settle_launcher(experiment, options.which);
  return interrupted() ? 130 : run_sweep(experiment, options);
}

/// A title and claims for each way in which it was measured.
using ClaimsByTitle = std::vector<std::pair<std::string, std::vector<Figure1Claim>>>;

ClaimsByTitle claims_in(const std::string& directory) {
  const MeasurementKind& kind = *find_entry(standard_catalog().measurements, "creation");
  const std::string path = fmt::format("{}/{}", directory, file_of(kind.name));
  const std::vector<Record> records = stored_records(directory, kind.name);
  ClaimsByTitle all;
  try {
    for (const Setting& setting :
         by_setting(kind, records,
                    {"communicator", "pattern", "group_size", "samples", "item_ms", "late_ms",
                     "attributes", "in_flight", "storm_regroupings"})) {
      const Outcome& first = *setting.records.front()->outcome;
      std::vector<Figure1Claim> claims = figure1_claims(setting, first.where.crowded);
      if (claims.empty()) continue;
      all.emplace_back(fmt::format("Figure 1, creating a group of g on {}, wall clock, {}",
                                   setting.title, first.library),
                       std::move(claims));
    }
  } catch (const std::invalid_argument& error) {
    throw UserError(fmt::format("{}: {}", path, error.what()));
  }
  if (!all.empty()) return all;
  throw UserError(fmt::format(
      "{}: nothing of Figure 1 was measured: it takes the strategies comm_create, intercomm_merge "
      "and create_group, the pattern one_group and several group sizes",
      path));
}

}  // namespace

int judge_figure1(const AskedClaims& asked, Judge& judge) {
  std::string directory = asked.directory;
  int code = 0;
  if (directory.empty()) {
    if (asked.format == "json") {
      throw UserError(
          "as json figure1 is of results that are there, since measuring tells how it goes on: "
          "name "
          "their directory");
    }
    code = measure_figure1(asked, directory);
    if (code > some_did_not_end_well) return code;
  } else if (!asked.out.empty() || !asked.changes.empty()) {
    throw UserError("--out and --set are of measurements that are made: name no directory then");
  }
  const ClaimsByTitle all = claims_in(directory);
  judge.head("on this machine; the paper's had 8,192 cores of a Blue Gene/P");
  for (const auto& [title, claims] : all) {
    judge.title(title);
    for (const Figure1Claim& claim : claims) {
      judge.claim(claim.what, claim.paper, claim.ours, claim.holds, claim.says, claim.says);
    }
  }
  return code;
}

}  // namespace regroup
