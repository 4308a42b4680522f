// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/sweep/sweep.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <unordered_set>

#include "jobs/launch/command_line.hpp"
#include "jobs/launch/engine.hpp"
#include "jobs/launch/interrupts.hpp"
#include "jobs/records/columns.hpp"
#include "jobs/records/provenance.hpp"
#include "jobs/results/circumstances.hpp"
#include "jobs/results/lock.hpp"
#include "jobs/results/made_of_results.hpp"
#include "jobs/results/results.hpp"
#include "jobs/selection/order.hpp"
#include "jobs/sweep/execute.hpp"
#include "jobs/sweep/placements.hpp"
#include "jobs/sweep/predict.hpp"
#include "jobs/sweep/progress.hpp"
#include "jobs/sweep/result_files.hpp"
#include "jobs/sweep/simulate_all.hpp"
#include "jobs/sweep/states.hpp"
#include "jobs/words/console.hpp"
#include "jobs/words/describe.hpp"
#include "kernel/files/files.hpp"
#include "kernel/files/user_error.hpp"
#include "kernel/numbers/hash.hpp"

namespace regroup {
namespace {

constexpr int most_in_vain = 3;  // tasks without a result, before as large ones have no chance
constexpr int try_again = 75;    // EX_TEMPFAIL of sysexits.h

class Sweep {
 public:
  Sweep(const Experiment& experiment, const SweepOptions& options)
      : experiment_(experiment),
        options_(options),
        wanted_(selected(experiment, options.which)),
        results_(results_directory(experiment, options), files_of(experiment.kind())),
        placements_(results_, file_of(experiment.kind())) {}

  int run();

 private:
  std::string id(std::size_t place) const { return fingerprint(experiment_.at(place)); }
  void check_request() const;
  bool goes_on() const;
  Places open_results();
  Places to_do() const;
  std::span<const std::size_t> simulated_first(std::span<const std::size_t> places) const;
  void begin_invocation(bool anew);
  bool is_in_vain(int ranks) const;
  std::string command_for_the_rest() const;
  int close(std::size_t done, double seconds) const;

