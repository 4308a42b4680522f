// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/ended.hpp"

#include <algorithm>

namespace regroup {

std::string_view name(Status status) {
  switch (status) {
    case Status::ok:
      return "ok";
    case Status::failed:
      return "failed";
    case Status::timeout:
      return "timeout";
    case Status::killed:
      return "killed";
    case Status::unsupported:
      return "unsupported";
  }
  return "";
}

bool is_status(std::string_view text) {
  return std::ranges::any_of(statuses, [&](Status status) { return name(status) == text; });
}

}  // namespace regroup
