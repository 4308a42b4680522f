// SPDX-License-Identifier: BSD-3-Clause
#include "driver/execute/sweep.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "driver/config/experiment.hpp"
#include "driver/config/selection.hpp"
#include "driver/execute/engines.hpp"
#include "driver/execute/execute.hpp"
#include "driver/execute/launch.hpp"
#include "driver/execute/predict.hpp"
#include "driver/execute/simulate_all.hpp"
#include "driver/store/columns.hpp"
#include "driver/store/provenance.hpp"
#include "driver/store/record.hpp"
#include "driver/store/result_files.hpp"
#include "driver/store/results.hpp"
#include "kernel/files/files.hpp"
#include "kernel/text/plain_text.hpp"
#include "kernel/text/terminal.hpp"
#include "library/describe.hpp"
#include "library/resolve.hpp"
#include "library/task.hpp"
#include "regroup/numbers.hpp"

namespace regroup {
namespace {

/// The placements of the rows of a table, for each number of ranks and how they were asked to lie:
/// times of several are not times of one thing.
class Placements {
 public:
  /// `table`: a file of `results`, which outlive this.
  Placements(Results& results, std::string table) : results_(results), table_(std::move(table)) {}

  /// A row of `task` at `place` comes next: keeps the file of the place. Where rows of such ranks
  /// are of several places then, it says so, once.
  void keep(const Scenario& task, const PlaceFile& place);

 private:
  using Known = std::map<std::string, std::set<std::string>>;  // by how_asked()
  Known read() const;

  Results& results_;
  std::string table_;
  std::optional<Known> known_;  // once there is a place
  bool said_ = false;
};

/// Names what tasks have in common that shall be at one place.
std::string how_asked(const std::string& ranks, const std::string& ranks_per_node,
                      const std::string& order, const std::string& seed) {
  return fmt::format("{} {} {} {}", ranks, ranks_per_node, order, order == "random" ? seed : "");
}

Placements::Known Placements::read() const {
  Known known;
  CsvReader reader(results_.path(table_));
  const Scenario usual;
  while (reader.next()) {
    const CsvRow row = reader.row();
    const auto text = [&](std::string_view column, const std::string& older) {
      return row.has(column) ? row[column] : older;
    };
    const std::string placement = row["placement"];
    if (!placement.empty()) {
      known[how_asked(row["ranks"], text("ranks_per_node", std::to_string(usual.ranks_per_node)),
                      text("rank_order", usual.order), row["seed"])]
          .insert(placement);
    }
  }
  return known;
}

void Placements::keep(const Scenario& task, const PlaceFile& place) {
  if (place.placement.empty()) return;
  if (!known_) known_ = read();
  std::set<std::string>& places =
      (*known_)[how_asked(std::to_string(task.ranks), std::to_string(task.ranks_per_node),
                          task.order, std::to_string(task.seed))];
  const std::string other = places.empty() ? "" : *places.begin();
  if (places.insert(place.placement).second && !other.empty() && !said_) {
    said_ = true;
    print_error(fmt::format(
        "{} ranks are at another place than in rows before: see {} and {} in {}; tables and plots "
        "keep them apart",
        task.ranks, place_file_name(other), place_file_name(place.placement),
        results_.directory()));
  }
  results_.keep(place_file_name(place.placement), place.text);
}

/// Before the runs at `places` of `experiment` begin, makes what they go on from: what was written
/// of them before, where they are `resumed`, else the states in the directory `given`, or nothing.
/// Throws UserError where that is damaged or of other chains; then nothing has changed.
void prepare_states(const Experiment& experiment, std::span<const std::size_t> places,
                    const std::string& logs, const std::string& given, bool resumed);

namespace fs = std::filesystem;

bool has_states(const std::string& directory) {
  std::error_code none;
  return fs::is_directory(directory, none) && !fs::is_empty(directory, none);
}

void prepare_states(const Experiment& experiment, std::span<const std::size_t> places,
                    const std::string& logs, const std::string& given, bool resumed) {
  if (!given.empty() && !has_states(given)) {
    throw UserError(fmt::format("--states {}: there are none", given));
  }
  if (!experiment.writes_states()) places = {};  // there may be a million to look at
  const bool known = resumed && fs::is_directory(logs);
  std::vector<std::string> fresh;
  for (const std::size_t place : places) {
    const Scenario task = experiment.at(place);
    if (!task.is_run() || task.save_every == 0) continue;
    const std::string own = states_beside(fmt::format("{}/{}.task.json", logs, fingerprint(task)));
    const bool goes_on = known && has_states(own);
    if (!goes_on) fresh.push_back(own);
    const std::string from = goes_on ? own : given;
    if (!from.empty()) items_left(initial_items(task), state_files(task, from));
  }
  if (!given.empty() && fresh.empty()) {
    throw UserError("--states: none of the runs to do writes states: see the key 'save_every'");
  }
  for (const std::string& own : fresh) {
    fs::remove_all(own);
    if (given.empty()) continue;
    fs::create_directories(own);
    for (const fs::directory_entry& file : fs::directory_iterator(given)) {
      if (file.path().extension() == ".state")
        fs::copy(file.path(), fs::path(own) / file.path().filename());
    }
  }
}

/// Shows a sweep as it goes on: on a terminal one line that is drawn anew with the time that is
/// likely left, otherwise a plain line for each run that ended.
class Progress {
 public:
  /// `predicted_s`: the likely wall time of each task to come.
  explicit Progress(std::vector<double> predicted_s);

