// SPDX-License-Identifier: BSD-3-Clause
//
// The paper's claims, one by one: its number, ours, and a verdict.
// Source: Dinan et al., Noncollective Communicator Creation in MPI, EuroMPI 2011, section 4.
#include "driver/check/reproduce.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>
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

// ---- claims: for people as they come, or as JSON

using Json = nlohmann::ordered_json;

/// A figure in words, and the numbers in it by their names.
struct Value {
  Value(const char* words) : text(words) {}
  Value(std::string words, std::vector<std::pair<std::string, double>> values = {})
      : text(std::move(words)), numbers(std::move(values)) {}

  std::string text;
  std::vector<std::pair<std::string, double>> numbers;
};

class Judge {
 public:
  explicit Judge(bool prints) : prints_(prints) {}

  /// Above all claims: which paper's they are, and how they are tried.
  void head(std::string_view how) const;

  /// What the claims to come are about.
  void title(std::string_view text);

  /// Something that cannot be missed.
  void tell(std::string_view what, const Value& paper, const Value& ours,
            std::string_view remark = "");

  /// `met`: what is said then; `why`: what is wrong otherwise.
  void claim(std::string_view what, const Value& paper, const Value& ours, bool is_met,
             std::string_view met = "within the band", std::string_view why = "");

  bool missed() const;

  /// All of them, with the schema.
  std::string as_json() const;

 private:
  enum class Verdict { met, missed, none };
  struct Claim {
    std::string about;
    std::string what;
    Value paper;
    Value ours;
    Verdict verdict;
    std::string explanation;
  };

  void add(Claim claim);

  bool prints_;
  std::string title_;
  std::vector<Claim> claims_;
};

Json json_of(const Value& value) {
  if (value.text.empty()) return nullptr;
  Json json{{"text", value.text}};
  for (const auto& [name, number] : value.numbers) json[name] = number;
  return json;
}

void Judge::head(std::string_view how) const {
  if (!prints_) return;
  fmt::print(
      "Noncollective Communicator Creation in MPI (Dinan et al., EuroMPI 2011), {}\n\n"
      "  {:<38} {:<26} {:<34} {}\n",
      how, "claim", "paper", "ours", "verdict");
}

void Judge::title(std::string_view text) {
  title_ = text;
  if (prints_) fmt::print("\n{}\n", text);
}

void Judge::tell(std::string_view what, const Value& paper, const Value& ours,
                 std::string_view remark) {
  add({title_, std::string(what), paper, ours, Verdict::none, std::string(remark)});
}

void Judge::claim(std::string_view what, const Value& paper, const Value& ours, bool is_met,
                  std::string_view met, std::string_view why) {
  add({title_, std::string(what), paper, ours, is_met ? Verdict::met : Verdict::missed,
       std::string(is_met ? met : why)});
}

void Judge::add(Claim claim) {
  if (prints_) {
    const bool missed = claim.verdict == Verdict::missed;
    fmt::print("  {:<38} {:<26} {:<34} {}{}{}\n", claim.what, claim.paper.text, claim.ours.text,
               missed ? "MISSED" : "", missed && !claim.explanation.empty() ? ": " : "",
               claim.explanation);
  }
  claims_.push_back(std::move(claim));
}

bool Judge::missed() const {
  return std::ranges::find(claims_, Verdict::missed, &Claim::verdict) != claims_.end();
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
constexpr int seeds = 20;

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

/// What came out of some runs of one balancer.
struct Measured {
  std::vector<RegroupStatistics> statistics;
  std::vector<double> makespans_s;
};

Measured measure(std::span<const Task> runs) {
  Measured measured;
  const Runs all{runs.size(), [&](std::size_t i) { return runs[i]; },
                 [&](std::size_t i) { return runs[i].ranks; }};
  simulate_all(all, [&](const Finished& finished) {
    if (!finished.outcome) throw std::logic_error(finished.ending.message);
    measured.statistics.push_back(regroup_statistics(finished.outcome->lives, papers_ranks));
    measured.makespans_s.push_back(finished.outcome->makespan_s());
    return true;
  });
  return measured;
}

Measured measure(const Catalog& catalog, std::string_view balancer, std::string_view option,
                 int repetitions = 1) {
  std::vector<Task> runs;
  for (int seed = 1; seed <= repetitions; ++seed) {
    runs.push_back(papers_run(balancer, option, catalog));
    runs.back().seed = static_cast<std::uint64_t>(seed);
  }
  return measure(runs);
}

/// Equal as far as two decimals tell.
bool agree(double paper, double ours) { return std::abs(paper - ours) <= 0.005 + 1e-9; }

/// `start`: the average and the standard deviation in words.
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
              "exact", "the rules fix these numbers");
}

