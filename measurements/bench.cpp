// SPDX-License-Identifier: BSD-3-Clause
#include "measurements/bench.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

#include "engines/mpi/collect.hpp"
#include "engines/mpi/shared_clock.hpp"
#include "engines/mpi/surroundings.hpp"
#include "engines/mpi/tags.hpp"
#include "kernel/clocks/sleep.hpp"
#include "kernel/numbers/statistics.hpp"
#include "regroup/range.hpp"

namespace regroup {
namespace {

using enum Becomes;

constexpr std::array times{
    SampledTime{"create_s", "`creation`: time to create, largest over the members", spread},
    SampledTime{"free_s", "`creation`: time to free, largest over the members", spread},
    SampledTime{"bystander_s",
                "`creation`: what a rank outside loses by one creation, mean over these ranks; as "
                "it is a difference, it may be below 0",
                interval, true},
    SampledTime{"busy_create_s", "`creation`: time to create while the others execute items",
                middle},
    SampledTime{"late_create_s",
                "`creation`: time to create with one late member, minus its delay; likewise",
                middle, true},
    SampledTime{"in_flight_s", "`creation`: time to create as many as `in_flight` says at once",
                interval},
    SampledTime{"in_flight_work_s", "… of the work alone that is to hide it", only_hidden},
    SampledTime{"in_flight_both_s",
                "… of both side by side: `hidden_fraction` is what that takes less than one after "
                "the other",
                only_hidden},
    SampledTime{"time_s",
                "`collectives`: time of the operations in a row; `items`: of an item; `sort`: to "
                "sort",
                spread},
    SampledTime{"look_for_request_s", "`steps`: a leader looks for a request that is not there",
                middle},
    SampledTime{"message_s", "`steps`: a message reaches a leader that waits", middle},
    SampledTime{
        "tell_members_s",
        "`steps`: what an item takes longer because the leader orders it; it may be below 0",
        middle, true},
    SampledTime{"exchange_loads_s", "`steps`: loads are exchanged among the leaders of all groups",
                middle},
    SampledTime{"creation_s",
                "`sort`: time that a rank spends in making communicators, largest over the ranks",
                middle},
};

std::vector<double> values_of(const std::vector<Sample>& samples) {
  std::vector<double> values;
  for (const Sample& sample : samples) values.push_back(sample.value_s);
  return values;
}

/// What part of the creations' own time work hides, sample by sample.
std::map<std::string, double> hidden_in(const Samples& samples) {
  const auto alone = samples.find("in_flight_s");
  const auto work = samples.find("in_flight_work_s");
  const auto both = samples.find("in_flight_both_s");
  if (alone == samples.end() || work == samples.end() || both == samples.end()) return {};
  std::vector<double> parts;
  const std::size_t number =
      std::min({alone->second.size(), work->second.size(), both->second.size()});
  for (std::size_t i = 0; i < number; ++i) {
    const double own = alone->second[i].value_s;
    parts.push_back((own + work->second[i].value_s - both->second[i].value_s) / own);
  }
  if (parts.empty()) return {};
  const Dispersion part = dispersion_of(parts);
  std::map<std::string, double> figures{{"hidden_fraction", part.median_s}};
  if (part.interval) {
    figures["hidden_fraction_low"] = part.interval->low_s;
    figures["hidden_fraction_high"] = part.interval->high_s;
  }
  return figures;
}

}  // namespace

std::span<const SampledTime> sampled_times() { return times; }

std::map<std::string, double> figures_of(const SampledTime& time, const Samples& samples) {
  std::map<std::string, double> figures;
  const auto found = samples.find(std::string(time.name));
  if (found == samples.end() || found->second.empty()) return figures;
  if (time.name == "in_flight_both_s") return hidden_in(samples);
  if (time.becomes == only_hidden) return figures;
  const Dispersion dispersion_of_it = dispersion_of(values_of(found->second));
  const std::string name(time.name.substr(0, time.name.size() - 2));
  if (time.becomes == spread) {
    add(figures, name, dispersion_of_it);
    return figures;
  }
  figures[std::string(time.name)] = dispersion_of_it.median_s;
  if (time.becomes == interval) add(figures, name, dispersion_of_it.interval);
  return figures;
}

std::map<std::string, double> figures_of(const Samples& samples) {
  std::map<std::string, double> figures;
  for (const SampledTime& time : times) figures.merge(figures_of(time, samples));
  return figures;
}

bool comes_of_samples(std::string_view figure) {
  static const std::map<std::string, double> all = [] {
    Samples samples;
    for (const SampledTime& time : times) {
      for (int i = 0; i < fewest_samples; ++i) add(samples[std::string(time.name)], 0, 1);
    }
    return figures_of(samples);
  }();
  return all.contains(std::string(figure));
}

void add(std::vector<Sample>& samples, double began_s, double value_s) {
  samples.push_back({static_cast<std::int64_t>(samples.size()) + 1, began_s, value_s});
}

std::size_t kept_every(std::size_t samples) {
  return std::max<std::size_t>(1, (samples + most_kept - 1) / most_kept);
}

std::size_t kept_of(std::size_t samples) {
  const std::size_t every = kept_every(samples);
  return (samples + every - 1) / every;
}

Samples kept_of(Samples samples) {
  for (auto& [name, all] : samples) {
    const auto every = static_cast<std::int64_t>(kept_every(all.size()));
    std::erase_if(all, [&](const Sample& sample) { return (sample.number - 1) % every != 0; });
  }
  return samples;
}

Outcome measure(const Subject& subject, MPI_Comm world) {
  const double began = MPI_Wtime();
  int ranks = 0;
  MPI_Comm_size(world, &ranks);
  if (ranks != subject.ranks) {
    throw std::invalid_argument(fmt::format(
        "the measurement wants {} ranks and was launched with {}", subject.ranks, ranks));
  }
  Surroundings found = look_around(subject.waiting, world);
  const Waiter waiter(found.how, ranks);
  SharedClock clock(world, waiter, found.simulated ? simulated_clock() : own_clock());
  Site parent(world, waiter);
  make_first_contact(parent);
  waiter.blocking([&] { clock.start_together(); });
  if (subject.on_start && parent.rank() == 0) subject.on_start();

  Outcome outcome;
  outcome.library = found.library;
  outcome.place = std::move(found.place);
  outcome.waiting = found.waiting_name();
  outcome.setup_s = MPI_Wtime() - began;
  Findings findings = subject.find({subject, parent, clock});
  outcome.figures = std::move(findings.figures);
  outcome.figures.merge(figures_of(findings.samples));
  outcome.samples = kept_of(std::move(findings.samples));
  clock.look_again();  // which tells how wrong it had become
  if (clock.has_other_hosts()) {
    waiter.blocking([&] { outcome.clock_error_us = worst(clock.error(), world) * 1e6; });
  }
  return outcome;
}

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
  const bool is_member = members.index_of(bench.world.rank()) >= 0;
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

namespace {

/// What the counting function `name` of this program or of a preloaded library tells.
std::optional<MessageCount> ask(const char* name) {
  const auto count = reinterpret_cast<void (*)(long long*, long long*)>(dlsym(RTLD_DEFAULT, name));
  if (count == nullptr) return {};
  MessageCount sent;
  count(&sent.messages, &sent.bytes);
  return sent;
}

}  // namespace

std::optional<long long> profiled_constructors() {
  const auto count =
      reinterpret_cast<long long (*)()>(dlsym(RTLD_DEFAULT, "regroup_profiled_constructors"));
  return count == nullptr ? std::nullopt : std::optional(count());
}

std::optional<MessageCount> profiled_messages() { return ask("regroup_profiled_messages"); }
std::optional<MessageCount> transport_messages() { return ask("regroup_transport_messages"); }

}  // namespace regroup
