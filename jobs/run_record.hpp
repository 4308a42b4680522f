// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "kernel/outcome.hpp"
#include "kernel/scenario.hpp"

namespace regroup {

/// How a run ended.
enum class Status { ok, failed, timeout, killed, unsupported };
inline constexpr std::array statuses{Status::ok, Status::failed, Status::timeout, Status::killed,
                                     Status::unsupported};
std::string_view name(Status status);

/// One run with what came out of it: a row of runs.csv.
struct RunRecord {
  Scenario scenario;
  Status status = Status::ok;
  std::string message;             ///< why it did not end well
  std::optional<Outcome> outcome;  ///< where it did
  double wall_s = 0;               ///< of the whole run, launch and end included
  double memory_mb = 0;            ///< most that a run in virtual time took; 0 where not measured
};

/// The columns of runs.csv, and the fields of the row of `record`. Every parameter is a column.
std::vector<std::string> run_column_names();
std::vector<std::string> run_fields(const RunRecord& record);

}  // namespace regroup
