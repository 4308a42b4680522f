// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/advice/trials.hpp"

#include <fmt/format.h>

#include "jobs/catalog/resolve.hpp"
#include "jobs/sweep/simulate_all.hpp"
#include "kernel/numbers/spread.hpp"

namespace regroup {
namespace {

Scenario with_stream(Scenario run, const std::pair<std::uint64_t, int>& stream) {
  run.seed = stream.first;
  run.repetition = stream.second;
  return run;
}

/// What `of` says of the run and the items of each stream.
template <class Of>
std::vector<double> of_streams(const Problem& problem, Of of) {
  std::vector<double> all;
  for (const auto& stream : problem.streams) {
    const Scenario run = with_stream(problem.run, stream);
    all.push_back(of(run, initial_items(run)));
  }
  return all;
}

}  // namespace

double Trial::makespan_s() const { return median(makespans_s); }

double Trial::over(const std::vector<double>& times_s) const {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < makespans_s.size(); ++i) {
    // Where nobody has anything to do, everybody is as fast as can be.
    ratios.push_back(times_s[i] > 0 ? makespans_s[i] / times_s[i] : 1);
  }
  return median(ratios);
}

std::vector<Trial> try_all(const Problem& problem, std::span<const Entrant> entrants, double factor,
                           const std::function<void(std::size_t, std::size_t)>& progress) {
  std::vector<std::pair<std::size_t, std::size_t>> runs;  // entrant, stream
  for (std::size_t i = 0; i < entrants.size(); ++i) {
    const std::size_t streams =
        draws(run_by(entrants[i], problem.run)) ? problem.streams.size() : 1;
    for (std::size_t stream = 0; stream < streams; ++stream) runs.emplace_back(i, stream);
  }
  const Runs all{.number = runs.size(),
                 .at =
                     [&](std::size_t i) {
                       const auto [entrant, stream] = runs[i];
                       return with_stream(run_by(entrants[entrant], problem.run),
                                          problem.streams[stream]);
                     },
                 .ranks = [&](std::size_t) { return problem.run.ranks; },
                 .costs =
                     [&](std::size_t i) {
                       return entrants[runs[i].first].costs.with_dearer_creation(factor);
                     }};
  std::vector<Trial> trials(entrants.size());
  std::size_t done = 0;
  simulate_all(all, [&](const Record& record) {
    Trial& trial = trials[runs[done++].first];
    if (record.outcome) {
      trial.makespans_s.push_back(record.outcome->makespan_s());
    } else {
      trial.failure = record.message;
    }
    if (progress) progress(done, runs.size());
    return true;
  });
  return trials;
}

std::vector<double> ideals_s(const Problem& problem) {
  return of_streams(problem,
                    [](const Scenario& run, const auto& items) { return ideal_s(run, items); });
}

std::vector<double> bounds_s(const Problem& problem) {
  return of_streams(problem,
                    [](const Scenario& run, const auto& items) { return bound_s(run, items); });
}

}  // namespace regroup
