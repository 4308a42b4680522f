// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/allocation/trial.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "jobs/allocation/notices.hpp"
#include "jobs/launch/launch.hpp"
#include "jobs/launch/mpi_job.hpp"
#include "jobs/words/describe.hpp"
#include "kernel/files/files.hpp"
#include "kernel/files/plain_text.hpp"
#include "kernel/places/probe.hpp"

namespace regroup {
namespace {

/// A file that is gone with its owner.
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

/// Ended within `seconds`.
Patience within(double seconds) {
  return {seconds, seconds, seconds, [] { return false; }, [] { return false; }};
}

/// What stands behind `begin` in the lines of `output` that have it.
std::vector<std::string> behind(const std::string& begin, const std::string& output) {
  std::vector<std::string> found;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    if (const std::size_t at = line.find(begin); at != line.npos) {  // srun --label has more
      found.push_back(line.substr(at + begin.size()));
    }
  }
  return found;
}

}  // namespace

std::string LaunchTrial::complaint() const {
  if (kind == Kind::singletons) return "each rank was alone";
  if (kind == Kind::late) {
    return fmt::format("nothing came within {:.0f} s{}", seconds,
                       reason.empty() ? "" : ": " + reason);
  }
  return reason.empty() ? "failed" : "failed: " + reason;
}

LaunchTrial try_ranks(const Configuration& configuration, int ranks, int ranks_per_node,
                      std::string_view word, const std::function<void()>& tick) {
  constexpr double patience_s = 30;  // and for many ranks more
  constexpr double each_s = 0.1;
  Scenario task;
  task.ranks = ranks;
  task.ranks_per_node = ranks_per_node;
  const MpiJob job = rank_job(configuration, task, {std::string(word)});
  const TemporaryLog log;
  const Ending ending =
      launch(job.command, job.environment, log.path(), within(patience_s + each_s * ranks), tick);
  const std::string output = log.text();
  LaunchTrial trial{LaunchTrial::Kind::failed, ending.wall_s, "", ""};
  trial.reason = one_line(shortened(first_reason(output, true), 500));
  if (ending.kind == Ending::Kind::interrupted) {
    trial.kind = LaunchTrial::Kind::interrupted;
    return trial;
  }
  const std::vector<std::string> answers = behind(answer_to(word), output);
  if (answers.size() > 1) {
    trial.kind = LaunchTrial::Kind::singletons;
  } else if (ending.kind == Ending::Kind::timed_out) {
    trial.kind = LaunchTrial::Kind::late;
  } else if (answers.size() == 1 && ending.kind == Ending::Kind::exited && ending.code == 0) {
    trial.kind = LaunchTrial::Kind::together;
    trial.answer = answers.front();
  } else if (trial.reason.empty() || !answers.empty()) {
    trial.reason =
        fmt::format("{} {}{}", ending.kind == Ending::Kind::exited ? "exit code" : "signal",
                    ending.code, answers.empty() ? "" : ", after all had answered");
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

}  // namespace regroup
