// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/catalog/parameters.hpp"

#include <fmt/format.h>

#include <array>
#include <stdexcept>
#include <type_traits>

#include "jobs/catalog/catalog.hpp"
#include "kernel/numbers/parse.hpp"

namespace regroup {
namespace {

using enum Parameter::Of;

constexpr std::array<std::string_view, 4> waiting_words{"auto", "wrapper", "polite", "direct"};

/// A parameter that names a row of a list.
constexpr OptionSpec name_of(std::string_view parameter, std::string_view fallback,
                             std::string_view help) {
  return choice_option(parameter, fallback, {}, help);
}

template <auto List>
const Entries& listed() {
  static const Entries entries = entries_of(standard_catalog().*List);
  return entries;
}

/// In the order of the columns.
constexpr std::array rows{
    Parameter{name_of("engine", "mpi", "what carries out the decisions of a balancer"),
              &Scenario::engine, 12, runs, "engine", listed<&Catalog::engines>},
    Parameter{integer_option("ranks", "", 1, largest_world, "processes of the world communicator"),
              &Scenario::ranks, 1, all, "ranks"},
    Parameter{
        integer_option("group_size", "4", 1, largest_world,
                       "G: ranks of a walker group at the start; the last group may be smaller"),
        &Scenario::group_size, 2, runs, "group_size"},
    Parameter{real_option("item_ms", "100", 1e-6, 1e9,
                          "T: what one rank takes for one item, in milliseconds; a group of g "
                          "takes T / g with perfect speed-up"),
              &Scenario::item_ms, 3, runs, "item_ms"},
    Parameter{name_of("workload", "cyclic", "how many items each walker has"), &Scenario::workload,
              8, runs, "workload", listed<&Catalog::workloads>},
    Parameter{name_of("speedup", "perfect", "what an item takes in a larger group"),
              &Scenario::speedup, 6, runs, "speedup", listed<&Catalog::speedups>},
    Parameter{real_option("jitter", "0", 0, 10,
                          "standard deviation of an item's time, relative to its mean"),
              &Scenario::jitter, 5, runs, "jitter"},
    Parameter{name_of("walker", "sleep", "how a process spends an item"), &Scenario::walker, 4,
              runs, "walker", listed<&Catalog::walkers>},
    Parameter{name_of("balancer", "", "which groups merge, and when"), &Scenario::balancer, 0, runs,
              "balancers", listed<&Catalog::balancers>},
    Parameter{
        name_of("communicator", "", "the communicator strategy; empty where groups never merge"),
        &Scenario::communicator, 0, runs, "", listed<&Catalog::strategies>, true},
    Parameter{name_of("costs", "free", "what communication takes in virtual time"),
              &Scenario::costs, 7, runs, "costs", listed<&Catalog::costs>, true},
    Parameter{name_of("measure", "", "what is measured"), &Scenario::measure, 0, measurements,
              "measure", listed<&Catalog::measurements>},
    Parameter{choice_option(
                  "waiting", "auto", waiting_words,
                  "how ranks wait: naps inside MPI too (wrapper), in our own code only (polite), "
                  "not at all (direct); auto naps where ranks outnumber cores"),
              &Scenario::waiting, 10, all, "waiting"},
    Parameter{integer_option("repetition", "1", 1, 1e6, "which one, from 1 on"),
              &Scenario::repetition, 13, all, "repetitions"},
    Parameter{integer_option("seed", "1", 0, 1e15, "of all random numbers"), &Scenario::seed, 11,
              all, "seed"},
    Parameter{real_option("timeout_s", "120", 0.1, 1e7, "a run that takes longer is ended"),
              &Scenario::timeout_s, 9, runs, "timeout_s"},
    Parameter{real_option("timeout_s", "60", 0.1, 1e7, "a measurement that takes longer is ended"),
              &Scenario::timeout_s, 9, measurements, "timeout_s", nullptr, false, true},
};

}  // namespace

std::span<const Parameter> parameters() { return rows; }

const Parameter& parameter(std::string_view name, bool run) {
  for (const Parameter& row : rows) {
    if (row.spec.name == name && row.applies(run)) return row;
  }
  throw std::invalid_argument(fmt::format("there is no parameter '{}'", name));
}

std::string text_of(const Parameter& parameter, const Scenario& scenario) {
  return std::visit(
      [&](auto member) -> std::string {
        if constexpr (std::is_same_v<decltype(member), Choice Scenario::*>) {
          return (scenario.*member).name;
        } else {
          return fmt::format("{}", scenario.*member);
        }
      },
      parameter.member);
}

void set(const Parameter& parameter, Scenario& scenario, const std::string& text) {
  std::visit(
      [&](auto member) {
        using Value = std::remove_reference_t<decltype(scenario.*member)>;
        if constexpr (std::is_same_v<Value, Choice>) {
          (scenario.*member).name = text;
        } else if constexpr (std::is_same_v<Value, std::string>) {
          scenario.*member = text;
        } else {
          scenario.*member = parse<Value>(text).value();
        }
      },
      parameter.member);
}

}  // namespace regroup
