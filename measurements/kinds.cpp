// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <vector>

#include "measurements/sorts.hpp"
#include "regroup/measurement.hpp"
#include "regroup/strategy.hpp"
#include "sorting/inputs.hpp"
#include "sorting/options.hpp"

namespace regroup {
namespace {

template <class Rows>
std::vector<std::string_view> names(const Rows& rows) {
  std::vector<std::string_view> all;
  for (const auto& row : rows) all.push_back(row.name);
  return all;
}

const std::vector<std::string_view> strategy_names = names(strategies());
const std::vector<std::string_view> pattern_names = names(patterns());
const std::vector<std::string_view> sort_words = ways_to_sort(strategies());
const std::vector<std::string_view> input_words = names(sorting::inputs);
const std::vector<std::string_view> assignment_words = names(sorting::assignments);

constexpr OptionSpec samples_spec = integer_option(
    "samples", "30", 1, 1e6, "how often each is timed, after three that do not count");
constexpr OptionSpec group_size_spec =
    integer_option("group_size", "", 1, 1 << 20, "ranks of a group");

const std::array creation_options{
    choice_option("communicator", "", strategy_names, "the communicator strategy"),
    choice_option("pattern", "one_group", pattern_names, "which groups are formed"),
    group_size_spec,
    samples_spec,
    real_option("item_ms", "2", 0, 1e4,
                "items that those outside the group execute meanwhile; 0: not measured"),
    real_option("late_ms", "5", 0, 1e4,
                "how much later than the others one member comes; 0: not measured"),
    integer_option("attributes", "0", 0, 1000,
                   "attributes of the world communicator, which go to its copies (dup and idup)"),
    integer_option("in_flight", "0", 0, 1000,
                   "creations of each group at once, alone and beside work, by strategies that do "
                   "not block (idup; icreate_group of groups that are no ranges); 0: not measured"),
    integer_option(
        "storm_regroupings", "0", 0, 1e9,
        "random regroupings, before and after which it is counted how many communicators "
        "can be alive; 0: not measured"),
};

constexpr std::array creation_figures{
    Figure{"formed_groups", "groups that are formed", a_count},
    Figure{"formed_ranks_min", "ranks of the smallest group that came out", a_count},
    Figure{"formed_ranks_max", "ranks of the largest group that came out", a_count},
    Figure{"creations_per_sample",
           "creations in a row that one sample times; its time is their mean", a_count},
    Figure{"create_min_s", "time to create, largest over the members: smallest sample"},
    Figure{"create_median_s", "… median of the samples"},
    Figure{"create_low_s", "… lower end of the 95 % confidence interval of the median"},
    Figure{"create_high_s", "… upper end"},
    Figure{"free_min_s", "time to free, largest over the members: smallest sample"},
    Figure{"free_median_s", "… median of the samples"},
    Figure{"free_low_s", "… lower end of the 95 % confidence interval of the median"},
    Figure{"free_high_s", "… upper end"},
    Figure{"bystander_s",
           "what a rank outside loses by one creation, mean over these ranks: median"},
    Figure{"bystander_low_s", "… lower end of the 95 % confidence interval of the median"},
    Figure{"bystander_high_s", "… upper end"},
    Figure{"busy_create_s", "median time to create while the others execute items"},
    Figure{"late_create_s", "median time to create with one late member, minus its delay"},
    Figure{"in_flight_s",
           "time to create as many as `in_flight` says at once, largest over the members: median"},
    Figure{"in_flight_low_s", "… lower end of the 95 % confidence interval of the median"},
    Figure{"in_flight_high_s", "… upper end"},
    Figure{
        "hidden_fraction",
        "part of this time that is saved where the members work meanwhile, for as long, and test "
        "ten times: median"},
    Figure{"hidden_fraction_low", "… lower end of the 95 % confidence interval of the median"},
    Figure{"hidden_fraction_high", "… upper end"},
    Figure{"mpi_messages", "messages of one creation sent by calls of MPI, all ranks together",
           a_count},
    Figure{"mpi_bytes", "bytes in these", a_count},
    Figure{"transport_messages",
           "messages of one creation that MPI hands to its network (MPICH over UCX only)", a_count},
    Figure{"transport_bytes", "bytes in these", a_count},
    Figure{"communicators_alive_before", "communicators of a rank before, most over the ranks",
           a_count},
    Figure{"communicators_alive_max", "… at any time", a_count},
    Figure{"communicators_alive_after", "… after", a_count},
    Figure{"communicators_limit_local",
           "communicators that one process can have alive beside those that are there, fewest over "
           "the ranks; 4096 stands for no fewer",
           a_count},
    Figure{"communicators_limit_common", "… that all ranks together can have alive", a_count},
    Figure{"storm_alive",
           "communicators that random regroupings left alive on a rank, most over the ranks",
           a_count},
    Figure{"storm_limit_local", "… that one process can then have beside them", a_count},
    Figure{"storm_limit_common", "… that all ranks together can then have", a_count},
    Figure{"storm_lost",
           "of communicators_limit_common, what is neither alive nor can be had then: lost to "
           "fragmentation",
           a_count},
    Figure{"storm_leaked", "… what cannot be had once all are freed again", a_count},
};

constexpr std::array<std::string_view, 9> operation_words{
    "bcast", "reduce", "allreduce", "scan", "exscan", "gather", "gatherv", "allgather", "barrier"};
constexpr std::array<std::string_view, 2> creation_words{"before", "timed"};
const std::array collective_options{
    choice_option("operation", "", operation_words, "nonblocking operation, completed at once"),
    choice_option("communicator", "", strategy_names,
                  "how its communicator is made; range takes our operations, others MPI's"),
    group_size_spec,
    integer_option("elements_per_rank", "1", 0, 1 << 24, "doubles of each rank"),
    integer_option("calls_per_sample", "1", 1, 1e6, "operations in a row that a sample times"),
    choice_option("creation", "before", creation_words,
                  "whether making and freeing the communicator is part of a sample"),
    samples_spec,
};

constexpr std::array collective_figures{
    Figure{"time_min_s",
           "time from the common start to the return of the last member: smallest sample"},
    Figure{"time_median_s", "… median of the samples"},
    Figure{"time_low_s", "… lower end of the 95 % confidence interval of the median"},
    Figure{"time_high_s", "… upper end"},
};

constexpr std::array steps_options{group_size_spec, samples_spec};

constexpr std::array steps_figures{
    Figure{"look_for_request_s", "a leader looks for a request that is not there: median"},
    Figure{"message_s", "a message reaches a leader that waits: median"},
    Figure{"tell_members_s",
           "what an item takes longer because the leader orders it to the members of its group: "
           "median"},
    Figure{"exchange_loads_s", "loads are exchanged among the leaders of all groups: median"},
};

const std::array items_options{
    group_size_spec,
    choice_option("communicator", "range", strategy_names,
                  "how its communicator is made, over which members combine numbers"),
    integer_option("items_per_sample", "10", 1, 1e6, "items in a row that a sample times"),
    samples_spec,
};

constexpr std::array items_figures{
    Figure{"time_min_s",
           "time of an item, from the common start to the end of the last member: smallest sample"},
    Figure{"time_median_s", "… median of the samples"},
    Figure{"time_low_s", "… lower end of the 95 % confidence interval of the median"},
    Figure{"time_high_s", "… upper end"},
};

const std::array sort_options{
    choice_option("element_type", "double", element_types,
                  "what is sorted; record: 16 bytes, a double as the key and a payload"),
    choice_option("input", "uniform", input_words, "how the elements lie at the start"),
    integer_option("elements_per_rank", "", 0, 1 << 20, "n/p: elements of each rank"),
    choice_option("assignment", "greedy", assignment_words,
                  "who gets which elements on a level: as they come (greedy), or such that a rank "
                  "has few messages (deterministic)"),
    choice_option("communicator", "", sort_words,
                  "how Janus Quicksort makes its communicators, or a sort that makes none"),
    samples_spec,
};

constexpr std::array sort_figures{
    Figure{"time_min_s",
           "time to sort, from the common start to the end of the last rank: smallest sample"},
    Figure{"time_median_s", "… median of the samples"},
    Figure{"time_low_s", "… lower end of the 95 % confidence interval of the median"},
    Figure{"time_high_s", "… upper end"},
    Figure{"creation_s",
           "time that a rank spends in making communicators, largest over the ranks: median"},
    Figure{"constructor_calls",
           "calls of MPI's functions that make communicators, all ranks together: most of a sort",
           a_count},
    Figure{"levels", "how often the ranks were divided: most of a sort", a_count},
    Figure{"received_messages_max",
           "messages with elements that a rank received on one level, or at all from sample_sort: "
           "most",
           a_count},
    Figure{"moved_bytes", "bytes of elements sent to other ranks, all ranks together: median"},
    Figure{"imbalance", "elements of the fullest rank at the end, over the mean of all: largest"},
};

const std::array kinds{
    MeasurementKind{{"creation", "what forming communicators costs", creation_options},
                    creation_figures},
    MeasurementKind{{"collectives", "what collective operations cost", collective_options},
                    collective_figures},
    MeasurementKind{{"steps", "what the other steps of the mpi engine cost", steps_options},
                    steps_figures},
    MeasurementKind{{"items", "what an item takes a group, by its size", items_options},
                    items_figures},
    MeasurementKind{
        {"sort", "what sorting costs over communicators of each strategy", sort_options},
        sort_figures},
};

}  // namespace

std::span<const MeasurementKind> measurement_kinds() { return kinds; }

}  // namespace regroup
