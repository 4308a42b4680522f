// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "engines/mpi/black_box.hpp"
#include "regroup/groups.hpp"
#include "regroup/outcome.hpp"
#include "regroup/waiter.hpp"

namespace regroup {

/// Which ranks of a run were lost, as whoever launched it says: a line for each, its rank and the
/// reason, in the order in which they were lost. A line that is there is whole, and stays.
std::vector<LostRank> read_losses(const std::string& file);

/// Says to a rank that others were lost. It looks while the rank waits, wherever that is, a hundred
/// times a second. A loss concerns a rank at once if it is about to communicate with one that was
/// lost; otherwise when its group comes to the end of an item, which `at_rest` says.
class LossWatch final : public Lookout {
 public:
  LossWatch(std::string file, BlackBox& box) : file_(std::move(file)), box_(box) {}

  /// From now on. `on_loss` does not return: it leaves everything as it is and begins anew.
  void begin(std::function<void()> on_loss) { on_loss_ = std::move(on_loss); }
  void end() { on_loss_ = nullptr; }

  void look() override;

  /// Begins anew.
  [[noreturn]] void recover();

  // Around each item; `end_item` at `time_s` since the common start.
  void begin_item();
  void end_item(double time_s);

  /// The rank sends itself `signal` when it begins its nth item, from 1 on: a fault that is asked
  /// for.
  void injure(std::int64_t nth_item, int signal) { injuries_.emplace_back(nth_item, signal); }

  /// Called when what the guard is to know of the rank has changed.
  void on_change(std::function<void()> write_down) { write_down_ = std::move(write_down); }
  void write_down() { write_down_(); }

  /// Whether ranks were lost that this rank has not begun anew without.
  bool news();

  /// By the ranks of the site: whom this rank communicates with, or waits for.
  void set_peers(RankSet peers) { peers_ = std::move(peers); }
  /// What the rank does about news while it waits between two items; nullptr: nothing.
  void set_at_rest(const std::function<void()>* at_rest) { at_rest_ = at_rest; }

  /// Those that the rank has begun anew without, or is about to.
  const std::vector<LostRank>& heard() const { return heard_; }
  std::vector<LostRank>& heard() { return heard_; }
  RankSet lost() const;

  /// Takes notice of all losses by now.
  void hear();

  BlackBox& box() { return box_; }

 private:
  using Clock = std::chrono::steady_clock;

  void read();

  std::string file_;
  BlackBox& box_;
  std::function<void()> on_loss_;
  std::function<void()> write_down_ = [] {};
  std::vector<std::pair<std::int64_t, int>> injuries_;
  std::int64_t items_ = 0;  // that the rank has begun
  RankSet peers_;
  const std::function<void()>* at_rest_ = nullptr;
  Clock::time_point next_look_;
  Clock::time_point news_since_;
  std::vector<LostRank> all_;    // as the file has them
  std::vector<LostRank> heard_;  // the first of them
};

}  // namespace regroup
