// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/measurement/sampled.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "kernel/numbers/spread.hpp"

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
  const Spread part = spread_of(parts);
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
  const Spread spread_of_it = spread_of(values_of(found->second));
  const std::string name(time.name.substr(0, time.name.size() - 2));
  if (time.becomes == spread) {
    add(figures, name, spread_of_it);
    return figures;
  }
  figures[std::string(time.name)] = spread_of_it.median_s;
  if (time.becomes == interval) add(figures, name, spread_of_it.interval);
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

}  // namespace regroup
