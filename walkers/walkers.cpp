// SPDX-License-Identifier: BSD-3-Clause
#include "walkers/walkers.hpp"

namespace regroup {
namespace {

/// Whose chains exchange messages.
WalkerEntry exchanging(WalkerEntry row) {
  row.exchanges = [](const Options&) { return true; };
  return row;
}

const std::array entries{
    WalkerEntry{{"sleep", "the paper's delay: sleeps for the time of the item", delay_options},
                make_sleep,
                delay_state_bytes},
    WalkerEntry{{"spin", "keeps a core busy for the time of the item; for one rank per core",
                 delay_options},
                make_spin,
                delay_state_bytes,
                false},
    WalkerEntry{
        {"lennard_jones",
         "canonical Monte Carlo of a cluster of atoms: each move takes a sum over all members",
         lennard_jones_options},
        make_lennard_jones,
        lennard_jones_state_bytes,
        /*smpi=*/false,
        /*timed=*/false,
        /*quantities=*/cluster_quantities,
        /*open_end=*/false,
        /*warm_up_option=*/burn_in_option.name},
    WalkerEntry{{"nucleation", "a gas of such atoms, until so many of them hang together",
                 nucleation_options},
                make_nucleation,
                lennard_jones_state_bytes,
                /*smpi=*/false,
                /*timed=*/false,
                /*quantities=*/cluster_quantities,
                /*open_end=*/true,
                /*warm_up_option=*/burn_in_option.name},
    WalkerEntry{{"trajectory", "Brownian dynamics of such a cluster, until an atom leaves it",
                 trajectory_options},
                make_trajectory,
                lennard_jones_state_bytes,
                /*smpi=*/false,
                /*timed=*/false,
                /*quantities=*/std::span(cluster_quantities).first(1),
                /*open_end=*/true},
    exchanging(WalkerEntry{
        {"rounds", "sleeps, in rounds after which chains exchange messages", rounds_options},
        make_rounds,
        rounds_state_bytes}),
    exchanging(WalkerEntry{{"replica_exchange",
                            "such a cluster at many temperatures: neighbours swap their atoms now "
                            "and then. Its chains differ, so figures over all chains mean little",
                            replica_exchange_options},
                           make_replica_exchange,
                           replica_exchange_state_bytes,
                           /*smpi=*/false,
                           /*timed=*/false,
                           /*quantities=*/replica_exchange_quantities,
                           /*open_end=*/false,
                           /*warm_up_option=*/burn_in_option.name}),
    exchanging(WalkerEntry{
        {"umbrella",
         "a particle in a double well, each chain in a window: who leaves it begins anew where "
         "others left theirs",
         umbrella_options},
        make_umbrella,
        umbrella_state_bytes,
        /*smpi=*/false,
        /*timed=*/false,
        /*quantities=*/umbrella_quantities}),
};

}  // namespace

std::span<const WalkerEntry> walkers() { return entries; }

}  // namespace regroup
