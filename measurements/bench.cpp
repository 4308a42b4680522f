// SPDX-License-Identifier: BSD-3-Clause
#include "regroup/bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "engines/mpi/shared_clock.hpp"
#include "engines/mpi/tags.hpp"
#include "kernel/clocks/sleep.hpp"
#include "regroup/range.hpp"

namespace regroup {

static_assert(Bench::communicator_tag == tag_communicator);

GroupComm Bench::communicator(const Members& members) const {
  const bool joins = members.index_of(rank()) >= 0;
  GroupComm comm;
  if (!joins && strategy().caller != Caller::parent) return comm;
  world_.waiter().blocking([&] { comm = form(joins ? members : Members()); });
  if (joins && comm.size() != members.size()) {
    throw std::runtime_error(
        fmt::format("the communicator has {} ranks instead of {}", comm.size(), members.size()));
  }
  return comm;
}

void Bench::free(GroupComm& comm) const {
  world_.waiter().blocking([&] { comm = {}; });
}

void Bench::free(std::vector<GroupComm>& comms) const {
  world_.waiter().blocking([&] { comms.clear(); });
}

double Bench::now() const { return clock_.now(); }

void Bench::sleep_until(double time) const {
  if (const double left = time - now(); left > 0) sleep_for(left);
}

double Bench::largest(double value) const { return largest(std::vector{value}).front(); }

namespace {

std::vector<double> reduced(const std::vector<double>& values, MPI_Op operation, Site& world) {
  std::vector<double> result(values.size());
  allreduce(values.data(), result.data(), static_cast<int>(values.size()), MPI_DOUBLE, operation,
            world.all());
  return result;
}

}  // namespace

std::vector<double> Bench::largest(const std::vector<double>& values) const {
  return reduced(values, MPI_MAX, world_);
}

std::vector<double> Bench::sums(const std::vector<double>& values) const {
  return reduced(values, MPI_SUM, world_);
}

Sample Bench::once(double window_s, const Act& act) const {
  const double start = common_start(world_, clock_);
  const double value_s = act(start);
  sleep_until(start + window_s);
  return {1, start, value_s};
}

std::vector<Sample> Bench::own(int samples, double window_s, const Act& act) const {
  std::vector<Sample> own;
  for (int i = 0; i < samples; ++i) own.push_back(once(window_s, act));
  return own;
}

std::vector<Sample> Bench::take(int samples, double window_s, const Act& act) const {
  return slowest(own(samples, window_s, act));
}

namespace {

std::vector<double> values_of(const std::vector<Sample>& samples) {
  std::vector<double> values;
  for (const Sample& sample : samples) values.push_back(sample.value_s);
  return values;
}

/// Returns `samples`, numbered, with other values.
std::vector<Sample> with_values(std::vector<Sample> samples, const std::vector<double>& values) {
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i].number = static_cast<std::int64_t>(i) + 1;
    samples[i].value_s = values[i];
  }
  return samples;
}

}  // namespace

std::vector<Sample> Bench::slowest(std::vector<Sample> samples) const {
  const std::vector<double> values = largest(values_of(samples));
  return with_values(std::move(samples), values);
}

std::vector<Sample> Bench::own_durations(int samples, bool counts,
                                         const std::function<void()>& act) const {
  const Act timed = [&](double start) {
    act();
    const double took = now() - start;
    return counts ? took : 0;
  };
  double window_s = 0;
  for (int i = 0; i < warm_ups; ++i) {
    window_s = std::max(window_s, 2 * largest(once(0, timed).value_s));
  }
  return own(samples, window_s, timed);
}

Bench::Durations Bench::durations(int samples, bool counts,
                                  const std::function<void()>& act) const {
  const std::vector<Sample> all = own_durations(samples, counts, act);
  std::vector<double> values = values_of(all);
  std::vector<double> means = sums(values);
  const double ranks = sum(counts ? 1 : 0);
  for (double& mean : means) mean /= ranks;
  const std::vector<double> most = largest(values);
  // Ranks that do not count are never the fastest.
  for (double& value : values) value = counts ? -value : -std::numeric_limits<double>::infinity();
  std::vector<double> least = largest(values);
  for (double& value : least) value = -value;
  return {with_values(all, least), with_values(all, means), with_values(all, most)};
}

std::vector<Sample> Bench::time(int samples, bool counts, const std::function<void()>& act) const {
  return slowest(own_durations(samples, counts, act));
}

}  // namespace regroup
