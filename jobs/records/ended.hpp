// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace regroup {

enum class Status { ok, failed, timeout, killed, unsupported };
inline constexpr std::array<std::string_view, 5> status_words{"ok", "failed", "timeout", "killed",
                                                              "unsupported"};
std::string_view name(Status status);
/// The status called `text`, where there is one.
std::optional<Status> status_named(std::string_view text);

/// The messages of what is ok nevertheless: the results were there, but the processes had not ended
/// a while later, and were killed; or they ended, and the launcher says that not all was well.
inline constexpr std::string_view hung_at_its_end = "all was done, but its processes did not end";
inline constexpr std::string_view quarrelled_at_its_end = "all was done, but then: ";

/// How a run, or a measurement, ended.
struct Ended {
  Status status = Status::ok;
  std::string message;     ///< why it did not end well, or what went wrong after the end
  double wall_s = 0;       ///< of the whole, launch and end included
  std::string began = {};  ///< when it was launched, in UTC; empty where it was not
};

/// What is wrong with its message, beside its status; empty where nothing is.
std::string_view complaint_about_message(const Ended& ended);

}  // namespace regroup
