// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "kernel/options.hpp"

namespace regroup {

/// What is written of that which the groups of a run did. The run itself is the same.
enum class EventDetail : std::uint8_t {
  all,      ///< every group in events.csv
  summary,  ///< how many processes regrouped how often, in regroups.csv
  none      ///< the figures of runs.csv alone
};

std::string_view name(EventDetail detail);
std::optional<EventDetail> event_detail_named(std::string_view text);

/// The key of configurations that asks for it. With `auto` larger runs than these have a summary.
inline constexpr int most_ranks_with_events = 1 << 14;
inline constexpr std::array<std::string_view, 4> event_words{"auto", "all", "summary", "none"};
inline constexpr OptionSpec events_key =
    choice_option("events", "auto", event_words,
                  "what is written of the groups of a run: each one (all), how many processes "
                  "regrouped how often (summary), or neither (none); auto: all of runs on up to "
                  "16384 ranks, a summary of larger ones");

/// What `asked`, a value of this key, comes to for a run on so many ranks.
EventDetail event_detail(std::string_view asked, int ranks);

}  // namespace regroup
