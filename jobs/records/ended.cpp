// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/records/ended.hpp"

#include <algorithm>

namespace regroup {

std::string_view name(Status status) { return status_words.at(static_cast<std::size_t>(status)); }

std::optional<Status> status_named(std::string_view text) {
  const auto word = std::ranges::find(status_words, text);
  if (word == status_words.end()) return std::nullopt;
  return static_cast<Status>(word - status_words.begin());
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
