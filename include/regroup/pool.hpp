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

/// Executes tasks on groups of processes: rank 0 requests the results of a round of tasks, and all
/// ranks, including rank 0, execute them. One of the smallest groups executes a task; if ranks
/// would otherwise be idle and the round ends earlier, several of them execute it together. The
/// pool learns from previous rounds how long tasks take and how much wider groups speed them up.
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
  /// Executes `task`. Called with the same bytes on every member of `team`; the result of member 0
  /// is used. May throw.
  using Function = std::function<State(std::span<const std::byte> task, Team& team)>;

  struct Settings {
    int group_size = 1;            ///< ranks of the smallest groups; the last may be smaller
    std::string waiting = "auto";  ///< auto, wrapper, polite or direct, as in a configuration
  };

  /// Collective over `comm`. The pool communicates on a copy that is kept with `comm`: destroy the
  /// pool before you free `comm` or call MPI_Finalize. Throws std::invalid_argument for an invalid
  /// group size or waiting, and std::runtime_error if the wrapper is requested but not in place.
  Pool(MPI_Comm comm, Function function, const Settings& settings);
  Pool(MPI_Comm comm, Function function) : Pool(comm, std::move(function), Settings()) {}
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  /// On rank 0: closes the pool.
  ~Pool();

  bool is_master() const;
  int size() const;  ///< number of ranks

  /// On the other ranks: executes tasks until rank 0 closes the pool.
  void serve();

  /// A failed task: the function threw on at least one member.
  struct TaskFailed : std::runtime_error {
    TaskFailed(std::size_t number, const std::string& what)
        : std::runtime_error(what), task(number) {}
    std::size_t task;
  };

  /// On rank 0, not within a task: executes `tasks` and returns their results in the same order.
  /// Longer tasks start earlier. `costs`: the expected time of each task, in any unit. Without
  /// costs, each task is expected to take as long as the one with the same index in the previous
  /// round, if both rounds have the same number of tasks. If tasks fail, throws TaskFailed for the
  /// lowest index after all others have been executed; the pool remains usable.
  std::vector<State> map(std::span<const State> tasks, std::span<const double> costs = {});

  /// On rank 0: sends `data` to all ranks, where the function can read them by shared().
  void share(State data);
  /// The data of the last call of share(), and the number of these calls.
  const State& shared() const;
  std::int64_t times_shared() const;

  /// On rank 0: makes serve() return on the other ranks. Further calls have no effect.
  void close();

  /// Statistics of the last round, on rank 0.
  struct Round {
    std::size_t tasks = 0;
    std::size_t wide = 0;   ///< tasks that several of the smallest groups executed together
    double seconds = 0;     ///< of the whole call of map()
    double expected_s = 0;  ///< expected duration of the round; 0 if unknown
  };
  const Round& last_round() const;

 private:
  class Member;
  std::unique_ptr<Member> member_;
};

}  // namespace regroup
