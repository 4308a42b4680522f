// SPDX-License-Identifier: BSD-3-Clause
#include "engines/mpi/shared_clock.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <utility>

#include "engines/mpi/tags.hpp"
#include "kernel/clocks/clock.hpp"
#include "kernel/clocks/sleep.hpp"
#include "regroup/range.hpp"

namespace regroup {
namespace {

/// Returns the boot ID, or the name of the processor if the system has none.
std::string boot_id() {
  std::string id;
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  if (std::getline(file, id) && !id.empty()) return id;
  std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
  int length = 0;
  MPI_Get_processor_name(name.data(), &length);
  return name.data();
}

/// Returns the time namespace; empty if the system has none.
std::string time_namespace() {
  std::array<char, 64> name{};
  const auto length = readlink("/proc/self/ns/time", name.data(), name.size());
  return {name.data(), static_cast<std::size_t>(length < 0 ? 0 : length)};
}

}  // namespace

HostClock own_clock() {
  return {boot_id() + ' ' + time_namespace(), [] { return read_clock(CLOCK_MONOTONIC); }};
}

HostClock simulated_clock() {
  return {"", [] { return MPI_Wtime(); }};
}

/// A message of a leader: a request for the time or, at the end, the result.
struct SharedClock::Question {
  bool is_last = false;
  ClockReading found;
};

SharedClock::SharedClock(MPI_Comm world, const Waiter& waiter, HostClock own)
    : world_(world), waiter_(waiter), own_(std::move(own)) {
  MPI_Comm_rank(world, &rank_);
  MPI_Comm_size(world, &ranks_);
  if (own_.is_everybodys()) return;
  waiter_.blocking([&] { find_leaders(); });
  look_again();
}

/// The first rank of each host is its leader.
void SharedClock::find_leaders() {
  std::array<char, 128> own{};
  own_.host.copy(own.data(), own.size() - 1);
  const int size = static_cast<int>(own.size());
  const auto ranks = static_cast<std::size_t>(rank_ == 0 ? ranks_ : 0);
  std::vector<decltype(own)> hosts(ranks);
  MPI_Gather(own.data(), size, MPI_CHAR, hosts.data(), size, MPI_CHAR, 0, world_);
  std::map<decltype(own), int> first;
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    leaders_.push_back(first.try_emplace(hosts[i], static_cast<int>(i)).first->second);
  }
  std::vector<std::array<int, 2>> parts(ranks);
  for (std::size_t i = 0; i < parts.size(); ++i) parts[i] = {leaders_[i], first.size() > 1 ? 1 : 0};
  std::array<int, 2> part{};
  MPI_Scatter(parts.data(), 2, MPI_INT, part.data(), 2, MPI_INT, 0, world_);
  leader_ = part[0];
  other_hosts_ = part[1] != 0;
}

void SharedClock::look_again() {
  if (!other_hosts_) return;
  const double began = own_.read();
  // Ranks that take no part in an exchange sleep, whatever the option `waiting`, since the other
  // two need their cores and the resources that cores share.
  const Waiter asleep = Waiter(Waiting::polite, ranks_).patient();
  std::vector<ClockReading> all(leaders_.size());
  if (rank_ == 0) all[0].at = own_.read();
  for (std::size_t i = 1; i < all.size(); ++i) {
    const int leader = leaders_[i];
    all[i] = leader == static_cast<int>(i) ? serve(leader) : all[static_cast<std::size_t>(leader)];
  }
  if (rank_ == leader_ && rank_ != 0) {
    MPI_Request turn = MPI_REQUEST_NULL;
    MPI_Irecv(nullptr, 0, MPI_BYTE, 0, tag_clock, world_, &turn);
    asleep.wait(turn);
    find_offset();
  }
  ClockReading found;
  MPI_Request scattered = MPI_REQUEST_NULL;
  MPI_Iscatter(all.data(), sizeof found, MPI_BYTE, &found, sizeof found, MPI_BYTE, 0, world_,
               &scattered);
  asleep.wait(scattered);
  offset_.add(found);
  looked_ = own_.read();
  look_took_ = looked_ - began;
}

