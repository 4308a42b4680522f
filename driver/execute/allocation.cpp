// SPDX-License-Identifier: BSD-3-Clause
#include "driver/execute/allocation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <numeric>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "driver/execute/engines.hpp"
#include "driver/execute/launch.hpp"
#include "driver/execute/mpi_job.hpp"
#include "kernel/files/files.hpp"
#include "kernel/numbers/parse.hpp"
#include "kernel/places/host_list.hpp"
#include "kernel/places/probe.hpp"
#include "kernel/text/plain_text.hpp"
#include "kernel/text/shell_words.hpp"
#include "kernel/text/terminal.hpp"
#include "kernel/text/units.hpp"
#include "library/build_info.hpp"

namespace regroup {
namespace {

int number(std::string_view text) { return std::max(0, parse<int>(text).value_or(0)); }

}  // namespace

GivenHosts given_hosts(const Variables& variables, const std::string& here) {
  if (variables("SLURM_JOB_ID").empty()) return {};
  GivenHosts given;
  given.hosts = number(variables("SLURM_JOB_NUM_NODES"));
  std::vector<std::string> names;
  std::vector<int> processors;
  try {
    for (const ListedHost& host : host_list(variables("SLURM_JOB_NODELIST"))) {
      names.push_back(host.name);
    }
    processors = numbers_of_hosts(variables("SLURM_JOB_CPUS_PER_NODE"));
  } catch (const std::invalid_argument&) {  // malformed: treated as if it were not set
  }
  const bool is_here =
      names.empty() || (names.size() == 1 &&
                        (names[0] == variables("SLURMD_NODENAME") || same_host(names[0], here)));
  if (given.hosts == 0 || (given.hosts == 1 && is_here)) return {};
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  given.processors = static_cast<int>(
      std::min(most, std::accumulate(processors.begin(), processors.end(), std::int64_t{0})));
  if (!processors.empty()) given.least_on_a_host = std::ranges::min(processors);
  given.ranks = number(variables("SLURM_NTASKS"));
  return given;
}

GivenHosts given_hosts() {
  std::array<char, 256> here{};
  gethostname(here.data(), here.size() - 1);
  return given_hosts(
      [](const char* name) {
        const char* value = std::getenv(name);
        return std::string(value == nullptr ? "" : value);
      },
      here.data());
}

namespace {

/// Returns the message of a scheduler in `line`; empty if the line is not from one.
std::string_view said_by_scheduler(std::string_view line) {
  for (const std::string_view speaker : {"srun: ", "salloc: ", "slurmstepd: "}) {
    if (line.starts_with(speaker)) return line.substr(speaker.size());
  }
  return {};
}

}  // namespace

bool is_notice(std::string_view line) {
  // All messages of a scheduler are notices, except those that it calls errors.
  const std::string_view said = said_by_scheduler(line);
  return !said.empty() && !said.starts_with("error") && !said.starts_with("fatal");
}

bool says_may_pass(const std::string& output) {
  // Messages of Slurm's launch plug-in and of slurm_strerror().
  constexpr std::array<std::string_view, 13> reasons{"step creation temporarily disabled",
                                                     "step creation still disabled",
                                                     "Step completed in JobId",
                                                     "being configured, please wait",
                                                     "Requested nodes are busy",
                                                     "Required node not available",
                                                     "Job/step already completing or completed",
                                                     "Unable to contact slurm controller",
                                                     "Slurm temporarily unable to accept job",
                                                     "Socket timed out on send/recv operation",
                                                     "Zero Bytes were transmitted or received",
                                                     "Communication connection failure",
                                                     "Resource temporarily unavailable"};
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    const std::string_view said = said_by_scheduler(line);
    if (std::ranges::any_of(reasons, [&](auto reason) { return said.find(reason) != said.npos; })) {
      return true;
    }
  }
  return false;
}

std::string first_reason(const std::string& output, bool notices) {
  std::string notice;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    if (line.find_first_not_of(" =\t") == line.npos) continue;
    if (!is_notice(line)) return line;
    if (notice.empty()) notice = line;
  }
  return notices ? notice : "";
}

