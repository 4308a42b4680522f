// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <string_view>

#include "kernel/options.hpp"

namespace regroup {

/// The key that says in which order tasks are made, of measurements and of runs: these are made as
/// written, if nobody says otherwise, which begins with the fewest ranks.
inline constexpr std::string_view as_written = "as_written";
inline constexpr std::array<std::string_view, 2> sweep_order_words{"random", as_written};
inline constexpr OptionSpec sweep_order_key = choice_option(
    "sweep_order", "random", sweep_order_words,
    "in which order measurements are made: drawn by their seeds, one repetition after the other, "
    "so that no drift of the machine looks like a difference (random), or as the lists stand");
inline constexpr OptionSpec order_of_runs_key = choice_option(
    "sweep_order", as_written, sweep_order_words,
    "in which order runs are made, one repetition after the other: as the lists stand "
    "(as_written), or drawn by their seeds (random)");

}  // namespace regroup
