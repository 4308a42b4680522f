// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <string>

#include "driver/config/reader.hpp"
#include "driver/store/columns.hpp"
#include "driver/store/provenance.hpp"
#include "driver/store/results.hpp"
#include "driver/store/summaries.hpp"
#include "kernel/text/plain_text.hpp"

namespace regroup::store_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

using enum Content::Type;

TEST(Content, HasTheUnitThatTheNameOfItsColumnEndsIn) {
  EXPECT_EQ(unit_of("makespan_s"), "s");
  EXPECT_EQ(unit_of("item_ms"), "ms");
  EXPECT_EQ(unit_of("latency_us"), "µs");
  EXPECT_EQ(unit_of("bandwidth_mb_s"), "MB/s");
  EXPECT_EQ(unit_of("memory_mb"), "MB");
  EXPECT_EQ(unit_of("state_bytes"), "byte");
  for (const char* none : {"ranks", "regroups_avg", "s", "efficiency"}) {
    EXPECT_EQ(unit_of(none), "") << none;
  }
}

TEST(Content, OfAnOptionIsThatOfItsValues) {
  constexpr std::array<std::string_view, 2> words{"known", "unknown"};
  EXPECT_EQ(content_of(integer_option("a", "1", 0, 9, "")).type, integer);
  EXPECT_EQ(content_of(real_option("a", "1", 0, 9, "")).type, number);
  EXPECT_EQ(content_of(file_option("a", "")).type, text);
  const Content choices = content_of(choice_option("a", "known", words, ""));
  EXPECT_EQ(choices.type, choice);
  EXPECT_THAT(choices.words, ElementsAre("known", "unknown"));
}

TEST(Content, OfTwoKindsTakesBoth) {
  const Content words =
      either(content::one_of({"a", "b"}), content::maybe(content::one_of({"b", "c"})));
  EXPECT_EQ(words.type, choice);
  EXPECT_THAT(words.words, ElementsAre("a", "b", "c"));
  EXPECT_TRUE(words.may_be_empty);
  EXPECT_EQ(either(content::integer, content::number).type, number);
  EXPECT_EQ(either(content::integer, content::integer).type, integer);
  const Content both = either(content::number, content::one_of({"a"}));
  EXPECT_EQ(both.type, text);
  EXPECT_THAT(both.words, IsEmpty());
}

