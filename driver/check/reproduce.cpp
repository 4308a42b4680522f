// SPDX-License-Identifier: BSD-3-Clause
//
// The paper's claims one by one: the paper's figure, ours, and a verdict.
// Source: Dinan et al., Noncollective Communicator Creation in MPI, EuroMPI 2011, sections 2.1
// and 4.
#include "driver/check/reproduce.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "driver/config/experiment.hpp"
#include "driver/execute/allocation.hpp"
#include "driver/execute/launch.hpp"
#include "driver/execute/simulate_all.hpp"
#include "driver/execute/sweep.hpp"
#include "driver/store/settings.hpp"
#include "kernel/files/schema.hpp"
#include "kernel/numbers/statistics.hpp"
#include "kernel/regroup_statistics.hpp"
#include "kernel/text/plain_text.hpp"
#include "library/describe.hpp"
#include "library/resolve.hpp"
#include "measurements/creation_claims.hpp"

namespace regroup {
namespace {

// ---- claims

using Json = nlohmann::ordered_json;

/// A figure as text, and the numbers in it by their names.
struct Value {
  Value(const char* words) : text(words) {}
  Value(std::string words, std::vector<std::pair<std::string, double>> values = {})
      : text(std::move(words)), numbers(std::move(values)) {}

  std::string text;
  std::vector<std::pair<std::string, double>> numbers;
};

Json json_of(const Value& value) {
  if (value.text.empty()) return nullptr;
  Json json{{"text", value.text}};
  for (const auto& [name, number] : value.numbers) json[name] = number;
  return json;
}

struct Claim {
  enum class Verdict { met, missed, none };
  std::string about;
  std::string what;
  Value paper;
  Value ours;
  Verdict verdict;
  std::string explanation;

  bool missed() const { return verdict == Verdict::missed; }
};

/// The claims of an experiment, in the order in which they are shown.
class Judge {
 public:
  std::string how;    ///< how the claims are tested
  std::string title;  ///< of the claims to come

  /// Adds a claim that is not judged.
  void tell(std::string_view what, const Value& paper, const Value& ours,
            std::string_view remark = "") {
    claims_.push_back(
        {title, std::string(what), paper, ours, Claim::Verdict::none, std::string(remark)});
  }

  /// `met`: the explanation if the claim is met; `why`: if it is missed.
  void claim(std::string_view what, const Value& paper, const Value& ours, bool is_met,
             std::string_view met = "within the band", std::string_view why = "") {
    claims_.push_back({title, std::string(what), paper, ours,
                       is_met ? Claim::Verdict::met : Claim::Verdict::missed,
                       std::string(is_met ? met : why)});
  }

  bool missed() const { return std::ranges::any_of(claims_, &Claim::missed); }
  void print() const;
  std::string as_json() const;