ClockReading SharedClock::serve(int leader) const {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Isend(nullptr, 0, MPI_BYTE, leader, tag_clock, world_, &request);
  waiter_.wait(request);
  while (true) {
    Question question;
    MPI_Irecv(&question, sizeof question, MPI_BYTE, leader, tag_clock, world_, &request);
    wait_alert(request);
    const double time = own_.read();
    if (question.is_last) return question.found;
    MPI_Isend(&time, 1, MPI_DOUBLE, leader, tag_clock, world_, &request);
    wait_alert(request);
  }
}

void SharedClock::find_offset() const {
  Exchanges exchanges;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Request answer = MPI_REQUEST_NULL;
  while (!exchanges.enough()) {
    double there = 0;
    const Question question;
    MPI_Irecv(&there, 1, MPI_DOUBLE, 0, tag_clock, world_, &answer);
    const double sent = own_.read();
    MPI_Isend(&question, sizeof question, MPI_BYTE, 0, tag_clock, world_, &request);
    wait_alert(answer);
    exchanges.add(sent, there, own_.read());
    waiter_.wait(request);
  }
  const Question last{true, exchanges.best()};
  MPI_Isend(&last, sizeof last, MPI_BYTE, 0, tag_clock, world_, &request);
  waiter_.wait(request);
}

/// Waits without naps and without yielding at first, as both take longer than an exchange. Later
/// yields the core, because the other side may need it.
void SharedClock::wait_alert(MPI_Request& request) const {
  constexpr double alone_s = 100e-6;
  constexpr double yielding_s = 1e-3;
  const double began = read_clock(CLOCK_MONOTONIC);
  int done = 0;
  while (true) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done != 0) return;
    const double took = read_clock(CLOCK_MONOTONIC) - began;
    if (took > yielding_s) break;
    if (took > alone_s) sched_yield();
  }
  waiter_.wait(request);
}

double SharedClock::now() const {
  const double time = own_.read();
  return time + offset_.predicted(time) - start_;
}

double SharedClock::settled(double time) const {
  if (!other_hosts_ || time <= 0) return time;  // all ranks agree on the start
  const double own = time + start_ - offset_.first().offset;
  return std::max(0.0, own + offset_.between(own) - start_);
}

bool SharedClock::is_due() const {
  constexpr double drift_matters_s = 0.25;
  constexpr double part_of_time = 20;  // readings take at most 1/20 of the time
  return own_.read() - looked_ > std::max(drift_matters_s, part_of_time * look_took_);
}

void SharedClock::start_together() {
  // Long enough for the broadcast to reach all ranks, even if many share a core.
  const double ahead = 0.010 + 0.0005 * std::min(ranks_, 1000);
  MPI_Barrier(world_);
  start_ = 0;
  start_ = now() + ahead;
  MPI_Bcast(&start_, 1, MPI_DOUBLE, 0, world_);
  if (const double left = -now(); left > 0) sleep_for(left);
}

void SharedClock::start_at_once(Site& world) {
  start_ = 0;
  start_ = now();
  bcast(&start_, 1, MPI_DOUBLE, 0, world.all());
}

namespace {

/// Called right after a barrier.
void look_again_where_due(Site& world, SharedClock& clock) {
  if (!clock.has_other_hosts()) return;
  int due = world.rank() == 0 && clock.is_due() ? 1 : 0;
  bcast(&due, 1, MPI_INT, 0, world.all());
  if (due == 0) return;
  clock.look_again();
  barrier(world.all());
}

}  // namespace

double common_start(Site& world, SharedClock& clock) {
  // Long enough for the broadcast to reach all ranks, even if many share a core.
  const double ahead = 0.001 + 0.00005 * std::min(world.size(), 1000);
  barrier(world.all());
  look_again_where_due(world, clock);
  double start = clock.now() + ahead;
  bcast(&start, 1, MPI_DOUBLE, 0, world.all());
  if (const double left = start - clock.now(); left > 0) sleep_for(left);
  return start;
}

}  // namespace regroup
