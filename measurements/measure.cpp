// SPDX-License-Identifier: BSD-3-Clause
#include "measurements/measure.hpp"

#include <dlfcn.h>

#include <utility>
#include <vector>

#include "engines/mpi/collect.hpp"
#include "engines/mpi/shared_clock.hpp"
#include "engines/mpi/surroundings.hpp"
#include "kernel/numbers/statistics.hpp"

namespace regroup {

Outcome measure(const Measurement& measurement, Seeds seeds, const std::string& waiting,
                const std::function<void()>& on_start, MPI_Comm world) {
  const double began = MPI_Wtime();
  if (measurement.strategy != nullptr) maker(*measurement.strategy);  // throws if it has none
  Surroundings found = look_around(waiting, world);
  int ranks = 0;
  MPI_Comm_size(world, &ranks);
  const Waiter waiter(found.how, ranks);
  SharedClock clock(world, waiter, found.simulated ? simulated_clock() : own_clock());
  Site site(world, waiter);
  make_first_contact(site);
  waiter.blocking([&] { clock.start_together(); });
  if (on_start && site.rank() == 0) on_start();

  Outcome outcome;
  outcome.library = found.library;
  outcome.place = std::move(found.place);
  outcome.waiting = found.waiting_name();
  outcome.setup_s = MPI_Wtime() - began;
  Bench bench(measurement, seeds, site, clock);
  Findings findings = measurement.kind->measure(bench);
  outcome.figures = std::move(findings.figures);
  outcome.figures.merge(figures_of(*measurement.kind, findings.samples));
  outcome.samples = kept_of(std::move(findings.samples));
  clock.look_again();  // measures the drift
  if (clock.has_other_hosts()) {
    waiter.blocking([&] { outcome.clock_error_us = worst(clock.error(), world) * 1e6; });
  }
  return outcome;
}

namespace {

/// Returns the name of a time without its unit: "create" for "create_s".
std::string stem_of(const SampledTime& time) {
  return std::string(time.name.substr(0, time.name.size() - 2));
}

void add_figures(Figures& figures, const SampledTime& time, const std::vector<Sample>& samples) {
  std::vector<double> values;
  for (const Sample& sample : samples) values.push_back(sample.value_s);
  const Dispersion spread = dispersion_of(std::move(values));
  switch (time.becomes) {
    case Becomes::summary:
      return add(figures, stem_of(time), spread);
    case Becomes::interval:
      add(figures, stem_of(time), spread.interval);
      [[fallthrough]];
    case Becomes::median:
      figures[std::string(time.name)] = spread.median_s;
      return;
    case Becomes::none:
      return;
  }
}

void add_columns(std::vector<NamedFigure>& figures, const SampledTime& time) {
  const auto column = [&](const char* end, std::string_view help) {
    figures.push_back({stem_of(time) + end, std::string(help), false});
  };
  const std::string help(time.help);
  if (time.becomes == Becomes::none) return;
  if (time.becomes == Becomes::summary) {
    column("_min_s", help + ": smallest sample");
    column("_median_s", "… median of the samples");
  } else {
    column("_s", help + ": median of the samples");
  }
  if (time.becomes == Becomes::median) return;
  column("_low_s", "… lower end of the 95 % confidence interval of the median");
  column("_high_s", "… upper end");
}

}  // namespace

std::vector<NamedFigure> figures_of(const MeasurementKind& kind) {
  std::vector<NamedFigure> figures;
  for (const SampledTime& time : kind.times) add_columns(figures, time);
  for (const Figure& figure : kind.figures) {
    figures.push_back({std::string(figure.name), std::string(figure.help), figure.is_count});
  }
  return figures;
}

Figures figures_of(const MeasurementKind& kind, const Samples& samples) {
  Figures figures;
  for (const SampledTime& time : kind.times) {
    const auto found = samples.find(std::string(time.name));
    if (found != samples.end() && !found->second.empty()) add_figures(figures, time, found->second);
  }
  if (kind.derive != nullptr) figures.merge(kind.derive(samples));
  return figures;
}

Samples kept_of(Samples samples) {
  for (auto& [name, all] : samples) {
    const auto every = static_cast<std::int64_t>((all.size() + most_kept - 1) / most_kept);
    std::erase_if(all, [&](const Sample& sample) { return (sample.number - 1) % every != 0; });
  }
  return samples;
}

namespace {

/// Calls the counting function `name` of this program or of a preloaded library, if it exists.
std::optional<MessageCount> counts_of(const char* name) {
  const auto count = reinterpret_cast<void (*)(long long*, long long*)>(dlsym(RTLD_DEFAULT, name));
  if (count == nullptr) return {};
  MessageCount sent;
  count(&sent.messages, &sent.bytes);
  return sent;
}

}  // namespace

std::optional<MessageCount> profiled_messages() { return counts_of("regroup_profiled_messages"); }
std::optional<MessageCount> transport_messages() { return counts_of("regroup_transport_messages"); }

std::optional<long long> profiled_constructors() {
  const auto count =
      reinterpret_cast<long long (*)()>(dlsym(RTLD_DEFAULT, "regroup_profiled_constructors"));
  return count == nullptr ? std::nullopt : std::optional(count());
}

}  // namespace regroup
