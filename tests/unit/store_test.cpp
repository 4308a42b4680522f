// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <string>

#include "driver/store/merge.hpp"
#include "driver/store/provenance.hpp"
#include "driver/store/results.hpp"
#include "driver/store/settings.hpp"
#include "kernel/files/schema.hpp"
#include "kernel/files/yaml.hpp"
#include "kernel/text/plain_text.hpp"
#include "library/resolve.hpp"
#include "tests/unit/sweep_directory.hpp"

namespace regroup::store_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

std::vector<std::string> row_of(const Record& record, const std::vector<Column>& columns) {
  std::vector<std::string> cells;
  for (const Column& column : columns) cells.push_back(column.write(record));
  return cells;
}

void come_back(const Record& record, const MeasurementKind* kind) {
  const std::vector<Column> columns = columns_of(kind, catalog());
  const std::vector<std::string> cells = row_of(record, columns);
  Record read;
  read.task = usual_task(catalog(), kind);
  std::set<std::string> names;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    EXPECT_TRUE(names.insert(columns[i].name).second) << columns[i].name;
    EXPECT_FALSE(columns[i].help.empty()) << columns[i].name;
    columns[i].read(read, cells[i]);
  }
  EXPECT_EQ(row_of(read, columns), cells);
  EXPECT_EQ(fingerprint(read.task), fingerprint(record.task));
}

TEST(Columns, OfARunComeBackFromTheirCells) {
  const Task task = virtual_run({{"ranks", "12"},
                                 {"ranks_per_node", "4"},
                                 {"groups", "0-2/3-6/7-11"},
                                 {"group_size", "5"},
                                 {"walkers_in_all", "5"},
                                 {"jitter", "0.25"},
                                 {"workload", "uniform(mean_items=9)"},
                                 {"walker", "sleep(state_bytes=100)"},
                                 {"speedup", "amdahl(serial_fraction=0.1)"},
                                 {"balancer", "spread(loads=known)"},
                                 {"communicator", "create_group"},
                                 {"costs", "cluster"}});
  come_back(record_of({task, {}, simulate(task)}), nullptr);
  Ending ending{.status = Status::failed, .message = "a \"message\",\nof two lines"};
  come_back(record_of({task, ending, {}}), nullptr);
}

TEST(Columns, OfEveryMeasurementComeBackFromTheirCells) {
  for (const MeasurementKind& kind : catalog().measurements) {
    SCOPED_TRACE(std::string(kind.name));
    Task task = usual_task(catalog(), &kind);
    for (const OptionSpec& option : kind.options) {
      if (!option.fallback.empty()) continue;
      task.measurement().options.set(
          std::string(option.name),
          option.words.empty() ? canonical(option, "2") : std::string(option.words.front()));
    }
    Outcome outcome;
    for (const NamedFigure& figure : figures_of(kind)) outcome.figures[figure.name] = 0.125;
    come_back(record_of({task, {}, outcome}), &kind);
  }
}

TEST(Columns, OfNumbersRefuseWords) {
  Record record;
  record.task = virtual_run();
  for (const Column& column : columns_of(nullptr, catalog())) {
    if (column.type != "integer" && column.type != "number") continue;
    EXPECT_THROW(column.read(record, "x y"), std::invalid_argument) << column.name;
  }
}

// provenance.yaml

/// Returns nested anchors; each further list doubles the number of values.
std::string nested_aliases(int lists) {
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < lists; ++i) text += fmt::format("a{0}: &a{0} [*a{1}, *a{1}]\n", i, i - 1);
  return text;
}

TEST(Provenance, HasAliasesWithinTheLimitsOfConfigurations) {
  const auto text = [](int lists) {
    return fmt::format("---\ninvocation: 1\nschema: {}\n{}", schema, nested_aliases(lists));
  };
  const TestDirectory directory;
  const auto check = [&](int lists) {
    std::ofstream(directory.path("provenance.yaml")) << text(lists);
    check_schema(directory.path());
  };
  EXPECT_THAT(documents_in(text(5), "provenance.yaml"), SizeIs(1));
  EXPECT_NO_THROW(check(5));
  EXPECT_THROW(documents_in(text(14), "provenance.yaml"), UserError);
  EXPECT_THROW(check(14), UserError);
}

TEST(Provenance, HasAsManyDocumentsAsThereWereInvocations) {
  std::string text;
  for (int i = 1; i <= 1000; ++i) text += provenance({}, "mpiexec", "regroup run", i);
  EXPECT_THAT(documents_in(text, "provenance.yaml"), SizeIs(1000));
}

