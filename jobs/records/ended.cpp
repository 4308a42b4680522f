// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/records/ended.hpp"

#include <algorithm>
#include <array>

namespace regroup {
namespace {

constexpr std::array<std::pair<Status, std::string_view>, 5> statuses{{
    {Status::ok, "ok"},
    {Status::failed, "failed"},
    {Status::timeout, "timeout"},
    {Status::killed, "killed"},
    {Status::unsupported, "unsupported"},
}};

}  // namespace

std::string_view name(Status status) {
  return std::ranges::find(statuses, status, [](const auto& row) { return row.first; })->second;
}

std::optional<Status> status_named(std::string_view text) {
  for (const auto& [status, name] : statuses) {
    if (name == text) return status;
  }
  return std::nullopt;
}

std::string_view complaint_about_message(const Ended& ended) {
  const bool silent = ended.message.empty();
  if (ended.status != Status::ok)
    return silent ? "it did not end well, and no message says why" : "";
  return silent || ended.message == hung_at_its_end ||
                 ended.message.starts_with(quarrelled_at_its_end)
             ? ""
             : "it ended well, and yet there is a message";
}

}  // namespace regroup
