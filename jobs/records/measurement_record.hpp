// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jobs/records/ended.hpp"
#include "jobs/records/result_column.hpp"
#include "jobs/version.hpp"
#include "kernel/measurement/measurement.hpp"

namespace regroup {

/// One measurement with what came out of it: a row of the file of its kind.
struct MeasurementRecord : Ended {
  Measurement measurement;
  std::optional<Findings> findings;       ///< where it ended well
  std::string version{regroup::version};  ///< of the command that measured
  std::string invocation;  ///< what is unlike other invocations, where it was read back
};

/// The columns of the file of `kind`, and the fields of the row of `record`, which is of this kind.
std::vector<ResultColumn> columns_of(const MeasurementKind& kind);
std::vector<std::string> fields_of(const MeasurementKind& kind, const MeasurementRecord& record);

}  // namespace regroup