Place some_place() {
  const HostFacts facts{"a chip", "on", "powersave", "6.1", "tsc", 1.5, 0.25};
  return {{{"n1", {{{0, 1}, {0, 3}}}, facts}, {"n2", {{{2, 2}, {0, 1}}}, facts}},
          "An MPI\nof two lines",
          {{"UCX_TLS", "self,\"tcp\""}},
          "12"};
}

std::string placement(const Place& place) { return place_file(place).placement; }

TEST(PlaceFile, IsYaml) {
  const PlaceFile file = place_file(some_place());
  const auto documents = parse_yaml(file.text, "place", {});
  ASSERT_EQ(documents.size(), 1u);
  std::vector<std::string> keys;
  for (const auto& [key, value] : documents[0].pairs) keys.push_back(key.text);
  EXPECT_THAT(keys, testing::ElementsAre("nodes", "mpi", "job_id", "variables"));
  EXPECT_THAT(file.text, HasSubstr("  - name: \"n1\"\n    ranks: \"0-1\"\n    cores: 1\n"));
  EXPECT_THAT(file.text, HasSubstr("{ranks: \"0-1\", processors: \"0-3\"}"));
}

TEST(PlaceFile, IsNamedByWhatItSaysOfThePlace) {
  const PlaceFile file = place_file(some_place());
  EXPECT_EQ(placement_in(file.text), file.placement);
  std::string changed = file.text;
  changed[changed.find("tsc")] = 'T';
  EXPECT_NE(placement_in(changed), file.placement);
}

TEST(Placement, DependsOnAllThatTimesDependOn) {
  const std::string same = placement(some_place());
  const auto with = [&](auto change) {
    Place place = some_place();
    change(place);
    return placement(place);
  };
  EXPECT_EQ(with([](Place&) {}), same);
  EXPECT_NE(with([](Place& p) { p.mpi += "3"; }), same);
  EXPECT_NE(with([](Place& p) { p.nodes[0].name = "n3"; }), same);
  EXPECT_NE(with([](Place& p) { p.nodes[1].bindings[0].cpus = {0, 0}; }), same);
  EXPECT_NE(with([](Place& p) { p.nodes[1].bindings[0].ranks = {3, 3}; }), same);
  EXPECT_NE(with([](Place& p) { p.nodes.pop_back(); }), same);
  for (auto fact : {&HostFacts::processor, &HostFacts::smt, &HostFacts::governor,
                    &HostFacts::kernel, &HostFacts::clock_source}) {
    EXPECT_NE(with([&](Place& p) { p.nodes[1].facts.*fact = "other"; }), same);
  }
  EXPECT_NE(with([](Place& p) { p.nodes[1].facts.quota = 1.25; }), same);
}

TEST(Placement, DependsOnNothingThatChangesFromJobToJob) {
  Place place = some_place();
  place.variables = {{"SLURM_JOB_ID", "8"}};
  place.job_id = "8";
  place.nodes[0].facts.load = 7;
  EXPECT_EQ(placement(place), placement(some_place()));
}

TEST(Placement, IsNoneOfNoNodes) {
  EXPECT_EQ(place_file({}).placement, "");
  EXPECT_EQ(place_file({}).text, "");
}

// Result directories.

std::string sweep(const std::string& ranks, const std::string& more = "") {
  return "engine: virtual\nranks: " + ranks +
         "\nworkload: {kind: uniform, mean_items: 9}\nbalancers: [none, asynchronous]\n" + more;
}

std::size_t rows(const SweepDirectory& results) { return results.cells("runs.csv").size() - 1; }

TEST(Lock, KeepsASecondSweepOutUntilTheFirstHasEnded) {
  const SweepDirectory results;
  std::filesystem::create_directories(results.path());
  {
    const Lock lock(results.path());
    EXPECT_THROW(Lock(results.path()), UserError);
    EXPECT_THAT(holder_of_lock(results.path()), Not(IsEmpty()));
  }
  EXPECT_EQ(holder_of_lock(results.path()), "");
  EXPECT_NO_THROW(Lock(results.path()));
}

TEST(Results, AreNotMixedWithOthers) {
  const SweepDirectory results;
  ASSERT_EQ(results.sweep(sweep("[8, 12]")), 0);
  EXPECT_EQ(rows(results), 4u);
  EXPECT_THROW(results.sweep(sweep("[8, 12]")), UserError);
  Results of_steps(results.path(), find_entry(catalog().measurements, "steps"), catalog());
  EXPECT_THROW(of_steps.open(), UserError);
}

