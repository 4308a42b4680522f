// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "jobs/catalog/event_detail.hpp"
#include "jobs/catalog/scenario.hpp"
#include "jobs/records/ended.hpp"
#include "jobs/version.hpp"
#include "kernel/outcome.hpp"

namespace regroup {

/// One task with what came out of it: a row of the file of its kind.
struct Record : Ended {
  Scenario task;
  std::optional<Outcome> outcome;         ///< where it ended well
  EventDetail events = EventDetail::all;  ///< what is written of it
  double memory_mb = 0;                   ///< most that a run in virtual time took; 0: not measured
  std::string version{regroup::version};  ///< of the command that executed it
  bool whole = true;       ///< all parameters could be read back; without: some are as is usual
  std::string invocation;  ///< what is unlike other invocations, where it was read back
};

}  // namespace regroup