TEST(Content, OfAChoiceHasWordsAndOfNothingElse) {
  for (const char* kind : {"run", "creation", "collectives", "steps", "items", "sort"}) {
    for (const ResultColumn& column : columns_of(kind)) {
      EXPECT_EQ(column.content.type == choice, !column.content.words.empty()) << column.name;
    }
  }
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
  EXPECT_EQ(placement_told_by(file.text), file.placement);
  std::string changed = file.text;
  changed[changed.find("tsc")] = 'T';
  EXPECT_NE(placement_told_by(changed), file.placement);
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

TEST(PlaceFileName, IsOneThatChecksumsMayName) {
  EXPECT_EQ(place_file_name("0123456789abcdef"), "places/0123456789abcdef.yaml");
  EXPECT_TRUE(is_place_file_name("places/0123456789abcdef.yaml"));
  for (const char* other : {"places/../runs.yaml", "places/0123456789abcdef", "runs.csv",
                            "places/0123456789abcdeg.yaml", "places/.yaml", "places"}) {
    EXPECT_FALSE(is_place_file_name(other)) << other;
  }
}

// Which jobs of Slurm a lock gives way to; the rest is in tests/program/results_test.py.

class LockOfAJob : public testing::Test {
 protected:
  LockOfAJob() {
    directory_ = std::filesystem::temp_directory_path() /
                 ("jobs_lock_test." + std::to_string(std::random_device{}()));
    std::filesystem::create_directories(directory_);
    setenv("SLURM_CLUSTER_NAME", "big", 1);
    setenv("SLURM_JOB_ID", "12", 1);
  }
  ~LockOfAJob() override {
    for (const char* name : {"SLURM_CLUSTER_NAME", "SLURM_JOB_ID", "SLURM_RESTART_COUNT"}) {
      unsetenv(name);
    }
    std::filesystem::remove_all(directory_);
  }

  /// Whether start `restarts` of our job takes over the lock of start `before` of `job`.
  bool takes_over(const std::string& job, const std::string& before, const char* restarts) {
    setenv("SLURM_RESTART_COUNT", restarts, 1);
    std::ofstream(directory_ / "lock") << "boot_id: another\nhost: far-away\njob: \"" << job
                                       << "\"\npid: 1\nrestarts: \"" << before << "\"\n";
    try {
      return Lock(directory_, false).taken_over();
    } catch (const UserError&) {
      return false;
    }
  }

  std::filesystem::path directory_;
};

TEST_F(LockOfAJob, GivesWayToALaterStartOfTheSameJob) {
  EXPECT_TRUE(takes_over("big 12", "0", "1"));
  EXPECT_TRUE(takes_over("big 12", "9", "10"));
}

TEST_F(LockOfAJob, GivesWayToNobodyElse) {
  EXPECT_FALSE(takes_over("big 12", "1", "1"));
  EXPECT_FALSE(takes_over("big 12", "2", "1"));
  EXPECT_FALSE(takes_over("big 13", "0", "1"));
  EXPECT_FALSE(takes_over("small 12", "0", "1"));
  EXPECT_FALSE(takes_over("big 12", "", "1"));
  unsetenv("SLURM_JOB_ID");
  EXPECT_FALSE(takes_over("big 12", "0", "1"));
}

using Cost = std::function<double(int size)>;  // in seconds

/// Measurements of groups of 2 to 64 ranks, in some order.
std::vector<Record> measured(const std::map<std::string, Cost>& costs, double spread = 0.01,
                             bool intervals = true) {
  std::vector<Record> records;
  for (const auto& [strategy, cost] : costs) {
    for (const int size : {64, 2, 4, 16, 8, 32, 1}) {
      Record& record = records.emplace_back();
      record.task.measure = {"creation",
                             {{"communicator", strategy},
                              {"pattern", "one_group"},
                              {"group_size", std::to_string(size)}}};
      record.task.ranks = 64;
      Outcome& outcome = record.outcome.emplace();
      const double seconds = cost(size);
      outcome.figures["create_median_s"] = seconds;
      if (!intervals) continue;
      outcome.figures["create_low_s"] = seconds * (1 - spread);
      outcome.figures["create_high_s"] = seconds * (1 + spread);
    }
  }
  return records;
}

double square_of_log(int size) { return 1e-4 * std::pow(std::max(1.0, std::log2(size)), 2); }
Cost flat(double seconds) {
  return [=](int) { return seconds; };
}

std::vector<Figure1Claim> claims_of(const std::vector<Record>& records, bool crowded = false) {
  Setting setting;
  for (const Record& record : records) setting.records.push_back(&record);
  return figure1_claims(setting, crowded);
}

std::vector<bool> held(const std::vector<Figure1Claim>& claims) {
  std::vector<bool> all;
  for (const Figure1Claim& claim : claims) all.push_back(claim.holds);
  return all;
}

TEST(Figure1, HoldsWhereAllIsAsInThePaper) {
  const auto claims = claims_of(
      measured({{"comm_create", flat(1e-3)},
                {"intercomm_merge", square_of_log},
                {"create_group", [](int size) { return 1e-4 * std::log2(size + 1.0); }}}));
  EXPECT_THAT(held(claims), SizeIs(5));
  for (const Figure1Claim& claim : claims) EXPECT_TRUE(claim.holds) << claim.what << claim.says;
  EXPECT_THAT(claims[1].ours, HasSubstr("100 µs and 1.00 ms at 2"));
  EXPECT_THAT(claims[2].says, HasSubstr("dearer from 16 on")) << "0.9 ms at 8, 1.6 ms at 16";
  EXPECT_EQ(claims[3].ours, "(log g)^2.0");
}

TEST(Figure1, DoesNotHoldWhereCreatingGrows) {
  const auto claims = claims_of(measured({{"comm_create", [](int size) { return 1e-5 * size; }}}));
  ASSERT_THAT(claims, SizeIs(1));
  EXPECT_FALSE(claims[0].holds);
  EXPECT_THAT(claims[0].ours, HasSubstr("32.00 ×"));
}

TEST(Figure1, DoesNotHoldWhereAlgorithm1IsDearOrCheapThroughout) {
  const auto dear =
      claims_of(measured({{"comm_create", flat(1e-6)}, {"intercomm_merge", square_of_log}}));
  EXPECT_THAT(held(dear), testing::ElementsAre(true, false, true, true));
  EXPECT_EQ(dear[1].says, "it is the other way round");
  EXPECT_THAT(dear[2].says, HasSubstr("dearer from 2 on"));
  const auto cheap =
      claims_of(measured({{"comm_create", flat(1)}, {"intercomm_merge", square_of_log}}));
  EXPECT_THAT(held(cheap), testing::ElementsAre(true, true, false, true));
}

TEST(Figure1, IsNotTakenToHoldByChance) {
  const auto claims =
      claims_of(measured({{"comm_create", flat(1.5e-4)}, {"intercomm_merge", square_of_log}}, 0.3));
  EXPECT_FALSE(claims[1].holds);
  EXPECT_EQ(claims[1].says, "the 95 % intervals overlap");
}

TEST(Figure1, GrowsAsItShouldOrItIsExplainedWhyNot) {
  const auto growth = [](double exponent, bool crowded) {
    const auto power = [=](int size) {
      return 1e-4 * std::pow(std::max(1.0, std::log2(size)), exponent);
    };
    return claims_of(measured({{"intercomm_merge", power}}), crowded).front();
  };
  EXPECT_FALSE(growth(1, false).holds);
  EXPECT_FALSE(growth(1, true).holds) << "cores that are shared make nothing cheaper";
  EXPECT_TRUE(growth(2, false).holds);
  EXPECT_FALSE(growth(4, false).holds);
  EXPECT_TRUE(growth(4, true).holds);
  EXPECT_THAT(growth(4, true).says, HasSubstr("explained"));
}

TEST(Figure1, TellsNothingOfWhatWasNotMeasured) {
  EXPECT_THAT(claims_of(measured({{"range", flat(1e-8)}})), IsEmpty());
}

TEST(Figure1, RefusesTimesOfTooFewSamples) {
  EXPECT_THROW(claims_of(measured({{"comm_create", flat(1e-3)}}, 0, false)), std::invalid_argument);
}

}  // namespace
}  // namespace regroup::store_test
