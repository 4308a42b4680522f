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
#include <thread>

#include "driver/execute/engines.hpp"
#include "driver/execute/launch.hpp"
#include "engines/virtual/engine.hpp"
#include "library/resolve.hpp"

namespace regroup {
namespace {

constexpr int largest_side_by_side = 1 << 16;
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

/// Answers nothing where it was given up because `stop` is set.
std::optional<Record> simulated(const Runs& runs, std::size_t place, bool alone,
                                const std::atomic<bool>& stop) {
  Record record;
  record.task = runs.at(place);
  record.message = execution(record.task.engine).lacks(record.task);
  if (!record.message.empty()) {
    record.status = Status::unsupported;
    return record;
  }
  if (alone) {
    malloc_trim(0);  // what the last run took is not this one's
    forget_peak_memory();
  }
  const auto began = std::chrono::steady_clock::now();
  const auto elapsed_s = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  };
  try {
    const Costs costs = runs.costs ? runs.costs(place) : resolve_costs(record.task);
    record.outcome = simulate(resolve(record.task), costs, [&] {
      return stop || interrupted() || elapsed_s() > record.task.timeout_s;
    });
  } catch (const Stopped&) {
    if (stop || interrupted()) return std::nullopt;
    record.status = Status::timeout;
    record.message = fmt::format("not done after {:g} s", record.task.timeout_s);
  } catch (const std::exception& error) {
    record.status = Status::failed;
    record.message = error.what();
  }
  record.wall_s = elapsed_s();
  if (alone) record.memory_mb = peak_memory_mb();
  return record;
}

/// However a scope is left.
struct StopAtEnd {
  std::atomic<bool>& stop;
  ~StopAtEnd() { stop = true; }
};

bool any_is_large(const Runs& runs) {
  for (std::size_t i = 0; i < runs.number; ++i) {
    if (runs.ranks(i) > largest_side_by_side) return true;
  }
  return false;
}

}  // namespace

void simulate_all(const Runs& runs, const std::function<bool(Record)>& done) {
  const bool alone = any_is_large(runs);
  const std::size_t cores = alone ? 1 : std::max(1u, std::thread::hardware_concurrency());
  const std::size_t most_ahead = alone ? 1 : 16 * cores;  // of the record that is handed over next
  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::size_t, Record> records;  // by the place of their run
  std::size_t next = 0;                   // to be executed
  std::size_t awaited = 0;                // to be handed over
  std::atomic<bool> stop = false;

  const auto work = [&] {
    std::unique_lock lock(mutex);
    while (next < runs.number && !stop && !interrupted()) {
      if (next >= awaited + most_ahead) {
        changed.wait_for(lock, look_for_interrupts);
        continue;
      }
      const std::size_t mine = next++;
      lock.unlock();
      std::optional<Record> record = simulated(runs, mine, alone, stop);
      lock.lock();
      if (record) records.emplace(mine, *std::move(record));
      changed.notify_all();
    }
  };
  std::vector<std::jthread> workers;
  for (std::size_t i = 0; i < std::min(cores, runs.number); ++i) workers.emplace_back(work);

  const StopAtEnd at_end{stop};

  std::unique_lock lock(mutex);
  for (bool go_on = true; awaited < runs.number && go_on; ++awaited) {
    changed.notify_all();  // the workers may go on by one
    // An interrupt wakes nobody.
    while (!records.contains(awaited) && !interrupted())
      changed.wait_for(lock, look_for_interrupts);
    if (!records.contains(awaited)) break;
    Record record = std::move(records.extract(awaited).mapped());
    lock.unlock();
    go_on = done(std::move(record));
    lock.lock();
  }
}

}  // namespace regroup
