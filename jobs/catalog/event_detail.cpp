// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/catalog/event_detail.hpp"

namespace regroup {

std::string_view name(EventDetail detail) {
  return event_words[static_cast<std::size_t>(detail) + 1];
}

std::optional<EventDetail> event_detail_named(std::string_view text) {
  for (std::size_t word = 1; word < event_words.size(); ++word) {
    if (event_words[word] == text) return static_cast<EventDetail>(word - 1);
  }
  return std::nullopt;
}

EventDetail event_detail(std::string_view asked, int ranks) {
  const EventDetail by_size =
      ranks <= most_ranks_with_events ? EventDetail::all : EventDetail::summary;
  return event_detail_named(asked).value_or(by_size);
}

}  // namespace regroup
