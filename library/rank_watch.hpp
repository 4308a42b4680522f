// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "engines/mpi/position.hpp"

namespace regroup {

/// A thread beside a rank that tells the command that launched it, in the file of rank records, how
/// far the rank is: where its start takes long, and shortly before the time of a run is over. The
/// rank itself may wait in MPI then, for ever.
class RankWatch {
 public:
  /// Before MPI_Init. Where no thread can be created, nothing is told.
  explicit RankWatch(const std::string& outcome_file);
  RankWatch(const RankWatch&) = delete;
  RankWatch& operator=(const RankWatch&) = delete;
  ~RankWatch() { end(); }

  /// That of the rank, which keeps it up to date.
  Position& position() { return position_; }

  /// After MPI_Init: of a run that may take so long from its common start on.
  void expect(double timeout_s);

  /// Nothing more is told.
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
