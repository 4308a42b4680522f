// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/mpi/measurement/samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "communicators/range/collectives.hpp"
#include "kernel/items/sleep.hpp"
#include "kernel/measurement/sampled.hpp"
#include "kernel/mpi/stage/common_start.hpp"
#include "kernel/mpi/stage/tags.hpp"

namespace regroup {

std::vector<double> largest_of_all(const std::vector<double>& numbers, Site& world) {
  std::vector<double> result(numbers.size());
  const int count = static_cast<int>(numbers.size());
  allreduce(numbers.data(), result.data(), count, MPI_DOUBLE, MPI_MAX, world.all());
  return result;
}

std::vector<Sample> of_the_slowest(std::vector<Sample> samples, Site& world) {
  std::vector<double> values;
  for (const Sample& sample : samples) values.push_back(sample.value_s);
  values = largest_of_all(values, world);
  for (std::size_t i = 0; i < samples.size(); ++i) samples[i].value_s = values[i];
  return samples;
}

GroupComm make_communicator(const Bench& bench, const Members& members) {
  const bool is_member = members.place_of(bench.world.rank()) >= 0;
  GroupComm comm;
  if (!is_member && bench.subject.strategy.caller != Caller::parent) return comm;
  bench.world.waiter().blocking([&] {
    comm = bench.subject.make(bench.world, is_member ? members : Members(), tag_communicator);
  });
  if (is_member && comm.size() != members.size()) {
    throw std::runtime_error(
        fmt::format("the communicator has {} ranks instead of {}", comm.size(), members.size()));
  }
  return comm;
}

std::vector<Sample> time_samples(const Bench& bench, int samples, bool is_member,
                                 const std::function<void()>& act) {
  // Ends `window_s` after the start at the earliest.
  double start = 0;
  const auto sample = [&](double window_s) {
    start = common_start(bench.world, bench.clock);
    act();
    const double took = bench.clock.now() - start;
    if (took < window_s) sleep_for(window_s - took);
    return is_member ? took : 0;
  };
  double longest = 0;
  for (int i = 0; i < warm_ups; ++i) {
    longest = std::max(longest, largest_of_all({sample(0)}, bench.world).front());
  }
  std::vector<Sample> own;
  for (int i = 0; i < samples; ++i) {
    const double took = sample(2 * longest);
    add(own, start, took);
  }
  return of_the_slowest(std::move(own), bench.world);
}

}  // namespace regroup
