// SPDX-License-Identifier: BSD-3-Clause
//
// A pool of process groups that evaluates tasks for a sampler.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "regroup/walker.hpp"

namespace regroup {

/// Executes tasks on groups of processes: rank 0 asks for the results of a round of tasks, and all
/// ranks, rank 0 too, execute them. A task begins in one of the smallest groups or, where ranks
/// would be idle otherwise and it gains by them, in several of these together. The pool learns from
/// the rounds how long tasks take and how much wider groups gain.
///
///   Pool pool(MPI_COMM_WORLD, function);
///   if (pool.is_master()) {
///     results = pool.map(tasks);  // again and again
///     pool.close();
///   } else {
///     pool.serve();               // until rank 0 closes the pool
///   }
class Pool {
 public:
  /// Executes `task` on every member of `team`, which get the same bytes. The result of member 0
  /// counts. May throw.
  using Function = std::function<State(std::span<const std::byte> task, Team& team)>;

  struct Settings {
    int group_size = 1;            ///< ranks of the smallest groups; the last may be smaller
    std::string waiting = "auto";  ///< auto, wrapper, polite or direct, as in a configuration
  };

  /// Collective over `comm`, on a copy of which the pool communicates. Throws std::invalid_argument
  /// for a wrong group size.
  Pool(MPI_Comm comm, Function function, const Settings& settings);
  Pool(MPI_Comm comm, Function function) : Pool(comm, std::move(function), Settings()) {}
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  /// On rank 0: closes it.
  ~Pool();

  bool is_master() const;
  int size() const;  ///< ranks

  /// On the other ranks: executes tasks until rank 0 closes the pool.
  void serve();

  /// A task that failed: its function threw, on whatever member.
  struct TaskFailed : std::runtime_error {
    TaskFailed(std::size_t number, const std::string& what)
        : std::runtime_error(what), task(number) {}
    std::size_t task;
  };

  /// On rank 0: the results of all tasks, in their order. `costs`: how long each takes, in any
  /// unit; without them, as long as those of the same numbers took in the last round, if that had
  /// as many. Longer tasks begin earlier. When all others have been executed, throws TaskFailed
  /// with the first one that failed; the pool can be used further.
  std::vector<State> map(std::span<const State> tasks, std::span<const double> costs = {});

  /// On rank 0: data that the function finds on every rank, by shared().
  void share(State data);
  /// The data that was shared last, and how often any was.
  const State& shared() const;
  std::int64_t times_shared() const;

  /// On rank 0, again and again if need be: lets the other ranks leave serve().
  void close();

  /// About the last round; on rank 0.
  struct Round {
    std::size_t tasks = 0;
    std::size_t wide = 0;    ///< tasks that several of the smallest groups executed together
    double seconds = 0;      ///< of the whole call of map()
    double expected_s = 0;   ///< what the tasks were expected to take; 0: unknown
    double busy_rank_s = 0;  ///< ranks · seconds that they spent in tasks
  };
  const Round& last_round() const;

 private:
  class Crew;
  std::unique_ptr<Crew> crew_;
};

}  // namespace regroup
