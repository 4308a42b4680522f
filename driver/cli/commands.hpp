// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <array>
#include <string>
#include <vector>

#include "driver/advise/advice.hpp"
#include "driver/cli/plan.cpp"
#include "driver/config/experiment.hpp"
#include "driver/execute/sweep.hpp"

namespace regroup {

class Judge;

// The subcommands. Each answers the program's exit code.

/// Executes all tasks, as run_sweep() does. Of measurements it prints a summary of all that the
/// results hold; `check`: where all went well, the exit code is that of the guidelines.
int run(Experiment experiment, const SweepOptions& options, bool check);

/// Launches ranks to see what they find, in a job or outside of one, and prints what it means, a
/// line each: two, and then `ranks`; 0: as many as the configuration `config` has at most or, where
/// that has no path, as the job gives. 1 where something is wrong.
int preflight(const ConfigSource& config, int ranks);

/// Every task of a configuration with its predicted time, and the sum; or what a job must ask for.
int print_plan(const Experiment& experiment, const PlanOptions& options);

/// Of runs, the regroup statistics beside the paper's, and the times. `format`: text, markdown,
/// latex, csv, json. Of measurements, their summary as text, or their rows as csv and json.
/// `check`: the exit code is that of the guidelines of creation.
int print_table(const std::string& directory, const std::string& format, bool check);

/// Repeats the paper's experiments and judges them claim by claim. 1 where a claim is neither met
/// nor explained.
struct AskedClaims {
  std::string what = "all";     ///< table1, figure2, or both, in virtual time; or figure1, measured
  std::string format = "text";  ///< or json
  std::string directory;        ///< of measurements for figure1; empty: they are made
  std::string out;              ///< where to; empty: results/figure1
  std::vector<std::string> changes;  ///< of their configuration, as by --set
  std::string command;               ///< the command line, for the provenance
};
int reproduce(const AskedClaims& asked);
inline constexpr int some_did_not_end_well = 1;

/// Those of Figure 1: measures what is missing, or takes what `asked.directory` holds. Answers the
/// exit code of the measurements.
int judge_figure1(const AskedClaims& asked, Judge& judge);

/// Which balancer and strategy serve the problems of a configuration of runs best, what that saves,
/// and when another choice would be better.
int advise(const Experiment& experiment, const AskedPrices& asked, bool json);
std::vector<std::string> costs_without_files();  ///< the cost models that need none

/// What became slower or faster from A to B, and whether chance explains it; 1 where something is
/// slower by more than `worse`, "5%".
struct CompareOptions {
  std::array<std::string, 2> directories;
  std::string worse = "5%";
  std::string format = "text";  ///< or markdown, or json
};
int compare(const CompareOptions& asked);

/// Recomputes what the results in a directory say; 1 where something is not as it must be.
int verify(const std::string& directory);

// Options that several subcommands have.

/// What --help of a kind of measurement tells of its configurations.
std::string about_measurements(const MeasurementKind& kind);

/// The configuration that a command is about, and --set.
CLI::Option* add_config(CLI::App* command, ConfigSource& config,
                        const std::string& help = "the YAML file");

/// Everything that a command takes that executes a configuration, or plans that.
void add_options(CLI::App* command, ConfigSource& config, SweepOptions& sweep);
void add_plan_options(CLI::App* command, PlanOptions& plan);

/// Whether the exit code is that of the guidelines of creation.
void add_check(CLI::App* command, bool& check);

// What --help says beside the options.

/// {0}: the name of the program.
inline constexpr char about[] =
    "Benchmarks of dynamic load balancing of Markov chain Monte Carlo walker groups on MPI.\n"
    "When a group of processes runs out of work it joins another group: which balancer decides\n"
    "that best, and which way to form the new communicator costs least?\n"
    "\n"
    "  {0} plan configs/demo.yaml       what would be run, and how long it takes\n"
    "  {0} run configs/demo.yaml        run it; results in results/demo\n"
    "  {0} preflight                    whether MPI, launcher and hosts are as they should be\n"
    "  {0} merge results/demo           what jobs of an array did ('run --shard 1/8')\n"
    "  {0} table results/demo           regroup statistics and times\n"
    "  {0} report results/demo          a page of them, with pictures and a timeline\n"
    "  {0} advise configs/demo.yaml     which balancer to choose, and what it saves\n"
    "  {0} creation configs/creation.yaml\n"
    "                                       what forming communicators costs\n"
    "  {0} reproduce                    the paper's claims, one by one\n";

inline constexpr char about_sweeps[] =
    "too long; the sweep goes on. Ctrl-C ends it cleanly, and --resume then does what is missing.\n"
    "Exit code: 0 all ok or unsupported, 1 some not, 2 a mistake in the configuration or command\n"
    "line, 75 some have no result (--resume does them), 130 interrupted.";

inline constexpr char about_advice[] =
    "Simulates every balancer over every communicator strategy on the workloads of CONFIG, each\n"
    "combination of ranks, group_size, item_ms, workload, speedup and jitter on its own, in\n"
    "virtual time; seeds and repetitions make medians. For each it tells the best choice, what it\n"
    "saves, how dear forming a communicator and how short an item may become before another\n"
    "choice wins by 1 %, and how many ranks per group to start with; then the lines to paste.\n"
    "\n"
    "What communication costs: --costs, or --creation and --steps; else what CONFIG says; else\n"
    "the newest results/*/creation.csv and results/*/steps.csv; else 'cluster'. To measure:\n"
    "  regroup creation configs/creation.yaml\n"
    "  regroup steps configs/steps.yaml\n"
    "Exit code: 0, or 2 for a mistake in the configuration, the command line or a file of costs.";

inline constexpr char about_plans[] =
    "For a scheduler, as many jobs as you like, each with what it needs:\n"
    "  regroup plan CONFIG --shards 8                   what each of 8 parts would do\n"
    "  sbatch $(regroup plan CONFIG --shards 8 --format slurm --ranks-per-node 64) \\\n"
    "    jobs/slurm_array.sh CONFIG                     all 8 as a job array\n"
    "  sbatch $(regroup plan CONFIG --format slurm --ranks-per-node 64) jobs/slurm.sh CONFIG\n"
    "                                                   all in one job\n"
    "The time asked for is 1.5 times the predicted one and two minutes; what cannot be predicted\n"
    "counts with its timeout_s. Launching takes as long as earlier results tell, else about\n"
    "0.3 s and 12 ms for each rank.";

inline constexpr char about_preflight[] =
    "First in a job on a cluster, before hours are spent:\n"
    "  salloc -N 4 --ntasks-per-node=64 {0} preflight\n"
    "  {0} preflight configs/mine.yaml\n"
    "In a job of Slurm, PBS or Flux on several hosts the default launcher is the job's; which one\n"
    "the MPI library understands is found by starting two ranks, as 'run' does. Then all ranks\n"
    "start, and tell what they find. Each line says ok, warning or wrong:\n"
    "  launcher       whether two ranks find each other; else they speak no PMI in common\n"
    "  ranks          how many came, on how many hosts\n"
    "  processors     whether each rank has one for itself, host by host\n"
    "  messages       what one of 8 bytes takes, between hosts and inside: TCP or a fast network\n"
    "  clocks         by how much times of other hosts may be wrong\n"
    "  /dev/shm       what it has left for each rank\n"
    "  communicators  how many a rank may have at once\n"
    "  constructors   the strategies whose calls the MPI library lacks\n"
    "Nothing is written. Exit code: 0, also with warnings; 1 where something is wrong; 2 for a\n"
    "mistake in the configuration or command line.";

inline constexpr char about_checking[] =
    "For whoever writes a balancer. In runs of few groups with few items, whatever could happen "
    "next\n"
    "happens next, in every order: groups must partition the ranks, every item must be executed\n"
    "once, and a state in which everybody has stopped must stay within reach. Random runs in "
    "virtual\n"
    "time are large. What is wrong is told with the shortest way to it.\n"
    "Exit code: 0 nothing was found, 1 it is wrong, 2 for a mistake in the command line.";

inline constexpr char about_claims[] =
    "The paper: Dinan et al., Noncollective Communicator Creation in MPI, EuroMPI 2011.\n"
    "Table 1 and Figure 2 ('all') are simulated in virtual time, in seconds. Figure 1 is measured\n"
    "on this machine, on 32 processes, in a minute or two: what creating a communicator costs by\n"
    "the size of its group. What was measured already is not measured again.\n"
    "Exit code: 0 where each claim is met or explained, 1 where one is not; 2 for a mistake, or\n"
    "where measurements have too few samples; else that of 'regroup creation'.";

inline constexpr char about_comparing[] =
    "Rows belong together where all parameters are equal, but for those that have one value in "
    "all\n"
    "of A and another in all of B. Each time that both have: the ratio of times with a 95 %\n"
    "confidence interval, from repetitions (4 of each), else from the intervals that rows hold.\n"
    "Virtual time is compared exactly.\n"
    "Exit code: 1 where something is slower by more than --worse, chance excluded; 2 where "
    "nothing\n"
    "can be compared, or for a mistake; else 0.";

inline constexpr char about_merging[] =
    "  for i in 1 2 3; do regroup run CONFIG --shard $i/3 --resume & done; wait\n"
    "  regroup merge results/EXPERIMENT     brings the shards in it together\n"
    "  regroup verify results/EXPERIMENT\n"
    "Every run is taken once: one that ended well wins over one that did not, else what OUT has\n"
    "already, else what was named first. The directories stay as they are, and merging again adds\n"
    "what is new. Each document of provenance.yaml is kept, and the rows name theirs. What is of\n"
    "another configuration or other circumstances, or was changed by hand, is refused.\n"
    "Exit code: 0, also where runs are still missing, which it tells; 2 where it refuses.";

}  // namespace regroup