void judge_asynchronous_row(Judge& judge, const PaperRow& row, const Catalog& catalog) {
  const Measured measured = measure(catalog, row.balancer, row.option, seeds);
  const auto number = [&](std::string_view what, double paper,
                          const std::function<double(const RegroupStatistics&)>& of,
                          std::string_view format) {
    std::vector<double> ours;
    for (const RegroupStatistics& one : measured.statistics) ours.push_back(of(one));
    const auto [low, high] = std::ranges::minmax(ours);
    const auto text = [&](double value) { return fmt::format(fmt::runtime(format), value); };
    judge.claim(
        fmt::format("asynchronous(merge), {}", what), Value{text(paper), {{"value", paper}}},
        Value{fmt::format("{} … {}, median {}", text(low), text(high), text(median(ours))),
              {{"lowest", low}, {"highest", high}, {"median", median(ours)}}},
        low <= paper && paper <= high, "within the band", "outside the spread of the seeds");
    return median(ours);
  };
  const double average = number(
      "average", row.average, [](const auto& s) { return s.average; }, "{:.2f}");
  number(
      "st. dev.", row.deviation, [](const auto& s) { return s.deviation; }, "{:.2f}");
  number(
      "min", row.min, [](const auto& s) { return static_cast<double>(s.min); }, "{:.0f}");
  number(
      "max", row.max, [](const auto& s) { return static_cast<double>(s.max); }, "{:.0f}");
  judge.claim("  its median average in 13 … 16.5",
              Value{fmt::format("{:.2f}", row.average), {{"value", row.average}}},
              Value{fmt::format("{:.2f}", average), {{"value", average}}},
              13 <= average && average <= 16.5, "within the band", "outside the band");
}

void judge_table1(Judge& judge, const Catalog& catalog) {
  judge.title(
      fmt::format("Table 1, regroupings per process at {} ranks: average / st. dev. / min / max",
                  papers_ranks));
  for (const PaperRow& row : paper_rows()) {
    if (row.balancer != "asynchronous") judge_fixed_row(judge, row, catalog);
  }
  judge.title(
      fmt::format("Table 1, asynchronous over {} seeds: its coin tosses decide who merges", seeds));
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

  judge.title(
      fmt::format("Figure 2, execution times at {} ranks with free communication", papers_ranks));
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

  judge.title("Figure 2, the paper's claims");
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
             "not: by its own rules 12.5 % and 7.5 % are the most that free communication allows");

  // Each regrouping waits for the end of one item of the group that it joins, T / size seconds at
  // the most; P walker groups of one cycle become one in P - 1 regroupings.
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

/// Makes the measurements that are not there yet. Answers the exit code.
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

/// A title and claims for each way in which it was measured.
using ClaimsByTitle = std::vector<std::pair<std::string, std::vector<Figure1Claim>>>;

ClaimsByTitle claims_in(const std::string& directory, const Catalog& catalog) {
  const MeasurementKind& kind = *find_entry(catalog.measurements, "creation");
  const std::string path = fmt::format("{}/{}", directory, file_of(&kind));
  const std::vector<Record> records = read_records(directory, &kind, catalog);
  ClaimsByTitle all;
  try {
    for (const TitledSetting& setting : measured_settings(kind, directory, records)) {
      std::vector<Figure1Claim> claims = figure1_claims(setting.setting);
      if (claims.empty()) continue;
      all.emplace_back(
          fmt::format("Figure 1, creating a group of g on {}, wall clock", setting.title),
          std::move(claims));
    }
  } catch (const std::invalid_argument& error) {
    throw UserError(fmt::format("{}: {}", path, error.what()));
  }
  if (!all.empty()) return all;
  throw UserError(fmt::format(
      "{}: nothing of Figure 1 was measured: it takes the strategies comm_create, intercomm_merge "
      "and create_group, the pattern one_group and several group sizes",
      path));
}

constexpr int some_did_not_end_well = 1;

/// Measures what is missing, or takes what `asked.directory` holds. Answers the exit code of the
/// measurements.
int judge_figure1(const ReproduceOptions& asked, Judge& judge, const Catalog& catalog) {
  std::string directory = asked.directory;
  int code = 0;
  if (directory.empty()) {
    if (asked.format == "json") {
      throw UserError(
          "--format json needs a directory of measurements: making them prints their progress");
    }
    code = measure_figure1(asked, catalog, directory);
    if (code > some_did_not_end_well) return code;
  } else if (!asked.out.empty() || !asked.changes.empty()) {
    throw UserError("--out and --set are of measurements that are made: name no directory then");
  }
  const ClaimsByTitle all = claims_in(directory, catalog);
  judge.head("on this machine; the paper's had 8,192 cores of a Blue Gene/P");
  for (const auto& [title, claims] : all) {
    judge.title(title);
    for (const Figure1Claim& claim : claims) {
      judge.claim(claim.what, claim.paper, claim.ours, claim.holds, claim.details, claim.details);
    }
  }
  return code;
}

}  // namespace

int reproduce(const ReproduceOptions& options, const Catalog& catalog) {
  const bool json = options.format == "json";
  Judge judge(!json);
  int code = 0;
  if (options.what == "figure1") {
    code = judge_figure1(options, judge, catalog);
  } else {
    if (!options.directory.empty() || !options.out.empty() || !options.changes.empty()) {
      throw UserError("a directory, --out and --set are of figure1; the others are simulated");
    }
    judge.head("in virtual time");
    if (options.what != "figure2") judge_table1(judge, catalog);
    if (options.what != "table1") judge_figure2(judge, catalog);
  }
  if (json && code <= some_did_not_end_well) fmt::print("{}", judge.as_json());
  return judge.missed() ? 1 : code;
}

}  // namespace regroup
