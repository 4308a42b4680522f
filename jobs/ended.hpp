// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace regroup {

enum class Status { ok, failed, timeout, killed, unsupported };
inline constexpr std::array statuses{Status::ok, Status::failed, Status::timeout, Status::killed,
                                     Status::unsupported};
std::string_view name(Status status);
/// Whether `text` is the name of a status.
bool is_status(std::string_view text);

/// How a run, or a measurement, ended.
struct Ended {
  Status status = Status::ok;
  std::string message;  ///< why it did not end well
  double wall_s = 0;    ///< of the whole, launch and end included
};

}  // namespace regroup