  const Experiment& experiment_;
  const SweepOptions& options_;
  Places wanted_;
  std::optional<Lock> lock_;  // held until the results are closed
  Results results_;
  std::unordered_set<std::uint64_t> chosen_;  // fingerprints, as numbers, once they are needed
  int invocation_ = 0;
  std::set<std::string> warned_;
  Placements placements_;
  std::size_t unsupported_ = 0;
  std::size_t bad_ = 0;
  std::size_t left_ = 0;      // tasks without a result
  std::size_t untried_ = 0;   // of these: on too many ranks
  std::vector<int> in_vain_;  // ranks of the others, since one on as many had a result
};

/// Finds what the user got wrong, before anything is written.
void Sweep::check_request() const {
  if (options_.overwrite && (options_.resume || options_.retry)) {
    throw UserError("--overwrite forgets the results that --resume and --retry keep; give one");
  }
  std::set<std::string_view> engines;  // that launch something
  for (const std::size_t i : wanted_) {
    const std::string_view engine = experiment_.engine(i).name;
    if (engines.contains(engine) || execution(engine).job == nullptr) continue;
    if (execution(engine).lacks(experiment_.at(i)).empty()) engines.insert(engine);
  }
  for (const std::string_view engine : engines) execution(engine).check(experiment_);
}

/// Whether what is there stays. Who asks for one task adds its row.
bool Sweep::goes_on() const {
  return options_.resume || options_.retry || (!options_.overwrite && !options_.which.one.empty());
}

/// Opens the results and answers what is to do. Nothing in them changes before all that can fail
/// has been done.
Places Sweep::open_results() {
  const bool anew = options_.overwrite || !results_.exist();
  if (anew) {
    results_.prepare_anew();
  } else if (goes_on()) {
    results_.prepare_to_resume(
        options_.retry,
        [this](const std::string& run) {
          if (chosen_.empty()) {
            for (const std::size_t place : wanted_) {
              chosen_.insert(hash_from(id(place)).value());
            }
          }
          return chosen_.contains(hash_from(run).value());
        },
        lock_->taken_over());
  } else {
    throw UserError(fmt::format(
        "{} holds results; --resume does what is missing, --retry also what did not end well, "
        "--overwrite starts anew, --out names another directory",
        results_.directory()));
  }
  const Places places = to_do();
  const bool forgives = results_.changes() && !results_.changed().empty();
  if (anew || !places.empty() || forgives) begin_invocation(anew);
  for (const std::string& file : results_.changed()) {
    complain(
        fmt::format("{}: not as it was left; the provenance will say so", results_.path(file)));
  }
  if (const auto stale = made_of_results(results_.directory()); anew && !stale.empty()) {
    complain(fmt::format("{}: {} tell of the results that were there before", results_.directory(),
                         fmt::join(stale, ", ")));
  }
  prepare_states(experiment_, places, results_.path("logs"), options_.states, goes_on());
  results_.install();
  return places;
}

/// Adds this invocation to the provenance.
void Sweep::begin_invocation(bool anew) {
  constexpr const char* file = "provenance.yaml";
  const std::string path = results_.path(file);
  const auto known =
      anew ? std::map<int, Circumstances>{} : read_circumstances(results_.directory());
  const std::set<int> used = results_.invocations();
  invocation_ =
      1 + std::max(known.empty() ? 0 : known.rbegin()->first, used.empty() ? 0 : *used.rbegin());
  const std::string document =
      provenance(experiment_, options_.command, invocation_, results_.changed());
  if (!options_.mixed) {
    check_circumstances(results_, known, circumstances_in(document, path).at(invocation_),
                        invocation_);
  }
  const std::string before = read_file(path).value_or("");
  if (anew) {
    results_.prepare(file, document, before.empty() ? "" : "all that was in it");
  } else {
    results_.prepare(file, before + document, "");
  }
}

Places Sweep::to_do() const {
  Places places = in_order(experiment_, wanted_);
  std::erase_if(places, [&](std::size_t i) { return results_.has(id(i)); });
  return places;
}

/// The first of `places`, as far as this program executes them itself.
std::span<const std::size_t> Sweep::simulated_first(std::span<const std::size_t> places) const {
  const auto end = std::ranges::find_if(places, [&](std::size_t place) {
    return execution(experiment_.engine(place).name).job != nullptr;
  });
  return places.first(static_cast<std::size_t>(end - places.begin()));
}

int Sweep::run() {
  check_request();
  check_kind(results_.directory(), experiment_.kind());
  results_.open_directory();
  lock_.emplace(results_.directory(), options_.break_lock);
  const Places places = open_results();
  const Predicted predicted = predict(experiment_, places);
  tell("{}: {} of {} {} to do, about {}{}; results in {}\n{}", experiment_.name, places.size(),
       experiment_.size(), experiment_.noun(), duration(predicted.sum_s),
       predicted.unknown == 0 ? "" : fmt::format(" ({} of unknown length)", predicted.unknown),
       results_.directory(), left_out_note(experiment_.left_out(), experiment_.noun()));

  Progress progress(predicted.each_s);
  const auto began = std::chrono::steady_clock::now();
  std::size_t done = 0;
  const auto keep = [&](const Report& report) {
    results_.add(report.lines, invocation_);
    progress.end(report);
    if (!report.warning.empty() && warned_.insert(report.warning).second) complain(report.warning);
    ++done;
    if (report.ended.status == Status::unsupported) {
      ++unsupported_;
    } else if (report.ended.status != Status::ok) {
      ++bad_;
    }
  };
  while (done + left_ < places.size() && !interrupted()) {
    const auto batch = simulated_first(std::span(places).subspan(done + left_));
    if (batch.empty()) {
      const Scenario task = experiment_.at(places[done + left_]);
      if (is_in_vain(task.ranks)) {
        progress.pass();
        ++left_;
        ++untried_;
        continue;
      }
      progress.begin(describe(task));
      const Executed executed = execute(experiment_, task, results_.path("logs"),
                                        [&](const std::string& news) { progress.tick(news); });
      if (executed.report) {
        std::erase_if(in_vain_, [&](int ranks) { return ranks <= task.ranks; });
        placements_.keep(task, executed.report->place);
        keep(*executed.report);
      } else if (!executed.no_result.empty()) {
        progress.leave(executed.no_result);
        in_vain_.push_back(task.ranks);
        ++left_;
      }
      continue;
    }
    simulate_all({batch.size(), [&](std::size_t i) { return experiment_.at(batch[i]); },
                  [&](std::size_t i) { return experiment_.ranks(batch[i]); }},
                 [&](Record record) {
                   record.events = event_detail(experiment_.events, record.task.ranks);
                   progress.begin(describe(record.task));
                   keep(report_of(record));
                   return !interrupted();
                 });
  }
  results_.close();
  return close(done,
               std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
}

/// Whether the machine has no room for so many ranks, for all that is known: it may for fewer.
bool Sweep::is_in_vain(int ranks) const {
  return std::ranges::count_if(in_vain_, [&](int fewer) { return fewer <= ranks; }) >= most_in_vain;
}

/// The command line, as for a shell, that does what an interrupt left undone.
std::string Sweep::command_for_the_rest() const {
  if (!options_.rest.empty()) return options_.rest;
  std::string line = fmt::format("{} {} {}", quoted(this_program().filename()), experiment_.kind(),
                                 quoted(experiment_.file));
  for (const std::string& change : experiment_.changes) line += " --set " + quoted(change);
  if (!options_.directory.empty()) line += " --out " + quoted(options_.directory);
  line += options_of(options_.which);
  if (options_.mixed) line += " --mixed";
  return line + (options_.retry ? " --retry" : " --resume");
}

int Sweep::close(std::size_t done, double seconds) const {
  if (interrupted()) {
    tell("\ninterrupted after {} {}; this does the rest:\n{}\n", done, experiment_.noun(),
         command_for_the_rest());
    return 130;
  }
  if (left_ > 0) {
    tell("{} {} without a result{}, which says nothing of them; this does them:\n{}\n", left_,
         experiment_.noun(), untried_ > 0 ? fmt::format(", {} of them not tried", untried_) : "",
         command_for_the_rest());
    return try_again;
  }
  tell("{} {} in {}", done, experiment_.noun(), duration(seconds));
  if (unsupported_ > 0) tell(", {} of them unsupported", unsupported_);
  if (bad_ > 0) {
    tell("; {} did not end well: see status and message in {}, output in {}\n", bad_,
         results_.path(file_of(experiment_.kind())), results_.path("logs"));
    return 1;
  }
  tell(", {} ok\n", unsupported_ > 0 ? "the others" : "all");
  return 0;
}

}  // namespace

std::string results_directory(const Configuration& configuration, const SweepOptions& options) {
  const bool usual = options.directory.empty();
  return (usual ? "results/" + configuration.name : options.directory) +
         place_of_shard(options.which);
}

int run_sweep(const Experiment& experiment, const SweepOptions& options) {
  catch_interrupts();
  return Sweep(experiment, options).run();
}

}  // namespace regroup