TEST(Results, GetWhatIsMissingWhenASweepIsResumed) {
  const SweepDirectory results;
  ASSERT_EQ(results.sweep(sweep("[8, 12]")), 0);
  const std::string whole = results.text("runs.csv");
  const std::string events = results.text("events.csv");
  // As if killed while writing a row: the last run has events, but no row.
  const std::size_t last = whole.rfind('\n', whole.size() - 2) + 1;
  replace_file(results.path("runs.csv"), whole.substr(0, last + 7));
  EXPECT_EQ(results.sweep(sweep("[8, 12]"), {.resume = true}), 0);
  EXPECT_EQ(rows(results), 4u);
  EXPECT_EQ(results.text("events.csv"), events);
  EXPECT_EQ(results.sweep(sweep("[8, 12, 16]"), {.resume = true}), 0);
  EXPECT_EQ(rows(results), 6u);
}

TEST(Results, AreReplacedWithoutTouchingOtherFiles) {
  const SweepDirectory results;
  ASSERT_EQ(results.sweep(sweep("[8, 12]")), 0);
  std::ofstream(results.path("notes.txt")) << "mine";
  std::ofstream(results.path("logs/notes.txt")) << "mine";
  EXPECT_EQ(results.sweep(sweep("16"), {.overwrite = true}), 0);
  EXPECT_EQ(rows(results), 2u);
  EXPECT_EQ(results.text("notes.txt"), "mine");
  EXPECT_EQ(results.text("logs/notes.txt"), "mine");
}

TEST(Results, OfAnotherSchemaAreRefused) {
  const SweepDirectory results;
  ASSERT_EQ(results.sweep(sweep("8")), 0);
  std::string text = results.text("provenance.yaml");
  const std::size_t at = text.find("schema: ");
  text.replace(at, text.find('\n', at) - at, "schema: 1");
  replace_file(results.path("provenance.yaml"), text);
  EXPECT_THROW(read_records(results.path(), nullptr, catalog()), UserError);
  EXPECT_THROW(results.sweep(sweep("8"), {.resume = true}), UserError);
}

TEST(Results, HaveARowForWhatIsNotSupported) {
  const SweepDirectory results;
  EXPECT_EQ(results.sweep(sweep("8", "walker: nucleation\n")), 1);
  for (const Record& record : read_records(results.path(), nullptr, catalog())) {
    EXPECT_EQ(record.ending.status, Status::unsupported);
    EXPECT_THAT(record.ending.message, Not(IsEmpty()));
  }
  EXPECT_EQ(rows(results), 2u);
}

TEST(Merge, HasEveryTaskOnceAndPrefersThoseThatEndedWell) {
  const SweepDirectory whole;
  const SweepDirectory one("_1"), other("_2");
  ASSERT_EQ(one.sweep(sweep("[8, 12]")), 0);
  ASSERT_EQ(other.sweep(sweep("[12, 16]")), 0);
  auto cells = one.cells("runs.csv");
  const auto status =
      static_cast<std::size_t>(std::ranges::find(cells[0], "status") - cells[0].begin());
  for (std::size_t row = 1; row < cells.size(); ++row) cells[row][status] = "failed";
  one.write("runs.csv", cells);
  {
    const Silence silence;
    merge({.into = whole.path(), .directories = {one.path(), other.path()}, .mixed = true},
          catalog());
  }
  std::vector<std::string> ended;
  for (const Record& record : read_records(whole.path(), nullptr, catalog())) {
    ended.push_back(fmt::format("{} {}", record.task.ranks, name(record.ending.status)));
  }
  std::ranges::sort(ended);
  EXPECT_THAT(ended, ElementsAre("12 ok", "12 ok", "16 ok", "16 ok", "8 failed", "8 failed"));
}

TEST(Settings, HoldTheRunsThatDifferInSeedAndRepetitionOnly) {
  const SweepDirectory results;
  ASSERT_EQ(results.sweep(sweep("[8, 12]", "seed: [1, 2, 3]\n")), 0);
  const RunSettings settings = run_settings(results.path(), catalog());
  EXPECT_THAT(settings, SizeIs(4));
  for (const RunSetting& setting : settings) {
    EXPECT_EQ(setting.ok, 3u);
    EXPECT_EQ(setting.seeds, (std::set<std::uint64_t>{1, 2, 3}));
    EXPECT_THAT(setting.problems, SizeIs(3));
    EXPECT_EQ(setting.only_problem(), nullptr);
    for (const double ratio : setting.ratios(&RunSetting::Problem::bounds_s)) EXPECT_GE(ratio, 1);
  }
}

}  // namespace
}  // namespace regroup::store_test
