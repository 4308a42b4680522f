// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "jobs/catalog/scenario.hpp"
#include "kernel/options.hpp"

namespace regroup {

/// One parameter of tasks: a key of configurations, an axis of sweeps, a part of the task file and
/// of the fingerprint, a column of results. All of these are made from its row.
struct Parameter {
  enum class Of { all, runs, measurements };
  using Member = std::variant<int Scenario::*, std::uint64_t Scenario::*, double Scenario::*,
                              std::string Scenario::*, Choice Scenario::*>;

  OptionSpec spec;  ///< its name is that of the column; it has no words where there is a list
  Member member;
  int nesting;  ///< the axis with the largest varies most slowly in a sweep
  Of of = Of::runs;
  std::string_view key{};  ///< of the configuration; empty where another key says it, too
  const Entries& (*list)() = nullptr;  ///< whose rows it names
  bool may_be_empty = false;           ///< names none of them where that has no meaning
  std::string_view also{};             ///< of runs, and of this kind of measurement, too
  bool single = false;                 ///< a configuration gives one value, and no list

  /// `kind`: "run", or a kind of measurement.
  bool applies(std::string_view kind) const {
    return of == Of::all || (of == Of::runs) == (kind == "run") || (!also.empty() && kind == also);
  }
  /// Whether it is a property of the result, and not only of how long one waits for it.
  bool is_column() const { return spec.name != "timeout_s" && spec.name != "measure"; }
};

std::span<const Parameter> parameters();

/// The value that `scenario` has, as text; of a choice, the name.
std::string text_of(const Parameter& parameter, const Scenario& scenario);

/// `text` must be a value that the specification allows, or a name.
void set(const Parameter& parameter, Scenario& scenario, const std::string& text);

}  // namespace regroup
