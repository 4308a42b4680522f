// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/configuration/configuration.hpp"
#include "jobs/launch/mpi_job.hpp"
#include "jobs/records/ended.hpp"
#include "jobs/results/results.hpp"

namespace regroup {

/// One task of a series, as a sweep sees it.
struct Task {
  std::string id;           ///< its fingerprint, which names its row
  std::string description;  ///< in one line
  std::string unsupported;  ///< why it cannot be executed; empty where it can
  std::string json;         ///< what its processes read
  double timeout_s = 0;
};

/// What there is to tell of a task that ended.
struct Report {
  Ended ended;
  std::vector<std::string> lines;  ///< for each of the files of the series
  std::string result;              ///< in a few words, where it ended well
  std::string warning;             ///< what the user should know of it; said once in a sweep
};

/// Tasks that a sweep executes one after the other: the runs of an experiment, or measurements.
/// They are made on demand, since there may be a million of them.
class Series {
 public:
  Series() = default;
  Series(const Series&) = delete;
  Series& operator=(const Series&) = delete;
  virtual ~Series() = default;

  std::string_view command;  ///< the subcommand that executes it
  std::string_view noun;     ///< what its tasks are called, in the plural
  Configuration configuration;
  std::vector<ResultFile> files;  ///< the first has one row for each task
  std::size_t left_out = 0;       ///< tasks that would be equal to another one

  virtual std::size_t size() const = 0;
  virtual Task task(std::size_t place) const = 0;

  /// Single parts of it, where no more is needed.
  virtual std::string id(std::size_t place) const = 0;
  virtual std::string description(std::size_t place) const = 0;
  virtual std::string unsupported(std::size_t place) const = 0;

  /// The wall time that it is likely to take; nothing where that is not known.
  virtual std::optional<double> predicted_s(std::size_t place) const = 0;

  /// Throws UserError where those of `chosen`, places of tasks, cannot be launched.
  virtual void check(std::span<const std::size_t> chosen) const = 0;

  /// The command that executes the task at `place`, which reads `task_file` and writes
  /// `outcome_file`. Other files that it needs go into `directory`.
  virtual MpiJob job(std::size_t place, const std::string& task_file,
                     const std::string& outcome_file, const std::string& directory) const = 0;

  /// What the task at `place` comes to. Where it ended well, `outcome` is what it wrote; throws
  /// where that is not whole.
  virtual Report report(std::size_t place, const Ended& ended,
                        const std::string& outcome) const = 0;

  /// Executes in this program, several at once, the first of `places` that need no processes, and
  /// reports each in this order until `done` answers false. Answers false where the first one does
  /// need processes.
  using Done = std::function<bool(std::size_t place, const Report& report)>;
  virtual bool execute_here(std::span<const std::size_t>, const Done&) const { return false; }
};

}  // namespace regroup
