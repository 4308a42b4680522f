// SPDX-License-Identifier: BSD-3-Clause
#include "driver/execute/engines.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "kernel/files/files.hpp"
#include "kernel/rank_order.hpp"
#include "kernel/text/plain_text.hpp"
#include "regroup/catalog.hpp"
#include "regroup/groups.hpp"

namespace regroup {
namespace {

/// Defaults to 4, as on a Blue Gene/P.
int ranks_per_node(const Task& run) { return run.ranks_per_node > 0 ? run.ranks_per_node : 4; }

/// From this number on, stacks have no guard pages: the kernel limits the mappings of a process.
constexpr int many_ranks = 32768;

/// Returns a torus with at least `nodes` nodes, nearly a cube, with powers of two: "16,16,8".
std::string torus(int nodes) {
  std::array<int, 3> sizes{1, 1, 1};
  while (sizes[0] * sizes[1] * sizes[2] < nodes) *std::ranges::min_element(sizes) *= 2;
  // In SimGrid, a dimension of size 1 links each node to itself.
  const auto end = std::ranges::remove(sizes, 1).begin();
  if (end == sizes.begin()) return "1";
  return fmt::format("{}", fmt::join(sizes.begin(), end, ","));
}

/// Returns the simulated machine: nodes and network like a Blue Gene/P's. The links are not
/// calibrated: 425 MB/s is their nominal bandwidth, 0.1 µs roughly the time to pass a node.
std::string platform(int nodes, int ranks_per_node) {
  return fmt::format(
      "<?xml version='1.0'?>\n"
      "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<platform version=\"4.1\">\n"
      "  <cluster id=\"torus\" prefix=\"n\" suffix=\"\" radical=\"0-{}\" speed=\"1Gf\" "
      "core=\"{}\"\n"
      "           bw=\"425MBps\" lat=\"0.1us\" topology=\"TORUS\" topo_parameters=\"{}\"\n"
      "           sharing_policy=\"SPLITDUPLEX\" loopback_bw=\"2GBps\" loopback_lat=\"0.5us\"/>\n"
      "</platform>\n",
      nodes - 1, ranks_per_node, torus(nodes));
}

int torus_nodes(const Task& run) {
  const int needed = nodes_for(run.ranks, ranks_per_node(run));
  return static_cast<int>(std::bit_ceil(static_cast<unsigned>(needed)));
}

std::string hosts(const Task& run) {
  std::string text;
  for (const int node : simulated_nodes(run.ranks, ranks_per_node(run), run.rank_order, run.seed)) {
    text += fmt::format("n{}\n", node);
  }
  return text;
}

std::vector<std::string> settings(int ranks) {
  std::vector<std::string> all{
      "--log=root.thresh:warning",
      // Only communication and sleep take virtual time; probing for messages takes none.
      "--cfg=smpi/simulate-computation:no",
      "--cfg=smpi/host-speed:1Gf",  // without it smpirun complains; nothing depends on it
      "--cfg=smpi/wtime:0",
      "--cfg=smpi/iprobe:0",
      "--cfg=smpi/test:0",
      "--cfg=smpi/grow-injected-times:no",
      // Avoids detached sends: SMPI keeps them in one list and searches it from its start.
      "--cfg=smpi/send-is-detached-thresh:0",
      // Messages do not slow down those in the opposite direction.
      "--cfg=network/crosstraffic:0",
      // The program has no global variables that need a copy for each rank.
      "--cfg=smpi/privatization:no",
      // Collectives in logarithmic time; the default ones are linear, or rings.
      "--cfg=smpi/bcast:binomial_tree",
      "--cfg=smpi/allreduce:rdb",
      "--cfg=smpi/reduce:binomial",
      "--cfg=smpi/allgather:bruck",
      "--cfg=smpi/barrier:ompi_bruck",
      "--cfg=smpi/gather:ompi_binomial",
      "--cfg=smpi/scatter:ompi_binomial",
      // In KiB; 16 suffice for all balancers.
      "--cfg=contexts/stack-size:32",
  };
  if (ranks >= many_ranks) all.emplace_back("--cfg=contexts/guard-size:0");
  return all;
}

/// Returns the path of `file` in build-simgrid, beside the build tree of this program.
std::filesystem::path beside(const std::string& file) {
  return this_program().parent_path().parent_path() / "build-simgrid" / file;
}
std::string program() { return beside("regroup-mpi").string(); }

/// Returns variables that make SimGrid faster: 8,192 ranks of asynchronous take 190 s instead of
/// 290. Variables that the user has set keep their values.
std::map<std::string, std::string> fast_environment(const std::string& launcher) {
  std::map<std::string, std::string> fast;
  const auto set = [&](const char* name, const std::string& value) {
    if (std::getenv(name) == nullptr) fast[name] = value;
  };
  // Huge pages, because data is spread over gigabytes, and a larger cache of freed memory.
  set("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1:glibc.malloc.tcache_count=60000");
  const std::string clock = beside("libthread_clock.so").string();
  const bool computes = launcher.find("simulate-computation") != std::string::npos;
  const bool can_be_named = clock.find_first_of(" :") == std::string::npos;
  if (!computes && can_be_named && std::filesystem::exists(clock)) set("LD_PRELOAD", clock);
  return fast;
}

std::vector<std::string> launcher(const Configuration& configuration, const Task& run) {
  return launcher_words(
      configuration.launcher.empty() ? "smpirun -np {ranks}" : configuration.launcher, run);
}

/// Returns why a run cannot continue after the loss of a rank; empty if it can.
std::string recovery_lacks(const Task& task) {
  const Strategy* strategy = task.strategy();
  if (!task.is_run() || !task.run().recovers() || strategy == nullptr) return {};
  if (strategy->caller != Caller::parent) return {};
  return fmt::format("{} needs all ranks, so a run cannot continue after the loss of a rank",
                     strategy->name);
}

std::string simgrid_lacks(const Task& task) {
  if (task.run().recovers() || !task.run().fault_plan().empty()) {
    return "SimGrid simulates no faults of ranks";
  }
  const Strategy* strategy = task.strategy();
  if (strategy != nullptr && !strategy->smpi) {
    return fmt::format("SimGrid's SMPI lacks the MPI calls of {}", strategy->name);
  }
  if (!task.run().walker->smpi) {
    return fmt::format("the walker {} needs processor time, which SimGrid does not simulate",
                       task.run().walker->name);
  }
  return {};
}

MpiJob simgrid_job(const Configuration& configuration, const Task& task, const TaskFiles& files) {
  const int ranks = task.ranks;
  const std::string platform_file = fmt::format("{}/torus{}.xml", files.directory, ranks);
  const std::string hosts_file = fmt::format("{}/hosts{}.txt", files.directory, ranks);
  replace_file(platform_file, platform(torus_nodes(task), ranks_per_node(task)));
  replace_file(hosts_file, hosts(task));

  MpiJob job;
  job.environment = fast_environment(configuration.launcher);
  for (const auto& [name, value] : configuration.environment) job.environment[name] = value;
  // The user's own options come last, so that they take precedence.
  const std::vector<std::string> own = launcher(configuration, task);
  job.command = {own.front(), "-platform", platform_file, "-hostfile", hosts_file};
  for (std::string& setting : settings(ranks)) job.command.push_back(std::move(setting));
  job.command.insert(job.command.end(), own.begin() + 1, own.end());
  job.command.insert(job.command.end(), {program(), files.task, files.outcome});
  return job;
}

void check_simgrid(const Configuration& configuration) {
  const std::vector<std::string> words = launcher(configuration, Task());
  const std::string start = words.empty() ? "" : words.front();
  if (!std::filesystem::path(start).filename().string().starts_with("smpirun")) {
    throw UserError(
        fmt::format("{}:{}: launcher '{}' cannot start runs of engine simgrid; remove it, or set "
                    "one that begins with smpirun",
                    configuration.file, configuration.launcher_line, start));
  }
  if (this_program().filename() != "regroup") {
    throw UserError(
        fmt::format("{}: engine simgrid executes only balancers and walkers of Regroup, not those "
                    "of {}; allowed here: mpi, virtual",
                    configuration.file, this_program().filename().string()));
  }
  if (!std::filesystem::exists(program())) {
    throw UserError(
        fmt::format("{}: engine simgrid needs {}, which does not exist; build it with 'cmake "
                    "--preset simgrid && cmake --build --preset simgrid'",
                    configuration.file, program()));
  }
  if (!in_path(configuration, start)) {
    throw UserError(
        fmt::format("{}: engine simgrid needs '{}', which was not found; install SimGrid (Debian: "
                    "libsimgrid-dev)",
                    configuration.file, start));
  }
}

using Busy = std::function<std::optional<double>()>;

std::optional<double> real_wall_s(int ranks, const Busy& busy_s) {
  const std::optional<double> busy = busy_s();
  if (!busy) return std::nullopt;
  return usual_launching_s(ranks) + *busy;
}

std::string virtual_lacks(const Task& task) {
  if (const std::string lacking = recovery_lacks(task); !lacking.empty()) return lacking;
  if (task.run().may_end_early()) {
    return "virtual time executes no walkers, so until_r_hat and until_effective_samples are not "
           "possible";
  }
  if (!task.run().walker->open_end) return {};
  return fmt::format(
      "the walker {} ends by itself, so its length is unknown in virtual time, which executes no "
      "walkers",
      task.run().walker->name);
}

const LaunchedEngine mpi_engine{{{"mpi", "real MPI processes. Times are wall-clock times.", {}},
                                 "wall",
                                 largest_world,
                                 true,
                                 false},
                                [](const Task& task) {
                                  const std::string lacking = recovery_lacks(task);
                                  return lacking.empty() ? mpi_lacks(task) : lacking;
                                },
                                check_launcher,
                                mpi_job,
                                real_wall_s};
const LaunchedEngine virtual_engine{
    {{"virtual",
      "discrete-event simulation of the same balancers in virtual time, without MPI",
      {}},
     "virtual",
     largest_world,
     false,
     true},
    virtual_lacks,
    [](const Configuration&) {},
    nullptr,
    [](int ranks, const Busy&) { return std::optional(1e-5 * ranks); }};
// With asynchronous, up to 10 ms for each rank were measured.
const LaunchedEngine simgrid_engine{
    {{"simgrid",
      "the MPI program on the simulator SimGrid, with all ranks in one process and in virtual "
      "time. Runs that need features missing in SimGrid have the status `unsupported`.",
      {}},
     "simgrid",
     1 << 16,  // the stack of each rank is a mapping, and Linux limits their number
     false,
     false},
    simgrid_lacks,
    check_simgrid,
    simgrid_job,
    [](int ranks, const Busy&) { return std::optional(0.2 + 0.01 * ranks); }};

constexpr std::array<const Engine*, 3> all_engines{&mpi_engine, &virtual_engine, &simgrid_engine};

const LaunchedEngine& launched(const Engine* engine) {
  return engine == nullptr ? mpi_engine : static_cast<const LaunchedEngine&>(*engine);
}

}  // namespace

std::span<const Engine* const> engines() { return all_engines; }

const LaunchedEngine& engine_of(const Task& task) {
  return launched(task.is_run() ? task.run().engine : nullptr);
}

const LaunchedEngine& engine_of(const Experiment& experiment, std::size_t index) {
  return launched(experiment.engine(index));
}

double usual_launching_s(int ranks) {
  return 0.3 + 0.012 * ranks;  // 0.9 s for 64 ranks and 2.4 s for 128 on 2 cores
}

}  // namespace regroup
