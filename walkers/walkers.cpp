// SPDX-License-Identifier: BSD-3-Clause
#include "walkers/walkers.hpp"

namespace regroup {
namespace {

/// Returns `row` for a walker whose chains exchange messages.
WalkerEntry exchanging(WalkerEntry row) {
  row.exchanges = [](const Options&) { return true; };
  return row;
}

const std::array entries{
    WalkerEntry{{"sleep", "sleeps for the time of the item. It needs no core.", delay_options},
                make_sleep,
                delay_state_bytes},
    WalkerEntry{{"spin", "keeps a core busy for the time of the item. It needs one core per rank.",
                 delay_options},
                make_spin,
                delay_state_bytes,
                false},
    WalkerEntry{{"lennard_jones",
                 "canonical Monte Carlo of a cluster of Lennard-Jones atoms. Each move needs a sum "
                 "over all members of the group.",
                 lennard_jones_options},
                make_lennard_jones,
                lennard_jones_state_bytes,
                /*smpi=*/false,
                /*timed=*/false,
                /*quantities=*/cluster_quantities,
                /*open_end=*/false,
                /*warm_up_option=*/burn_in_option.name},
    WalkerEntry{{"nucleation",
                 "canonical Monte Carlo of a gas of Lennard-Jones atoms, until a cluster of "
                 "`target_atoms` atoms has formed",
                 nucleation_options},
                make_nucleation,
                lennard_jones_state_bytes,
                /*smpi=*/false,
                /*timed=*/false,
                /*quantities=*/cluster_quantities,
                /*open_end=*/true,
                /*warm_up_option=*/burn_in_option.name},
    WalkerEntry{{"trajectory",
                 "Brownian dynamics of a cluster of Lennard-Jones atoms, until an atom leaves it",
                 trajectory_options},
                make_trajectory,
                lennard_jones_state_bytes,
                /*smpi=*/false,
                /*timed=*/false,
                /*quantities=*/std::span(cluster_quantities).first(1),
                /*open_end=*/true},
    exchanging(WalkerEntry{
        {"rounds",
         "sleeps for the time of the item. Chains exchange messages after each round of items.",
         rounds_options},
        make_rounds,
        rounds_state_bytes}),
    exchanging(WalkerEntry{
        {"replica_exchange",
         "parallel tempering (replica exchange) of clusters of Lennard-Jones atoms. Each chain has "
         "its own temperature, and neighbouring chains swap the positions of all their atoms. "
         "Statistics over all chains therefore mean little.",
         replica_exchange_options},
        make_replica_exchange,
        replica_exchange_state_bytes,
        /*smpi=*/false,
        /*timed=*/false,
        /*quantities=*/replica_exchange_quantities,
        /*open_end=*/false,
        /*warm_up_option=*/burn_in_option.name}),
    exchanging(
        WalkerEntry{{"umbrella",
                     "umbrella sampling of a particle in a double well. Each chain covers a window "
                     "of positions. When its particle leaves the window, it restarts at a position "
                     "at which the particle of a neighbouring chain has entered this window.",
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
