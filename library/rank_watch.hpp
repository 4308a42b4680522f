// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "engines/mpi/position.hpp"

namespace regroup {

/// A thread that writes the progress of a rank to the file of rank records, for the command that
/// launched it: if the start takes long, and shortly before the timeout of a run. The rank itself
/// may be blocked in MPI then.
class RankWatch {
 public:
  /// To be called before MPI_Init. If no thread can be created, nothing is written.
  explicit RankWatch(const std::string& outcome_file);
  RankWatch(const RankWatch&) = delete;
  RankWatch& operator=(const RankWatch&) = delete;
  ~RankWatch() { end(); }

  /// The position of the rank, which the rank updates.
  Position& position() { return position_; }

  /// To be called after MPI_Init of a run; `timeout_s` counts from the common start.
  void expect(double timeout_s);

  /// Ends the thread; nothing more is written.
  void end();

 private:
  void watch();

  std::string file_;
  Position position_;
  std::atomic<double> timeout_s_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;
  std::jthread thread_;
};

}  // namespace regroup
