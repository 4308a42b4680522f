// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace regroup {

enum class Status { ok, failed, timeout, killed, unsupported };
std::string_view name(Status status);
/// The status called `text`, where there is one.
std::optional<Status> status_named(std::string_view text);

/// How a run, or a measurement, ended.
struct Ended {
  Status status = Status::ok;
  std::string message;  ///< why it did not end well
  double wall_s = 0;    ///< of the whole, launch and end included
};

}  // namespace regroup
