// SPDX-License-Identifier: BSD-3-Clause
#include "driver/check/preflight.cpp"

#include <gmock/gmock.h>

namespace regroup::preflight_test {
namespace {

using testing::Each;
using testing::Field;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

// Verdicts on the findings of ranks before any measurement.

/// Returns the probe of 8 ranks on 4 hosts without problems.
Probe good() {
  Probe probe;
  probe.ranks = 8;
  probe.hosts = 4;
  probe.least_on_a_host = probe.most_on_a_host = 2;
  probe.processors = 8;
  probe.library = "MPICH 4.0.2";
  probe.inside_us = 0.4;
  probe.between_us = 1.5;
  probe.clock_error_us = 1;
  probe.shared_mb = 500;
  probe.shared_least = "n3";
  probe.communicators = 2046;
  return probe;
}

Finding finding(const Probe& probe, const std::string& what, AskedRanks asked = {8, 0},
                const GivenHosts& given = {}) {
  for (const Finding& one : judged(probe, asked, given, 1.25)) {
    if (one.what == what) return one;
  }
  return {Severity::wrong, what, "is not there"};
}

TEST(Findings, AreOkWhereAllIsWell) {
  EXPECT_THAT(judged(good(), {8, 2}, {}, 1), Each(Field(&Finding::severity, Severity::ok)));
  EXPECT_THAT(finding(good(), "ranks").text,
              HasSubstr("8 ranks on 4 hosts, 2 on each, started in 1.2"));
  EXPECT_THAT(finding(good(), "messages").text, HasSubstr("1.50 µs between hosts, 400 ns inside"));
}

TEST(Findings, AreWrongWhereOtherRanksCameThanWereAskedFor) {
  EXPECT_EQ(finding(good(), "ranks", {12, 0}).severity, Severity::wrong);
  EXPECT_THAT(finding(good(), "ranks", {12, 0}).text, HasSubstr("12 were requested"));
  EXPECT_EQ(finding(good(), "ranks", {8, 4}).severity, Severity::wrong);
  EXPECT_EQ(finding(good(), "ranks", {8, 2}).severity, Severity::ok);
}

TEST(Findings, WarnWhereOneOfSeveralHostsHasAllRanks) {
  GivenHosts four;
  four.hosts = 4;
  Probe one = good();
  one.hosts = 1;
  one.least_on_a_host = one.most_on_a_host = 8;
  EXPECT_EQ(finding(one, "ranks", {8, 0}, four).severity, Severity::warning);
  EXPECT_EQ(finding(one, "ranks", {8, 8}, four).severity, Severity::ok);
  EXPECT_EQ(finding(one, "ranks").severity, Severity::ok);
}

TEST(Findings, WarnOfWhatMakesTimesWrong) {
  const auto expect = [](const char* what, Severity severity, const char* text, auto change) {
    Probe probe = good();
    change(probe);
    EXPECT_EQ(finding(probe, what).severity, severity) << what;
    EXPECT_THAT(finding(probe, what).text, HasSubstr(text));
  };
  using enum Severity;
  expect("processors", warning, "3 ranks on 2 processors of n1, and so on 2 hosts more",
         [](Probe& probe) {
           probe.crowded_hosts = 3;
           probe.crowded = "3 ranks on 2 processors of n1";
         });
  expect("messages", warning, "TCP", [](Probe& probe) { probe.between_us = 30; });
  expect("messages", warning, "", [](Probe& probe) { probe.inside_us = 12; });
  expect("messages", ok, "", [](Probe& probe) {
    probe.between_us = 3000;  // not the network's fault
    probe.crowded_hosts = 1;
  });
  expect("clocks", warning, "400 µs", [](Probe& probe) { probe.clock_error_us = 400; });
  expect("clocks", ok, "", [](Probe& probe) {
    probe.clock_error_us = 400;
    probe.hosts = 1;
  });
  expect("/dev/shm", warning, "on n3", [](Probe& probe) { probe.shared_mb = 4; });
  expect("communicators", warning, "", [](Probe& probe) { probe.communicators = 60; });
}

TEST(Findings, WarnOfConstructorsThatTheLibraryLacks) {
  EXPECT_EQ(judged_library("MPICH 4.0.2", {}).severity, Severity::ok);
  const Finding lacks = judged_library("Open MPI 4.1.4", {"create_from_group", "idup_with_info"});
  EXPECT_EQ(lacks.severity, Severity::warning);
  EXPECT_THAT(lacks.text, HasSubstr("create_from_group, idup_with_info"));
}

TEST(Probes, ComeBackFromTheirLine) {
  Probe probe = good();
  probe.crowded = "3 ranks on 2 processors of \"n1\"";
  const std::string line = to_json(probe);
  EXPECT_EQ(line.find('\n'), line.npos);
  EXPECT_EQ(to_json(probe_from_json(line)), line);
  EXPECT_EQ(probe_from_json(line).crowded, probe.crowded);
  EXPECT_THROW(probe_from_json("{}"), std::exception);
}

}  // namespace
}  // namespace regroup::preflight_test