std::vector<std::string> likely_types(const std::string& types, bool open_mpi) {
  std::set<std::string> there;
  std::istringstream lines(types);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word;
    while (words >> word) {
      if (word != "srun:") break;
    }
    if (!(words >> std::ws).eof()) continue;  // a sentence, not a name
    there.insert(word);
  }
  std::vector<std::string> wanted{"pmi2", "cray_shasta", "pmix"};
  if (open_mpi) wanted = {"pmix", "pmi2"};
  std::erase_if(wanted, [&](const std::string& type) { return !there.contains(type); });
  return wanted;
}

std::vector<JobLauncher> candidates(const GivenHosts& given, bool open_mpi,
                                    const std::string& types) {
  // Slurm's own default, or the user's SLURM_MPI_TYPE, comes first.
  std::vector<std::string> options{""};
  for (const std::string& type : likely_types(types, open_mpi)) {
    options.push_back(" --mpi=" + type);
  }
  std::vector<JobLauncher> all;
  for (const std::string& option : options) {
    const std::string srun = "srun" + option;
    all.push_back({srun + " -n {ranks}",
                   srun + " -N {nodes} --ntasks-per-node={ranks_per_node} -n {ranks}", "-O",
                   given.processors, given.least_on_a_host});
  }
  return all;
}

namespace {

/// A log file in a directory of its own, which the destructor removes.
class TemporaryLog {
 public:
  TemporaryLog() {
    std::string name = std::filesystem::temp_directory_path() / "regroup-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error(name + ": cannot be made");
    directory_ = name;
  }
  TemporaryLog(const TemporaryLog&) = delete;
  TemporaryLog& operator=(const TemporaryLog&) = delete;
  ~TemporaryLog() {
    std::error_code somebody_did;
    std::filesystem::remove_all(directory_, somebody_did);
  }
  std::string path() const { return directory_ / "log"; }
  std::string text() const { return read_file(path()).value_or(""); }

 private:
  std::filesystem::path directory_;
};

/// The patience that ends a command after `seconds`.
Patience within(double seconds) {
  return {seconds, seconds, seconds, [] { return false; }, [] { return false; }};
}

/// Returns the text after `begin` in each line of `output` that contains it.
std::vector<std::string> behind(const std::string& begin, const std::string& output) {
  std::vector<std::string> found;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    if (const std::size_t at = line.find(begin); at != line.npos) {  // srun --label adds a prefix
      found.push_back(line.substr(at + begin.size()));
    }
  }
  return found;
}

}  // namespace

std::string LaunchTrial::complaint() const {
  if (kind == Kind::singletons) return "each rank was alone";
  if (kind == Kind::late) {
    return fmt::format("no answer within {:.0f} s{}", seconds, reason.empty() ? "" : ": " + reason);
  }
  return reason.empty() ? "failed" : "failed: " + reason;
}

LaunchTrial try_ranks(const Configuration& configuration, int ranks, int ranks_per_node,
                      std::string_view word, const std::function<void()>& tick) {
  constexpr double patience_s = 30;  // plus `each_s` for each rank
  constexpr double each_s = 0.1;
  Task task;
  task.ranks = ranks;
  task.ranks_per_node = ranks_per_node;
  const MpiJob job = rank_job(configuration, task, {std::string(word)});
  const TemporaryLog log;
  const Exit ending =
      launch(job.command, job.environment, log.path(), within(patience_s + each_s * ranks), tick);
  const std::string output = log.text();
  LaunchTrial trial{LaunchTrial::Kind::failed, ending.wall_s, "", ""};
  trial.reason = one_line(shortened(first_reason(output, true), 500));
  if (ending.kind == Exit::Kind::interrupted) {
    trial.kind = LaunchTrial::Kind::interrupted;
    return trial;
  }
  const std::vector<std::string> answers = behind(answer_to(word), output);
  trial.may_pass = answers.empty() && says_may_pass(output);
  if (answers.size() > 1) {
    trial.kind = LaunchTrial::Kind::singletons;
  } else if (ending.kind == Exit::Kind::timed_out) {
    trial.kind = LaunchTrial::Kind::late;
  } else if (answers.size() == 1 && ending.kind == Exit::Kind::exited && ending.code == 0) {
    trial.kind = LaunchTrial::Kind::together;
    trial.answer = answers.front();
  } else if (trial.reason.empty() || !answers.empty()) {
    trial.reason =
        fmt::format("{} {}{}", ending.kind == Exit::Kind::exited ? "exit code" : "signal",
                    ending.code, answers.empty() ? "" : ", after all ranks had answered");
  }
  return trial;
}

