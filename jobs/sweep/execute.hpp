// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "jobs/sweep/series.hpp"

namespace regroup {

/// Executes the task at `place` on processes of its own, and says what came of it. Its files are in
/// `logs` meanwhile; what tells of a task that did not end well stays. `tick` is called ten times a
/// second. Answers nothing when it was interrupted: then there is nothing to record.
std::optional<Report> execute(const Series& series, std::size_t place, const std::string& logs,
                              const std::function<void()>& tick);

}  // namespace regroup
