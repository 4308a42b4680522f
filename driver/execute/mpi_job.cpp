// SPDX-License-Identifier: BSD-3-Clause
#include "driver/execute/mpi_job.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "driver/execute/launch.hpp"
#include "driver/execute/python_walkers.hpp"
#include "kernel/files/files.hpp"
#include "kernel/places/host.hpp"
#include "kernel/text/plain_text.hpp"
#include "kernel/text/shell_words.hpp"
#include "library/build_info.hpp"
#include "library/guard.hpp"
#include "regroup/groups.hpp"
#include "regroup/measurement.hpp"

namespace regroup {
namespace {

constexpr auto bytes_per_rank = static_cast<std::size_t>(shared_memory_per_rank);

/// Returns whether `ranks` can share memory through files in /dev/shm: a file as large as one rank
/// needs can be created, and enough is free for the others.
bool posix_memory_works(int ranks) {
  const std::string name = fmt::format("/ucx_shm_posix_probe_{}", getpid());
  const int file = shm_open(name.c_str(), O_RDWR | O_CREAT | O_EXCL, 0600);
  if (file < 0) return false;
  shm_unlink(name.c_str());
  struct statvfs space {};
  // A file system without a limit has 0 blocks.
  const bool enough = fstatvfs(file, &space) == 0 &&
                      (space.f_blocks == 0 ||
                       static_cast<double>(space.f_bavail) * static_cast<double>(space.f_frsize) >
                           shared_memory_per_rank * ranks);
  const bool works = enough && posix_fallocate(file, 0, bytes_per_rank) == 0;
  close(file);
  return works;
}

/// Returns whether `ranks` can share memory through segments of System V, which take no memory
/// before they are used.
bool system_v_memory_works(int ranks) {
  std::vector<int> segments;
  for (int i = 0; i < ranks; ++i) {
    const int segment = shmget(IPC_PRIVATE, bytes_per_rank, IPC_CREAT | 0600);
    if (segment < 0) break;
    segments.push_back(segment);
  }
  bool works = std::ssize(segments) == ranks;
  if (works) {
    void* memory = shmat(segments.front(), nullptr, 0);
    works = memory != reinterpret_cast<void*>(-1);
    if (works) shmdt(memory);
  }
  for (const int segment : segments) shmctl(segment, IPC_RMID, nullptr);
  return works;
}

std::string replaced(std::string word, const std::string& what, const std::string& with) {
  for (std::size_t at = word.find(what); at != std::string::npos; at = word.find(what, at)) {
    word.replace(at, what.size(), with);
    at += with.size();
  }
  return word;
}

/// Returns the program of the ranks of `task`, with the words that precede its arguments.
std::vector<std::string> program_of(const Configuration& configuration, const Task& task,
                                    bool wrapped) {
  const WalkerEntry* walker = task.is_run() ? task.run().walker.row : task.measurement().walker.row;
  if (walker != nullptr && !walker->python.empty()) {
    return python_rank(std::string(walker->python), wrapped);
  }
  const std::filesystem::path plain =
      configuration.program.empty() ? this_program().string() + "-mpi" : configuration.program;
  return {wrapped ? plain.parent_path() / "wrapped" / plain.filename() : plain};
}

/// Returns whether `task` uses a strategy that groups ranks that share memory.
bool forms_what_shares_memory(const Task& task) {
  const Strategy* strategy = task.strategy();
  return strategy != nullptr && strategy->forms == Forms::shared;
}

/// Returns variables for the ranks of `task` on this machine. `crowded`: they outnumber its cores.
std::map<std::string, std::string> local_environment(const Task& task, bool crowded) {
  if (mpi_is_open_mpi && crowded) return {{"OMPI_MCA_mpi_yield_when_idle", "1"}};
  if (mpi_is_open_mpi) return {};
  const bool posix = posix_memory_works(task.ranks);
  const bool system_v = (posix && crowded) || system_v_memory_works(task.ranks);
  // Only networks need registered memory, and UCX can deadlock in MPI_Init when it prepares for it.
  std::map<std::string, std::string> environment{{"UCX_RCACHE_ENABLE", "n"}};
  if (posix && system_v && !crowded) return environment;  // by default UCX sets up both
  environment.emplace("UCX_TLS", posix ? "self,posix" : system_v ? "self,sysv" : "self,tcp");
  // It puts each rank on a node of its own, also in the view of MPI_Comm_split_type.
  if (!forms_what_shares_memory(task)) environment.emplace("MPIR_CVAR_NOLOCAL", "1");
  return environment;
}

/// Returns whether the MPI library's own launcher starts ranks on this machine only.
bool is_local(const Configuration& configuration) {
  constexpr auto hosts = "HYDRA_HOST_FILE";
  return configuration.launcher.empty() && configuration.job_launcher.command.empty() &&
         std::getenv(hosts) == nullptr && !configuration.environment.contains(hosts);
}

bool starts_ranks_of_open_mpi(const std::string& word) {
  const std::string name = std::filesystem::path(word).filename();
  return name.starts_with("mpirun") || name.starts_with("mpiexec") || name == "orterun" ||
         name == "prterun";
}

/// Keeps MPICH's launcher from ending all ranks when one is lost.
void let_ranks_be_lost(std::vector<std::string>& command) {
  const auto launcher = std::ranges::find_if(command, [](const std::string& word) {
    return std::filesystem::path(word).filename().string().starts_with("mpiexec");
  });
  if (launcher != command.end()) command.insert(launcher + 1, "-disable-auto-cleanup");
}

/// Returns the job's launcher for `task`, with its overcommit option if ranks outnumber processors.
std::string job_launcher(const JobLauncher& job, const Task& task) {
  std::string command = task.ranks_per_node > 0 ? job.placed : job.command;
  const bool crowded = (job.processors > 0 && task.ranks > job.processors) ||
                       (job.least_on_a_host > 0 && task.ranks_per_node > job.least_on_a_host);
  if (crowded && !job.overcommit.empty()) command += ' ' + job.overcommit;
  return command;
}

}  // namespace

std::vector<std::string> launcher_words(const std::string& launcher, const Task& task) {
  std::vector<std::string> command = words(launcher);
  const int on_a_node = task.ranks_per_node;
  for (std::string& word : command) {
    word = replaced(word, "{ranks}", std::to_string(task.ranks));
    if (on_a_node == 0) continue;
    word = replaced(word, "{nodes}", std::to_string(nodes_for(task.ranks, on_a_node)));
    word = replaced(word, "{ranks_per_node}", std::to_string(on_a_node));
  }
  return command;
}

void hand_on(const std::map<std::string, std::string>& environment,
             std::vector<std::string>& command) {
  const auto launcher = std::ranges::find_if(command, starts_ranks_of_open_mpi);
  if (launcher == command.end()) return;
  const std::vector<std::string> own = command;
  std::vector<std::string> options;
  for (const auto& [name, value] : environment) {
    const auto names_it = [&](const std::string& word) {
      return word == name || word.starts_with(name + '=');
    };
    if (std::ranges::none_of(own, names_it)) options.insert(options.end(), {"-x", name});
  }
  command.insert(launcher + 1, options.begin(), options.end());
}

std::vector<std::string> launcher_words(const Configuration& configuration, const Task& task) {
  const JobLauncher& job = configuration.job_launcher;
  const bool of_job = configuration.launcher.empty() && !job.command.empty();
  std::vector<std::string> command =
      launcher_words(of_job ? job_launcher(job, task) : launcher_of(configuration), task);
  if (mpi_is_open_mpi) hand_on(configuration.environment, command);
  return command;
}

bool in_path(const Configuration& configuration, const std::string& program) {
  const auto path = configuration.environment.find("PATH");
  const char* inherited = std::getenv("PATH");
  return can_start(program, path != configuration.environment.end() ? path->second
                            : inherited != nullptr                  ? inherited
                                                                    : "/bin:/usr/bin");
}

std::string launcher_of(const Configuration& configuration) {
  if (!configuration.launcher.empty()) return configuration.launcher;
  const std::string& of_job = configuration.job_launcher.command;
  return of_job.empty() ? std::string(mpi_launcher) : of_job;
}

void check_launcher(const Configuration& configuration) {
  const bool own = !configuration.launcher.empty();
  const std::vector<std::string> command = words(launcher_of(configuration));
  if (!command.empty() && in_path(configuration, command.front())) return;
  const std::string program = command.empty() ? "" : command.front();
  if (own) {
    throw UserError(
        fmt::format("{}:{}: launcher '{}' was not found or is not executable; give a program in "
                    "PATH or an absolute path",
                    configuration.file, configuration.launcher_line, program));
  }
  throw UserError(fmt::format(
      "{}: the launcher '{}' of the MPI library was not found; set another with the key 'launcher'",
      configuration.file, program));
}

std::string mpi_lacks(const Task& task) {
  const Strategy* strategy = task.strategy();
  if (strategy != nullptr && strategy->make == nullptr) {
    return fmt::format("the MPI library lacks the functions of {}", strategy->name);
  }
  if (mpi_is_open_mpi && task.waiting == "wrapper") {
    return "the wrapper is only for MPICH; ranks of Open MPI yield their cores";
  }
  return task.is_run() ? "" : hindrance(task.measurement(), task.ranks, task.seed);
}

std::string waiting_warning(const Task& task, const Outcome& outcome) {
  const bool all_well =
      task.waiting != "auto" || outcome.waiting != "polite" || !outcome.where.crowded;
  if (mpi_is_open_mpi || all_well) return {};
  return "processes outnumber cores, but the wrapper is not active (waited: polite), so MPI calls "
         "keep the cores busy; set 'waiting: wrapper' to use it with any launcher";
}

MpiJob mpi_job(const Configuration& configuration, const Task& task, const TaskFiles& files) {
  std::vector<std::string> arguments{files.task, files.outcome};
  const bool guarded = task.is_run() && task.run().recovers();
  if (guarded) arguments.emplace_back(guarded_argument);
  MpiJob job = rank_job(configuration, task, arguments);
  if (guarded && !mpi_is_open_mpi) let_ranks_be_lost(job.command);
  return job;
}

MpiJob rank_job(const Configuration& configuration, const Task& task,
                const std::vector<std::string>& arguments) {
  MpiJob job;
  job.command = launcher_words(configuration, task);
  const bool local = is_local(configuration);
  const bool crowded = local && would_crowd_this_host(task.ranks);
  const bool wrapped =
      !mpi_is_open_mpi && (task.waiting == "wrapper" || (task.waiting == "auto" && crowded));
  for (std::string& word : program_of(configuration, task, wrapped)) {
    job.command.push_back(std::move(word));
  }
  job.command.insert(job.command.end(), arguments.begin(), arguments.end());
  if (local) {
    for (const auto& [name, value] : local_environment(task, crowded)) {
      if (std::getenv(name.c_str()) == nullptr) job.environment[name] = value;
    }
  }
  for (const auto& [name, value] : configuration.environment) job.environment[name] = value;
  return job;
}

}  // namespace regroup