std::string printed_by(const std::vector<std::string>& words) {
  constexpr double patience_s = 10;
  const TemporaryLog log;
  try {
    launch(words, {}, log.path(), within(patience_s), [] {});
  } catch (const std::runtime_error&) {
    return {};
  }
  return log.text();
}

namespace {

/// Returns the launcher without the number of ranks: "srun --mpi=pmi2".
std::string in_short(const std::string& command) {
  return command.substr(0, command.find(" -n {ranks}"));
}

/// Throws UserError if ranks are to be placed on nodes: on one machine, no launcher can do so.
void check_nodes(const Experiment& experiment, const Indices& indices) {
  for (const std::size_t index : indices) {
    const int on_a_node = experiment.ranks_per_node(index);
    if (on_a_node == 0 || experiment.ranks(index) <= on_a_node) continue;
    throw UserError(fmt::format(
        "{}:{}: ranks_per_node is {} for {} ranks, but the launcher does not use it; set a "
        "launcher that contains {{ranks_per_node}} or {{nodes}}, or use a job with several hosts",
        experiment.file, experiment.ranks_per_node_line, on_a_node, experiment.ranks(index)));
  }
}

}  // namespace

Indices launched(const Experiment& experiment, const Selection& selection) {
  Indices indices = selected(experiment, selection);
  std::erase_if(indices, [&](std::size_t index) {
    if (!experiment.is_real(index)) return true;
    const Task task = experiment.at(index);
    return !engine_of(task).lacks(task).empty();
  });
  return indices;
}

Settled settle(const Configuration& configuration, const GivenHosts& given) {
  const std::string types = printed_by({"srun", "--mpi=list"});
  Settled settled;
  for (const JobLauncher& candidate : candidates(given, mpi_is_open_mpi, types)) {
    Configuration tried = configuration;
    tried.job_launcher = candidate;
    const std::string program = words(candidate.command).front();
    if (!in_path(tried, program)) {
      settled.trial.reason = fmt::format("'{}' cannot be started here", program);
    } else {
      settled.trial = try_ranks(tried, 2, 0, count_ranks);
    }
    if (settled.trial.kind == LaunchTrial::Kind::together) {
      settled.launcher = candidate;
      return settled;
    }
    if (settled.trial.kind == LaunchTrial::Kind::interrupted) return settled;
    settled.singletons |= settled.trial.kind == LaunchTrial::Kind::singletons;
    settled.failed.push_back(
        fmt::format("{}: {}", in_short(candidate.command), settled.trial.complaint()));
    // The other candidates would fail for the same reason.
    if (settled.trial.kind == LaunchTrial::Kind::late || settled.trial.may_pass) break;
  }
  return settled;
}

std::string advice_for(const Settled& settled) {
  if (settled.trial.may_pass) return "try again later";
  if (!settled.singletons) return "set a launcher with the key 'launcher'";
  return "Slurm and the MPI library do not share a version of PMI: set a launcher with the key "
         "'launcher', such as 'srun --mpi=pmi2 -n {ranks}' (MPICH), 'srun --mpi=pmix -n {ranks}' "
         "(Open MPI), another version of 'srun --mpi=list', or 'mpiexec -n {ranks}'";
}

std::string words_of(const Settled& settled) {
  std::string text = fmt::format("{} (of this job of Slurm; 2 ranks connected after {} s",
                                 settled.launcher.command, rounded(settled.trial.seconds, 1));
  for (const std::string& failed : settled.failed) text += "; " + failed;
  return text + ')';
}

void settle_launcher(Experiment& experiment, const Selection& selection) {
  if (!experiment.launcher.empty()) return;
  const Indices indices = launched(experiment, selection);
  if (indices.empty()) return;
  const GivenHosts given = given_hosts();
  if (given.hosts == 0) return check_nodes(experiment, indices);
  catch_interrupts();
  const Settled settled = settle(experiment, given);
  if (settled.trial.kind == LaunchTrial::Kind::interrupted) return;
  if (settled.launcher.command.empty()) {
    const std::string message =
        fmt::format("{}: no launcher works in this job of Slurm: {}; {}", experiment.file,
                    fmt::join(settled.failed, "; "), advice_for(settled));
    if (settled.trial.may_pass) throw TemporaryError(message);
    throw UserError(message);
  }
  experiment.job_launcher = settled.launcher;
  print_out("launcher: {}\n", words_of(settled));
}

}  // namespace regroup
