// SPDX-License-Identifier: BSD-3-Clause
#include "driver/execute/simulate_all.hpp"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>

#include "driver/execute/engines.hpp"
#include "driver/execute/launch.hpp"
#include "driver/execute/threads.hpp"
#include "engines/virtual/engine.hpp"
#include "kernel/places/host.hpp"
#include "library/resolve.hpp"

namespace regroup {
namespace {

// Memory of a run until its outcome is passed on, for each rank and in addition: more than was
// measured for any balancer. `spread` with unknown loads needs most.
constexpr double simulated_bytes_per_rank = 3000;
constexpr double simulated_bytes_besides = 1e6;
constexpr double usable_memory = 0.8;  // of the memory that is available

constexpr auto look_for_interrupts = std::chrono::milliseconds(100);

/// Makes the kernel forget the most memory that this process ever held (proc(5), clear_refs).
void forget_peak_memory() { std::ofstream("/proc/self/clear_refs") << "5"; }

double peak_memory_mb() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    double kilobytes = 0;
    if (word == "VmHWM:" && status >> kilobytes) return kilobytes / 1024;
  }
  return 0;
}

/// Returns nothing if `stop` or an interrupt ended the simulation.
std::optional<Finished> simulated(const Runs& runs, std::size_t index, bool alone,
                                  const std::atomic<bool>& stop) {
  Finished finished{runs.at(index), {}, {}};
  const Task& task = finished.task;
  Ending& ending = finished.ending;
  ending.message = engine_of(task).lacks(task);
  if (!ending.message.empty()) {
    ending.status = Status::unsupported;
    return finished;
  }
  if (alone) {
    malloc_trim(0);  // memory of the last run does not count
    forget_peak_memory();
  }
  const auto began = std::chrono::steady_clock::now();
  const auto elapsed_s = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  };
  try {
    const Costs costs = runs.costs ? runs.costs(index) : costs_of(task);
    finished.outcome = simulate(resolve(task), costs, [&] {
      return stop || interrupted() || elapsed_s() > task.timeout_s;
    });
  } catch (const Stopped&) {
    if (stop || interrupted()) return std::nullopt;
    ending.status = Status::timeout;
    ending.message = fmt::format("not finished after {:g} s", task.timeout_s);
  } catch (const std::exception& error) {
    ending.status = Status::failed;
    ending.message = error.what();
  }
  ending.wall_s = elapsed_s();
  if (alone) ending.memory_mb = peak_memory_mb();
  return finished;
}

/// Sets `stop` when the scope is left, also by an exception.
struct StopAtEnd {
  std::atomic<bool>& stop;
  ~StopAtEnd() { stop = true; }
};

double bytes_of(int ranks) { return simulated_bytes_besides + simulated_bytes_per_rank * ranks; }

}  // namespace

std::int64_t fitting_runs(int ranks) {
  return std::max<std::int64_t>(
      1, static_cast<std::int64_t>(usable_memory * available_memory() / bytes_of(ranks)));
}

void simulate_all(const Runs& runs, const std::function<bool(Finished)>& done) {
  const bool alone = runs.jobs == 1;
  const auto jobs = static_cast<std::size_t>(runs.jobs > 0 ? runs.jobs : own_cores());
  const std::size_t most_ahead = alone ? 1 : 16 * jobs;  // of the next outcome to pass on
  const double most_bytes = usable_memory * available_memory();
  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::size_t, Finished> ended;  // by the index of the run
  std::size_t next = 0;                   // index of the next run to execute
  std::size_t awaited = 0;                // index of the next run to pass on
  double bytes = 0;                       // estimated memory of the runs between
  std::atomic<bool> stop = false;

  const auto execute_next = [&](std::unique_lock<std::mutex>& lock) {
    const std::size_t mine = next++;
    bytes += bytes_of(runs.ranks(mine));
    lock.unlock();
    std::optional<Finished> finished = simulated(runs, mine, alone, stop);
    lock.lock();
    if (finished) ended.emplace(mine, *std::move(finished));
    changed.notify_all();
  };
  const auto may_begin = [&] {
    if (next == awaited) return true;
    return next < awaited + most_ahead && bytes + bytes_of(runs.ranks(next)) <= most_bytes;
  };
  const auto work = [&] {
    std::unique_lock lock(mutex);
    while (next < runs.number && !stop && !interrupted()) {
      if (may_begin()) {
        execute_next(lock);
      } else {
        changed.wait_for(lock, look_for_interrupts);
      }
    }
  };
  const std::vector<std::jthread> workers = start_threads(std::min(jobs, runs.number), work);
  const StopAtEnd at_end{stop};

  std::unique_lock lock(mutex);
  for (bool go_on = true; awaited < runs.number && go_on; ++awaited) {
    changed.notify_all();  // a worker may begin another run
    while (!ended.contains(awaited) && !interrupted()) {
      if (workers.empty()) {
        execute_next(lock);
      } else {
        changed.wait_for(lock, look_for_interrupts);  // an interrupt does not notify `changed`
      }
    }
    if (!ended.contains(awaited)) break;
    Finished finished = std::move(ended.extract(awaited).mapped());
    lock.unlock();
    go_on = done(std::move(finished));
    lock.lock();
    bytes -= bytes_of(runs.ranks(awaited));
  }
}

}  // namespace regroup
