// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <array>
#include <type_traits>

#include "kernel/numbers/parse.hpp"
#include "kernel/rank_order.hpp"
#include "library/task.hpp"
#include "regroup/catalog.hpp"

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
    Parameter{.spec = name_of("engine", "mpi", "what carries out the decisions of a balancer"),
              .member = &Scenario::engine,
              .nesting = 12,
              .key = "engine",
              .list = listed<&Catalog::engines>},
    Parameter{.spec = integer_option("ranks", "", 1, largest_world,
                                     "processes of the world communicator"),
              .member = &Scenario::ranks,
              .nesting = 1,
              .of = all,
              .key = "ranks"},
    Parameter{.spec = integer_option("ranks_per_node", "0", 0, largest_world,
                                     "ranks on each node, where the launcher can be told, or nodes "
                                     "are simulated; 0: as the launcher does"),
              .member = &Scenario::ranks_per_node,
              .nesting = 1,
              .of = all,
              .key = "ranks_per_node"},
    Parameter{.spec = choice_option(
                  "rank_order", "launcher", order_words,
                  "how ranks are numbered along nodes: as the launcher does, node after node "
                  "(packed), in turns (round_robin), or drawn by the seed (random)"),
              .member = &Scenario::order,
              .nesting = 1,
              .of = all,
              .key = "rank_order"},
    Parameter{
        .spec = integer_option(
            "group_size", "4", 1, largest_world,
            "G: ranks of a walker group at the start; the last group may be smaller, and with "
            "`groups` all but the largest"),
        .member = &Scenario::group_size,
        .nesting = 2,
        .key = "group_size"},
    Parameter{.spec = groups_option("groups", equal_groups,
                                    "the walker groups at the start, by their ranks as in "
                                    "0-3/4-7 12; equal: group_size in each"),
              .member = &Scenario::groups,
              .nesting = 2,
              .key = "groups"},
    Parameter{.spec = real_option("item_ms", "100", 1e-6, 1e9,
                                  "T: what one rank takes for one item, in milliseconds; a group "
                                  "of g takes T / g with perfect speed-up"),
              .member = &Scenario::item_ms,
              .nesting = 3,
              .key = "item_ms",
              .also = "items"},
    Parameter{.spec = name_of("workload", "cyclic", "how many items each walker has"),
              .member = &Scenario::workload,
              .nesting = 8,
              .key = "workload",
              .list = listed<&Catalog::workloads>},
    Parameter{.spec = integer_option("walkers_per_group", "1", 1, largest_world,
                                     "walkers for every group at the start: each begins with one, "
                                     "and the others wait"),
              .member = &Scenario::walkers_per_group,
              .nesting = 2,
              .key = "walkers_per_group"},
    Parameter{.spec = integer_option("walkers_in_all", "0", 0, largest_world,
                                     "walkers of the run, where they are not as many for every "
                                     "group; 0: walkers_per_group for each"),
              .member = &Scenario::walkers_in_all,
              .nesting = 2,
              .key = "walkers_in_all"},
    Parameter{.spec = name_of("wants", "group_size",
                              "how many ranks each walker would like to have, for the balancer "
                              "batch"),
              .member = &Scenario::wants,
              .nesting = 8,
              .key = "wants",
              .list = listed<&Catalog::wants>},
    Parameter{.spec = name_of("speedup", "perfect", "what an item takes in a larger group"),
              .member = &Scenario::speedup,
              .nesting = 6,
              .key = "speedup",
              .list = listed<&Catalog::speedups>},
    Parameter{.spec = real_option("jitter", "0", 0, 10,
                                  "standard deviation of an item's time, relative to its mean"),
              .member = &Scenario::jitter,
              .nesting = 5,
              .key = "jitter"},
    Parameter{.spec = name_of("walker", "sleep", "the Markov chain, and so what an item is"),
              .member = &Scenario::walker,
              .nesting = 4,
              .key = "walker",
              .list = listed<&Catalog::walkers>,
              .also = "items"},
    Parameter{.spec = integer_option("report_every", "0", 0, 1e9,
                                     "items after which a chain tells what it observed, in "
                                     "chains.csv; 0: never"),
              .member = &Scenario::report_every,
              .nesting = 4,
              .key = "report_every"},
    Parameter{.spec = real_option("until_r_hat", "0", 0, 100,
                                  "the run ends when R-hat of what the chains reported is at most "
                                  "this; 0: whatever it is"),
              .member = &Scenario::until_r_hat,
              .nesting = 4,
              .key = "until_r_hat"},
    Parameter{.spec = real_option("until_effective_samples", "0", 0, 1e15,
                                  "the run ends when what the chains reported is worth so many "
                                  "independent samples; 0: however many; with until_r_hat: when "
                                  "both hold"),
              .member = &Scenario::until_effective_samples,
              .nesting = 4,
              .key = "until_effective_samples"},
    Parameter{.spec = integer_option("save_every", "0", 0, 1e9,
                                     "items after which the state of a chain is written, so that "
                                     "--resume goes on from it; 0: never"),
              .member = &Scenario::save_every,
              .nesting = 4,
              .key = "save_every"},
    Parameter{.spec = name_of("balancer", "", "which groups merge or divide, and when"),
              .member = &Scenario::balancer,
              .nesting = 0,
              .key = "balancers",
              .list = listed<&Catalog::balancers>},
    Parameter{.spec = name_of("communicator", "",
                              "the communicator strategy; empty where groups never merge"),
              .member = &Scenario::communicator,
              .nesting = 0,
              .list = listed<&Catalog::strategies>,
              .may_be_empty = true},
    Parameter{.spec = name_of("costs", "free", "what communication takes in virtual time"),
              .member = &Scenario::costs,
              .nesting = 7,
              .key = "costs",
              .list = listed<&Catalog::costs>,
              .may_be_empty = true},
    Parameter{.spec = name_of("measure", "", "what is measured"),
              .member = &Scenario::measure,
              .nesting = 0,
              .of = measurements,
              .key = "measure",
              .list = listed<&Catalog::measurements>},
    Parameter{.spec = choice_option(
                  "waiting", "auto", waiting_words,
                  "how ranks wait: naps inside MPI too (wrapper), in our own code only (polite), "
                  "not at all (direct); auto naps where ranks outnumber cores"),
              .member = &Scenario::waiting,
              .nesting = 10,
              .of = all,
              .key = "waiting"},
    Parameter{.spec = integer_option("repetition", "1", 1, 1e6, "which one, from 1 on"),
              .member = &Scenario::repetition,
              .nesting = 13,
              .of = all,
              .key = "repetitions"},
    Parameter{.spec = integer_option("seed", "1", 0, 1e15, "of all random numbers"),
              .member = &Scenario::seed,
              .nesting = 11,
              .of = all,
              .key = "seed"},
    Parameter{.spec = real_option("timeout_s", "120", 0.1, 1e7, "a run that takes longer is ended"),
              .member = &Scenario::timeout_s,
              .nesting = 9,
              .key = "timeout_s"},
    Parameter{.spec = real_option("timeout_s", "60", 0.1, 1e7,
                                  "a measurement that takes longer is ended"),
              .member = &Scenario::timeout_s,
              .nesting = 9,
              .of = measurements,
              .key = "timeout_s",
              .single = true},
};

}  // namespace

std::span<const Parameter> parameters() { return rows; }

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
