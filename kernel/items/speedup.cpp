// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/items/speedup.hpp"

#include <array>

#include "kernel/items/measured_speedup.hpp"
#include "kernel/numbers/exact_math.hpp"

namespace regroup {
namespace {

// The paper's: twice the ranks, half the time.
Speedup perfect(const Options&, double item_s) {
  return [item_s](int ranks) { return item_s / ranks; };
}

// A part of the item takes its time on however many ranks.
// Source: Amdahl, Validity of the single processor approach …, AFIPS 1967.
constexpr std::array amdahl_options{
    real_option("serial_fraction", "0.05", 0, 1,
                "part of an item that more ranks do not make faster"),
};

Speedup amdahl(const Options& options, double item_s) {
  const double serial = options.real("serial_fraction");
  return [item_s, serial](int ranks) { return item_s * (serial + (1 - serial) / ranks); };
}

// Every item costs something fixed, and something per level of a tree over the ranks, as the
// reduction at the end of a transition does.
constexpr std::array overhead_options{
    real_option("overhead_ms", "0.1", 0, 1e6, "added to every item"),
    real_option("overhead_per_log2_ms", "0.1", 0, 1e6, "added times log2 of the ranks"),
};

Speedup overhead(const Options& options, double item_s) {
  const double fixed_s = options.real("overhead_ms") / 1000;
  const double level_s = options.real("overhead_per_log2_ms") / 1000;
  return [=](int ranks) { return fixed_s + item_s / ranks + level_s * exact::log2(ranks); };
}

// One rank takes what the configuration says, and a group the part of it that was measured.
constexpr std::array measured_options{
    file_option("items_file", "an items.csv: what items take groups of several sizes"),
    integer_option("items_setting", "0", 0, 1e6,
                   "which of the walkers and circumstances in it, counted from 1 on; 0: there is "
                   "one alone"),
};

Speedup measured(const Options& options, double item_s) {
  return [item_s, curve = read_speedup(options.text("items_file"),
                                       static_cast<int>(options.integer("items_setting")))](
             int ranks) { return item_s * curve.relative_time(ranks); };
}

constexpr std::array entries{
    SpeedupEntry{{"perfect", "T / ranks: the paper's", {}}, perfect},
    SpeedupEntry{{"amdahl", "T · (s + (1 − s) / ranks), s the serial fraction", amdahl_options},
                 amdahl},
    SpeedupEntry{{"overhead", "a + T / ranks + c · log2 ranks", overhead_options}, overhead},
    SpeedupEntry{
        {"measured", "as `regroup items` measured it: T · t(ranks) / t(1)", measured_options},
        measured},
};

}  // namespace

std::span<const SpeedupEntry> speedups() { return entries; }

}  // namespace regroup