 private:
  std::vector<Claim> claims_;
};

void Judge::print() const {
  constexpr const char* line = "  {:<38} {:<26} {:<34} {}\n";
  fmt::print("Noncollective Communicator Creation in MPI (Dinan et al., EuroMPI 2011), {}\n\n",
             how);
  fmt::print(line, "claim", "paper", "ours", "verdict");
  std::string_view about;
  for (const Claim& claim : claims_) {
    if (claim.about != about) fmt::print("\n{}\n", claim.about);
    about = claim.about;
    std::string verdict = claim.missed() ? "MISSED" : "";
    if (claim.missed() && !claim.explanation.empty()) verdict += ": ";
    fmt::print(line, claim.what, claim.paper.text, claim.ours.text, verdict + claim.explanation);
  }
}

std::string Judge::as_json() const {
  constexpr std::array<std::string_view, 3> verdicts{"met", "missed", "not judged"};
  Json claims = Json::array();
  for (const Claim& claim : claims_) {
    claims.push_back({{"about", claim.about},
                      {"claim", claim.what},
                      {"paper", json_of(claim.paper)},
                      {"ours", json_of(claim.ours)},
                      {"verdict", verdicts.at(static_cast<std::size_t>(claim.verdict))},
                      {"explanation", claim.explanation}});
  }
  return Json{{"schema", schema}, {"missed", missed()}, {"claims", claims}}.dump(1) + "\n";
}

// ---- Table 1 and Figure 2, in virtual time

constexpr int papers_ranks = 8192;
constexpr std::size_t seeds = 20;

Task papers_run(std::string_view balancer, std::string_view option, const Catalog& catalog) {
  Options options;
  if (balancer == "collective") options.set("exchange_interval", std::string(option));
  if (balancer == "asynchronous") {
    options.set("finished_groups", std::string(option));
    options.set("listen_ms", "1");
  }
  Task task = run_of(catalog, {{"engine", "virtual"},
                               {"ranks", std::to_string(papers_ranks)},
                               {"workload", "cyclic(modulus=32 multiplier=10)"},
                               {"balancer", text_of(balancer, options)}});
  task.experiment = "reproduce";
  return task;
}

/// The results of some runs of one balancer.
struct Measured {
  std::vector<RegroupStatistics> statistics;
  std::vector<double> makespans_s;
};

/// Simulates runs with the seeds 1 to `repetitions`.
Measured measure(const Catalog& catalog, std::string_view balancer, std::string_view option,
                 std::size_t repetitions = 1) {
  const Task run = papers_run(balancer, option, catalog);
  const auto with_seed = [&](std::size_t i) {
    Task repetition = run;
    repetition.seed = i + 1;
    return repetition;
  };
  Measured measured;
  simulate_all(
      {repetitions, with_seed, [](std::size_t) { return papers_ranks; }},
      [&](const Finished& finished) {
        if (!finished.outcome) throw std::logic_error(finished.ending.message);
        measured.statistics.push_back(regroup_statistics(finished.outcome->lives, papers_ranks));
        measured.makespans_s.push_back(finished.outcome->makespan_s());
        return true;
      });
  return measured;
}

/// Returns whether the numbers agree to two decimals.
bool agree(double paper, double ours) { return std::abs(paper - ours) <= 0.005 + 1e-9; }

/// `start`: the average and the standard deviation as text.
template <class Statistics>
Value statistics(const Statistics& of, const std::string& start) {
  return {fmt::format("{} / {} / {}", start, of.min, of.max),
          {{"regroups_avg", of.average},
           {"regroups_stdev", of.deviation},
           {"regroups_min", of.min},
           {"regroups_max", of.max}}};
}

void judge_fixed_row(Judge& judge, const PaperRow& row, const Catalog& catalog) {
  const RegroupStatistics ours = measure(catalog, row.balancer, row.option).statistics.front();
  const bool exact = agree(row.average, ours.average) && agree(row.deviation, ours.deviation) &&
                     row.min == ours.min && row.max == ours.max;
  judge.claim(describe_balancer(papers_run(row.balancer, row.option, catalog)),
              statistics(row, fmt::format("{:.2f} / {:.2f}", row.average, row.deviation)),
              statistics(ours, fmt::format("{:.3f} / {:.4f}", ours.average, ours.deviation)), exact,
              "exact", "these numbers are determined by the rules of the balancer");
}

void judge_asynchronous_row(Judge& judge, const PaperRow& row, const Catalog& catalog) {
  const Measured measured = measure(catalog, row.balancer, row.option, seeds);
  const auto number = [&](std::string_view what, double paper, auto of, int decimals) {
    std::vector<double> ours;
    for (const RegroupStatistics& one : measured.statistics) {
      ours.push_back(static_cast<double>(one.*of));
    }
    const auto [low, high] = std::ranges::minmax(ours);
    const auto text = [&](double value) { return fmt::format("{:.{}f}", value, decimals); };
    judge.claim(
        fmt::format("asynchronous(merge), {}", what), Value{text(paper), {{"value", paper}}},
        Value{fmt::format("{} … {}, median {}", text(low), text(high), text(median(ours))),
              {{"lowest", low}, {"highest", high}, {"median", median(ours)}}},
        low <= paper && paper <= high, "within the band", "outside the spread of the seeds");
    return median(ours);
  };
  const double average = number("average", row.average, &RegroupStatistics::average, 2);
  number("st. dev.", row.deviation, &RegroupStatistics::deviation, 2);
  number("min", row.min, &RegroupStatistics::min, 0);
  number("max", row.max, &RegroupStatistics::max, 0);
  judge.claim("  its median average in 13 … 16.5",
              Value{fmt::format("{:.2f}", row.average), {{"value", row.average}}},
              Value{fmt::format("{:.2f}", average), {{"value", average}}},
              13 <= average && average <= 16.5, "within the band", "outside the band");
}

void judge_table1(Judge& judge, const Catalog& catalog) {
  judge.title = fmt::format(
      "Table 1, regroupings per process at {} ranks: average / st. dev. / min / max", papers_ranks);
  for (const PaperRow& row : paper_rows()) {
    if (row.balancer != "asynchronous") judge_fixed_row(judge, row, catalog);
  }
  judge.title =
      fmt::format("Table 1, asynchronous with {} seeds, because its decisions are random", seeds);
  judge_asynchronous_row(judge, paper_rows().back(), catalog);
}

std::string percent(double part) { return fmt::format("{:.1f} %", 100 * part); }

void judge_figure2(Judge& judge, const Catalog& catalog) {
  const Task any = papers_run("none", "", catalog);
  const double ideal = ideal_s(any, initial_items(any));
  const double none = measure(catalog, "none", "").makespans_s.front();
  const double every_item = measure(catalog, "collective", "1").makespans_s.front();
  const double every_16 = measure(catalog, "collective", "16").makespans_s.front();
  const double every_128 = measure(catalog, "collective", "128").makespans_s.front();
  const double merging = median(measure(catalog, "asynchronous", "merge", seeds).makespans_s);
  const double releasing = measure(catalog, "asynchronous", "release").makespans_s.front();

  judge.title =
      fmt::format("Figure 2, execution times at {} ranks with free communication", papers_ranks);
  const auto time = [&](std::string_view what, double seconds) {
    judge.tell(what, "", Value{fmt::format("{:.4f} s", seconds), {{"makespan_s", seconds}}});
  };
  time("ideal", ideal);
  time("none", none);
  time("collective(1)", every_item);
  time("collective(16)", every_16);
  time("collective(128)", every_128);
  time("asynchronous(merge), median", merging);
  time("asynchronous(release)", releasing);

  judge.title = "Figure 2, the paper's claims";
  const auto gain = [&](std::string_view what, double over, double least) {
    const double ours = 1 - merging / over;
    judge.claim(what, Value{fmt::format("> {:.0f} %", 100 * least), {{"more_than", least}}},
                Value{percent(ours), {{"part", ours}}}, ours > least);
  };
  gain("asynchronous gains over none", none, 0.40);
  gain("asynchronous gains over collective", every_item, 0.30);
  judge.tell("collective gains over none", Value{"roughly 15 %", {{"about", 0.15}}},
             Value{fmt::format("{} (1, 16), {} (128)", percent(1 - every_16 / none),
                               percent(1 - every_128 / none)),
                   {{"part_16", 1 - every_16 / none}, {"part_128", 1 - every_128 / none}}},
             "not met: with free communication, its rules allow at most 12.5 % and 7.5 %");

  // Each regrouping waits for the end of an item of the group to join, at most T / size seconds;
  // the P walker groups of a cycle become one in P - 1 regroupings.
  const int groups = 32 / 4;
  const double bound = (groups - 1) * 0.100 / 4;
  const double gap = releasing - ideal;
  judge.claim("gap to ideal ≤ (P - 1) · T / size",
              Value{fmt::format("≤ {:.1f} ms", 1000 * bound), {{"at_most_s", bound}}},
              Value{fmt::format("{:.3f} ms (release), {:.1f} ms (merge)", 1000 * gap,
                                1000 * (merging - ideal)),
                    {{"release_s", gap}, {"merge_s", merging - ideal}}},
              std::max(gap, merging - ideal) <= bound);
}

// ---- section 2.1, in virtual time

/// Judges whether survivors form communicators without a failed rank, a member or a leader.
void judge_failure(Judge& judge, const Catalog& catalog) {
  judge.title = fmt::format(
      "Section 2.1, survivors form communicators without a lost rank: asynchronous(merge), {} "
      "ranks",
      papers_ranks);
  for (const Strategy* strategy : {find_entry(catalog.strategies, "intercomm_merge"),
                                   find_entry(catalog.strategies, "create_group")}) {
    for (const int lost : {101, 100}) {
      Task task = papers_run("asynchronous", "merge", catalog);
      task.run().strategy = strategy;
      task.run().costs = {find_entry(catalog.costs, "bluegene_p"), {}};
      task.run().costs.options = with_fallbacks(*task.run().costs.row).options;
      task.run().on_rank_loss = "recover";
      task.run().faults = fmt::format("kill:{}@50", lost);
      const Outcome outcome = simulate(task);
      const auto wrong = first_violation(task, outcome);
      const LossStatistics losses = loss_statistics(outcome.lives);
      const bool met = !wrong && losses.lost == RankSet(lost, lost);
      const int survivors = papers_ranks - losses.ranks_lost;
      judge.claim(fmt::format("{}, {} lost", strategy->name, lost % 4 == 0 ? "leader" : "member"),
                  "communicators can be rebuilt",
                  Value{fmt::format("{} ranks continue after {:.3f} ms", survivors,
                                    1000 * losses.recovery_s),
                        {{"survivors", survivors}, {"recovery_s", losses.recovery_s}}},
                  met, "every item done", wrong.value_or("another rank is missing"));
    }
  }
  judge.tell("comm_create, comm_split", "cannot exclude a failed rank", "",
             "refused: every rank of the parent must take part");
}

// ---- Figure 1, measured

constexpr const char* figure1_configuration = R"(# Figure 1 of the paper, on this machine.
experiment: figure1
measure: creation
ranks: 32
communicator: [comm_create, intercomm_merge, create_group]
group_size: all
samples: 30
item_ms: 0
late_ms: 0
repetitions: 3
)";

/// Takes missing measurements, and sets their directory. Returns the exit code.
int measure_figure1(const ReproduceOptions& asked, const Catalog& catalog, std::string& directory) {
  ConfigSource source("figure1", figure1_configuration);
  source.changes = asked.changes;
  Experiment experiment = read_experiment(source, catalog);
  SweepOptions options;
  options.directory = asked.out;
  options.command = asked.command;
  options.rest = asked.command;
  options.resume = true;
  directory = results_directory(experiment, options);
  settle_launcher(experiment, options.which);
  return interrupted() ? 130 : run_sweep(experiment, options);
}

/// Judges each measured setting.
void judge_figure1(Judge& judge, const std::string& directory, const Catalog& catalog) {
  const MeasurementKind& kind = *find_entry(catalog.measurements, "creation");
  const std::string path = fmt::format("{}/{}", directory, file_of(&kind));
  const std::vector<Record> records = read_records(directory, &kind, catalog);
  bool any = false;
  try {
    for (const TitledSetting& setting : measured_settings(kind, directory, records)) {
      judge.title = fmt::format("Figure 1, creating a group of g on {}, wall clock", setting.title);
      for (const Figure1Claim& claim : figure1_claims(setting.setting)) {
        judge.claim(claim.what, claim.paper, claim.ours, claim.holds, claim.details, claim.details);
        any = true;
      }
    }
  } catch (const std::invalid_argument& error) {
    throw UserError(fmt::format("{}: {}", path, error.what()));
  }
  if (any) return;
  throw UserError(
      fmt::format("{}: no measurements of Figure 1; it needs the strategies comm_create, "
                  "intercomm_merge and create_group, the pattern one_group and several group sizes",
                  path));
}

constexpr int some_did_not_end_well = 1;

/// Judges the measurements in `asked.directory` or, if that is empty, takes missing ones first.
/// Returns the exit code of the measurements.
int judge_figure1(const ReproduceOptions& asked, Judge& judge, const Catalog& catalog) {
  std::string directory = asked.directory;
  int code = 0;
  if (directory.empty()) {
    if (asked.format == "json") {
      throw UserError(
          "--format json needs a directory of existing measurements, because new ones print their "
          "progress");
    }
    code = measure_figure1(asked, catalog, directory);
    if (code > some_did_not_end_well) return code;
  } else if (!asked.out.empty() || !asked.changes.empty()) {
    throw UserError(
        "--out and --set are for new measurements; they cannot be combined with a directory");
  }
  judge.how = "on this machine; the paper's had 8,192 cores of a Blue Gene/P";
  judge_figure1(judge, directory, catalog);
  return code;
}

}  // namespace

int reproduce(const ReproduceOptions& options, const Catalog& catalog) {
  const bool json = options.format == "json";
  Judge judge;
  int code = 0;
  if (options.what == "figure1") {
    code = judge_figure1(options, judge, catalog);
  } else {
    if (!options.directory.empty() || !options.out.empty() || !options.changes.empty()) {
      throw UserError("a directory, --out and --set are only for figure1");
    }
    judge.how = "in virtual time";
    const auto asked = [&](std::string_view what) {
      return options.what == what || options.what == "all";
    };
    if (asked("table1")) judge_table1(judge, catalog);
    if (asked("figure2")) judge_figure2(judge, catalog);
    if (asked("failure")) judge_failure(judge, catalog);
  }
  if (code > some_did_not_end_well) return code;
  if (json) {
    fmt::print("{}", judge.as_json());
  } else {
    judge.print();
  }
  return judge.missed() ? 1 : code;
}

}  // namespace regroup
