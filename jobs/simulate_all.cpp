// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/simulate_all.hpp"

#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <fstream>
#include <mutex>
#include <thread>

#include "jobs/launch.hpp"
#include "kernel/virtual/engine.hpp"

namespace regroup {
namespace {

constexpr int largest_side_by_side = 1 << 16;

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

RunRecord simulated(const Scenario& run, bool alone) {
  RunRecord record;
  record.scenario = run;
  if (alone) {
    malloc_trim(0);  // what the last run took is not this one's
    forget_peak_memory();
  }
  const auto began = std::chrono::steady_clock::now();
  try {
    record.outcome = simulate(run);
  } catch (const std::exception& error) {
    record.status = Status::failed;
    record.message = error.what();
  }
  record.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  if (alone) record.memory_mb = peak_memory_mb();
  return record;
}

}  // namespace

void simulate_all(std::span<const Scenario> runs, const std::function<bool(RunRecord)>& done) {
  const bool alone = std::ranges::any_of(
      runs, [](const Scenario& run) { return run.ranks > largest_side_by_side; });
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::optional<RunRecord>> records(runs.size());
  std::size_t next = 0;
  bool stop = false;

  const auto work = [&] {
    for (std::unique_lock lock(mutex); next < runs.size() && !stop && !interrupted();) {
      const std::size_t mine = next++;
      lock.unlock();
      RunRecord record = simulated(runs[mine], alone);
      lock.lock();
      records[mine] = std::move(record);
      changed.notify_one();
    }
  };
  std::vector<std::jthread> workers;
  const std::size_t cores = alone ? 1 : std::max(1u, std::thread::hardware_concurrency());
  for (std::size_t i = 0; i < std::min(cores, runs.size()); ++i) workers.emplace_back(work);

  std::unique_lock lock(mutex);
  for (std::size_t i = 0; i < runs.size() && !stop; ++i) {
    // An interrupt wakes nobody, so look for it now and then.
    while (!records[i] && !interrupted()) changed.wait_for(lock, std::chrono::milliseconds(100));
    if (!records[i]) break;
    RunRecord record = std::move(*records[i]);
    records[i].reset();
    lock.unlock();
    const bool go_on = done(std::move(record));
    lock.lock();
    stop = !go_on;
  }
  stop = true;
}

}  // namespace regroup