  void begin(const std::string& description);
  /// `news`: how the run gets on, where that is known.
  void tick(const std::string& news = "");
  void end(const Report& report);
  /// The run in progress is left for later, because of what happened to it.
  void leave(const std::string& what_happened);
  /// The next one is left for later without being tried.
  void pass();

 private:
  void next(double spent_s);
  double left_s() const;

  std::vector<double> predicted_s_;
  double predicted_left_s_;  // for the run in progress and those to come
  TerminalLine line_;
  std::size_t run_ = 0;  // that is in progress, counted from 0
  std::string what_;
  double began_s_ = 0;
  double spent_s_ = 0;            // on the tasks that ended
  double predicted_ended_s_ = 0;  // what had been predicted for them
};

double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Progress::Progress(std::vector<double> predicted_s)
    : predicted_s_(std::move(predicted_s)),
      predicted_left_s_(std::accumulate(predicted_s_.begin(), predicted_s_.end(), 0.0)) {}

void Progress::begin(const std::string& description) {
  what_ = description;
  began_s_ = now_s();
  tick();
}

void Progress::tick(const std::string& news) {
  line_.draw(fmt::format("[{}/{}] ", run_ + 1, predicted_s_.size()),
             fmt::format("{}{}{}", what_, news.empty() ? "" : ": ", news),
             fmt::format(" … {} left", duration(left_s())));
}

void Progress::end(const Report& report) {
  const Ended& ended = report.ended;
  const bool well = ended.status == Status::ok;
  next(ended.wall_s);
  const bool tell_left = !line_.shown() && run_ < predicted_s_.size();
  line_.say(
      fmt::format("[{}/{}] {}: {}{}", run_, predicted_s_.size(), what_,
                  well ? report.result : fmt::format("{}: {}", name(ended.status), ended.message),
                  tell_left ? fmt::format(" ({} left)", duration(left_s())) : ""));
}

void Progress::leave(const std::string& what_happened) {
  next(now_s() - began_s_);
  line_.say(fmt::format("[{}/{}] {}: {}", run_, predicted_s_.size(), what_, what_happened));
}

void Progress::next(double spent_s) {
  spent_s_ += spent_s;
  predicted_ended_s_ += predicted_s_[run_];
  began_s_ = now_s();
  pass();
}

void Progress::pass() {
  predicted_left_s_ -= predicted_s_[run_];
  ++run_;
}

double Progress::left_s() const {
  const double pace = predicted_ended_s_ > 0 ? spent_s_ / predicted_ended_s_ : 1;
  return std::max(0.0, predicted_left_s_ * pace - (now_s() - began_s_));
}

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
    print_error(
        fmt::format("{}: not as it was left; the provenance will say so", results_.path(file)));
  }
  if (const auto stale = made_of_results(results_.directory()); anew && !stale.empty()) {
    print_error(fmt::format("{}: {} tell of the results that were there before",
                            results_.directory(), fmt::join(stale, ", ")));
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
  print_out("{}: {} of {} {} to do, about {}{}; results in {}\n{}", experiment_.name, places.size(),
            experiment_.size(), experiment_.noun(), duration(predicted.sum_s),
            predicted.unknown == 0 ? "" : fmt::format(" ({} of unknown length)", predicted.unknown),
            results_.directory(), left_out_note(experiment_.left_out(), experiment_.noun()));

  Progress progress(predicted.each_s);
  const auto began = std::chrono::steady_clock::now();
  std::size_t done = 0;
  const auto keep = [&](const Report& report) {
    results_.add(report.lines, invocation_);
    progress.end(report);
    if (!report.warning.empty() && warned_.insert(report.warning).second)
      print_error(report.warning);
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
    print_out("\ninterrupted after {} {}; this does the rest:\n{}\n", done, experiment_.noun(),
              command_for_the_rest());
    return 130;
  }
  if (left_ > 0) {
    print_out("{} {} without a result{}, which says nothing of them; this does them:\n{}\n", left_,
              experiment_.noun(),
              untried_ > 0 ? fmt::format(", {} of them not tried", untried_) : "",
              command_for_the_rest());
    return try_again;
  }
  print_out("{} {} in {}", done, experiment_.noun(), duration(seconds));
  if (unsupported_ > 0) print_out(", {} of them unsupported", unsupported_);
  if (bad_ > 0) {
    print_out("; {} did not end well: see status and message in {}, output in {}\n", bad_,
              results_.path(file_of(experiment_.kind())), results_.path("logs"));
    return 1;
  }
  print_out(", {} ok\n", unsupported_ > 0 ? "the others" : "all");
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
