// SPDX-License-Identifier: BSD-3-Clause
#include "driver/execute/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>

#include "kernel/text/units.hpp"

namespace regroup {
namespace {

double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

Progress::Progress(std::vector<double> predicted_s)
    : predicted_s_(std::move(predicted_s)),
      predicted_left_s_(std::accumulate(predicted_s_.begin(), predicted_s_.end(), 0.0)) {}

void Progress::begin(const std::string& description) {
  what_ = description;
  began_s_ = now_s();
  tick();
}

void Progress::tick(const std::string& news) {
  line_.draw(fmt::format("[{}/{}] ", task_ + 1, predicted_s_.size()),
             fmt::format("{}{}{}", what_, news.empty() ? "" : ": ", news),
             fmt::format(" … {} left", duration(left_s())));
}

void Progress::end(const Report& report) {
  const Ending& ending = report.record.ending;
  next(ending.wall_s);
  const bool tell_left = !line_.shown() && task_ < predicted_s_.size();
  line_.say(fmt::format("[{}/{}] {}: {}{}", task_, predicted_s_.size(), what_,
                        report.record.ok()
                            ? report.result
                            : fmt::format("{}: {}", name(ending.status), ending.message),
                        tell_left ? fmt::format(" ({} left)", duration(left_s())) : ""));
}

void Progress::leave(const std::string& what_happened) {
  next(now_s() - began_s_);
  line_.say(fmt::format("[{}/{}] {}: {}", task_, predicted_s_.size(), what_, what_happened));
}

void Progress::next(double spent_s) {
  spent_s_ += spent_s;
  predicted_ended_s_ += predicted_s_[task_];
  began_s_ = now_s();
  pass();
}

void Progress::pass() {
  predicted_left_s_ -= predicted_s_[task_];
  ++task_;
}

double Progress::left_s() const {
  const double pace = predicted_ended_s_ > 0 ? spent_s_ / predicted_ended_s_ : 1;
  return std::max(0.0, predicted_left_s_ * pace - (now_s() - began_s_));
}

}  // namespace regroup
