// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <sched.h>
#include <unistd.h>

#include <array>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "kernel/places/host.hpp"
#include "kernel/places/place.hpp"
#include "regroup/outcome.hpp"
#include "tests/unit/text_file.hpp"

namespace regroup::places_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

/// Returns a node without host facts.
Node node(std::vector<Binding> bindings) { return {"n", std::move(bindings), {}}; }

RankLocation location(const std::string& host, RankSet cpus) {
  return {host, "name", std::move(cpus)};
}

/// Returns a place with `ranks[i]` consecutive ranks on host i, which has `cpus[i]` processors.
Place place_of(std::vector<int> ranks, std::vector<int> cpus) {
  std::vector<RankLocation> locations;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    for (int rank = 0; rank < ranks[i]; ++rank) {
      locations.push_back(location("host " + std::to_string(i), {0, cpus[i] - 1}));
    }
  }
  return {nodes_of(locations), "", {}, ""};
}

TEST(NodesOf, TellsHostsApartByWhatIsTheirOwnAndNotByTheirName) {
  const std::vector<RankLocation> locations{location("a", {0, 1}), location("b", {0, 1}),
                                            location("a", {0, 1})};
  const auto nodes = nodes_of(locations);
  ASSERT_EQ(nodes.size(), 2u);
  EXPECT_EQ(text_of(nodes[0].ranks()), "0 2");
  EXPECT_EQ(text_of(nodes[1].ranks()), "1");
  EXPECT_EQ(nodes[0].name, nodes[1].name);
}

TEST(NodesOf, PoolsRanksThatMayRunOnTheSameProcessors) {
  const std::vector<RankLocation> locations{location("a", {0, 0}), location("a", {1, 1}),
                                            location("a", {0, 0}), location("a", {1, 1}),
                                            location("b", {0, 0})};
  const auto nodes = nodes_of(locations);
  ASSERT_EQ(nodes.size(), 2u);
  EXPECT_THAT(nodes[0].bindings, ElementsAre(Binding{RankSet::of({{0, 0}, {2, 2}}), {0, 0}},
                                             Binding{RankSet::of({{1, 1}, {3, 3}}), {1, 1}}));
  EXPECT_THAT(nodes[1].bindings, ElementsAre(Binding{{4, 4}, {0, 0}}));
}

TEST(Node, HasNoMoreCoresThanTheQuotaOfItsControlGroupAndAtLeastOne) {
  Node some = node({{{0, 1}, {0, 7}}});
  for (const auto& [quota, cores] : {std::pair(0.0, 8), {16.0, 8}, {2.0, 2}, {2.9, 2}, {0.5, 1}}) {
    some.facts.quota = quota;
    EXPECT_EQ(some.cores(), cores) << quota;
    EXPECT_EQ(some.crowded(), cores < 2) << quota;
  }
  Node alone = node({{{0, 0}, {0, 7}}});
  for (const double quota : {0.5, 0.99, 1.0}) {
    alone.facts.quota = quota;
    EXPECT_EQ(alone.crowded(), quota < 1) << "part of a core is not a core";
  }
}

TEST(Place, IsCrowdedWhereOneOfItsNodesIsWhateverOthersHaveFree) {
  EXPECT_TRUE(place_of({3, 1}, {2, 4}).crowded());
  EXPECT_FALSE(place_of({2, 2}, {2, 4}).crowded());
  EXPECT_FALSE(place_of({1, 4}, {2, 4}).crowded());
  EXPECT_EQ(place_of({3, 1}, {2, 4}).cores(), 6);
}

TEST(Placement, IsOfTheNodesTogether) {
  Place place = place_of({3, 1, 2}, {4, 2, 2});
  place.job_id = "7";
  place.nodes[0].facts.load = 0.5;
  place.nodes[1].facts.load = 1.5;
  const Placement where = placement_of(place);
  EXPECT_EQ(where.nodes, 3);
  EXPECT_EQ(where.ranks_per_node_min, 1);
  EXPECT_EQ(where.ranks_per_node_max, 3);
  EXPECT_EQ(where.cores, 8);
  EXPECT_FALSE(where.crowded);
  EXPECT_EQ(where.job_id, "7");
  EXPECT_EQ(where.load_average_before, 1.5);
}

TEST(Placement, IsNothingWhereThereIsNoNode) {
  const Placement where = placement_of({});
  EXPECT_EQ(where.nodes, 0);
  EXPECT_EQ(where.ranks_per_node_min, 0);
  EXPECT_EQ(where.cores, 0);
}

TEST(AcrossNodes, CountsGroupsThatNoNodeHasAllOf) {
  const Place place = place_of({2, 2}, {2, 2});
  std::vector<GroupLife> lives(6);
  const std::vector<RankSet> groups{{0, 1}, {2, 3}, {1, 2}, {0, 3}, {3, 3}, {1, 2}};
  for (std::size_t i = 0; i < groups.size(); ++i) lives[i].ranks = groups[i];
  EXPECT_EQ(groups_across(node_map_of(place), lives), 3);
  EXPECT_EQ(groups_across(node_map_of(Place{}), lives), 0);
}

TEST(ComplaintAbout, NamesWhatCannotBe) {
  const Place good = place_of({2, 2}, {2, 2});
  EXPECT_EQ(complaint_about(good, 4), "");
  EXPECT_THAT(complaint_about(good, 5), HasSubstr("every rank once"));
  EXPECT_THAT(complaint_about({}, 1), HasSubstr("every rank once"));
  Place bad = good;
  bad.nodes[1].bindings[0].ranks = {1, 3};
  EXPECT_THAT(complaint_about(bad, 4), HasSubstr("every rank once"));
  bad.nodes[1].bindings.clear();
  EXPECT_THAT(complaint_about(bad, 2), HasSubstr("without ranks"));
  bad = good;
  bad.nodes[0].bindings[0].cpus = {};
  EXPECT_THAT(complaint_about(bad, 4), HasSubstr("without a processor"));
  bad.nodes[0].bindings[0].cpus = {0, 1 << 14};
  EXPECT_THAT(complaint_about(bad, 4), HasSubstr("no host has"));
  bad = good;
  bad.nodes[0].facts.load = -1;
  EXPECT_THAT(complaint_about(bad, 4), HasSubstr("load"));
}

/// A directory that replaces the root directory of a host.
class HostFactsOf : public testing::Test {
 protected:
  void file(const std::string& path, const std::string& text) { directory_.write(path, text); }

  const TestDirectory directory_;
  const std::string root_ = directory_.path();
};

TEST_F(HostFactsOf, ANormalHostAreWhatItsFilesSay) {
  file("/proc/cpuinfo", "processor\t: 0\nmodel name\t: A chip: fast\nprocessor\t: 1\n");
  file("/sys/devices/system/cpu/smt/active", "1\n");
  file("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
  file("/proc/sys/kernel/osrelease", "6.1.0-13\n");
  file("/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");
  file("/proc/loadavg", "1.25 2.50 3.00 1/100 77\n");
  const HostFacts nothing_known = host_facts(root_ + "/none");
  EXPECT_EQ(nothing_known, HostFacts());
  const HostFacts expected{"A chip: fast", "on", "performance", "6.1.0-13", "tsc", 0, 1.25};
  EXPECT_EQ(host_facts(root_), expected);
}

TEST_F(HostFactsOf, AGroupOfVersion2AreTheLeastQuotaUpToTheRoot) {
  file("/proc/self/cgroup", "0::/job/step/task\n");
  EXPECT_EQ(processor_quota(root_), 0);
  file("/sys/fs/cgroup/job/step/task/cpu.max", "max 100000\n");
  EXPECT_EQ(processor_quota(root_), 0);
  file("/sys/fs/cgroup/job/step/cpu.max", "400000 100000\n");
  EXPECT_EQ(processor_quota(root_), 4);
  file("/sys/fs/cgroup/job/cpu.max", "150000 100000\n");
  EXPECT_EQ(processor_quota(root_), 1.5);
  file("/sys/fs/cgroup/job/cpu.max", "800000 100000\n");
  EXPECT_EQ(processor_quota(root_), 4);
}

TEST_F(HostFactsOf, AGroupOfVersion2AreTheLeastMemoryThatIsLeftUpToTheRoot) {
  EXPECT_EQ(available_memory(root_), 0);
  file("/proc/meminfo", "MemTotal:  9000 kB\nMemFree:  100 kB\nMemAvailable:  8000 kB\n");
  EXPECT_EQ(available_memory(root_), 8000 * 1024);
  file("/proc/self/cgroup", "0::/job/step\n");
  file("/sys/fs/cgroup/job/step/memory.max", "max\n");
  file("/sys/fs/cgroup/job/step/memory.current", "1000\n");
  EXPECT_EQ(available_memory(root_), 8000 * 1024);
  file("/sys/fs/cgroup/job/memory.max", "5000\n");
  file("/sys/fs/cgroup/job/memory.current", "2000\n");
  EXPECT_EQ(available_memory(root_), 3000);
}

TEST_F(HostFactsOf, AGroupOfVersion1AreItsQuotaInItsPeriod) {
  file("/proc/self/cgroup", "7:memory:/other\n4:cpu,cpuacct:/job/task\n2:cpuset:/third\n");
  file("/sys/fs/cgroup/cpu,cpuacct/job/task/cpu.cfs_quota_us", "-1\n");
  file("/sys/fs/cgroup/cpu,cpuacct/job/task/cpu.cfs_period_us", "50000\n");
  EXPECT_EQ(processor_quota(root_), 0);
  file("/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "150000\n");
  file("/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "50000\n");
  EXPECT_EQ(processor_quota(root_), 3);
  file("/sys/fs/cgroup/cpuset/third/cpu.cfs_quota_us", "50000\n");  // not the cpu controller
  file("/sys/fs/cgroup/cpuset/third/cpu.cfs_period_us", "50000\n");
  EXPECT_EQ(processor_quota(root_), 3);
}

/// In a container, the control group has its outer name, and its files are at the root.
TEST_F(HostFactsOf, AContainerAreTheQuotaOfItsRoot) {
  file("/proc/self/cgroup", "0::/docker/1234\n");
  file("/sys/fs/cgroup/cpu.max", "200000 100000\n");
  EXPECT_EQ(processor_quota(root_), 2);
}

TEST(HostFacts, OfThisHostHaveAKernel) { EXPECT_NE(host_facts().kernel, ""); }

/// Calls have_own_processors() for the given numbers of ranks with each set of processors.
bool have_own(const std::vector<std::pair<int, RankSet>>& choices) {
  std::vector<Binding> bindings;
  int rank = 0;
  for (const auto& [ranks, cpus] : choices) {
    bindings.push_back({{rank, rank + ranks - 1}, cpus});
    rank += ranks;
  }
  return have_own_processors(bindings);
}

TEST(OwnProcessors, AreThereForAsManyRanksAsProcessorsThatNobodyElseNeeds) {
  EXPECT_TRUE(have_own({{4, {0, 3}}}));
  EXPECT_FALSE(have_own({{5, {0, 3}}}));
  EXPECT_TRUE(have_own({}));
  EXPECT_TRUE(have_own({{2, {0, 2}}, {1, {0, 0}}}));
  EXPECT_FALSE(have_own({{2, {0, 1}}, {1, {0, 0}}, {1, {2, 7}}}));
}

/// Tries all assignments of four processors to ranks.
bool have_own_by_trial(const std::vector<unsigned>& masks, std::size_t rank, unsigned taken) {
  if (rank == masks.size()) return true;
  for (unsigned cpu = 1; cpu < 16; cpu <<= 1) {
    if ((masks[rank] & cpu & ~taken) != 0 && have_own_by_trial(masks, rank + 1, taken | cpu)) {
      return true;
    }
  }
  return false;
}

TEST(OwnProcessors, AreThereWhereverSomeWayToDivideThemIs) {
  for (unsigned code = 0; code < 15 * 15 * 15 * 15; ++code) {
    std::vector<unsigned> masks;
    std::vector<std::pair<int, RankSet>> choices;
    for (unsigned rest = code, rank = 0; rank < 4; ++rank, rest /= 15) {
      masks.push_back(rest % 15 + 1);
      std::vector<RankRange> cpus;
      for (int cpu = 0; cpu < 4; ++cpu) {
        if ((masks.back() >> cpu & 1) != 0) cpus.push_back({cpu, cpu});
      }
      choices.emplace_back(1, RankSet::of(std::move(cpus)));
    }
    ASSERT_EQ(have_own(choices), have_own_by_trial(masks, 0, 0)) << code;
  }
}

Place some_place() {
  const HostFacts facts{"a chip", "on", "powersave", "6.1", "tsc", 1.5, 0.25};
  return {{{"n1", {{{0, 1}, {0, 3}}, {RankSet::of({{2, 2}, {5, 6}}), {4, 4}}}, facts},
           {"n2", {{{3, 4}, {0, 1}}}, {}}},
          "An MPI\nof two lines",
          {{"UCX_TLS", "self,\"tcp\""}},
          "12.server"};
}

TEST(PlaceJson, BringsBackWhatItWasMadeOf) {
  const nlohmann::json json = some_place();
  EXPECT_EQ(nlohmann::json::parse(json.dump()).get<Place>(), some_place());
}

TEST(PlaceJson, RefusesRanksThatAreNoAscendingRanges) {
  nlohmann::json json = some_place();
  json["nodes"][0]["bindings"][0]["cpus"] = "3-0";
  EXPECT_THROW(json.get<Place>(), std::invalid_argument);
  json["nodes"][0]["bindings"][0]["cpus"] = 3;
  EXPECT_ANY_THROW(json.get<Place>());
  EXPECT_ANY_THROW(nlohmann::json::object().get<Place>());
}

TEST(OwnCpus, AreThoseThatTheProcessIsBoundTo) {
  const RankSet before = own_cpus();
  ASSERT_FALSE(before.empty());
  std::thread([&] {  // the mask belongs to the thread
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(before.hi()), &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    EXPECT_EQ(own_cpus(), RankSet(before.hi(), before.hi()));
    EXPECT_EQ(own_cores(), 1);
  })
      .join();
  EXPECT_EQ(own_cpus(), before);
  EXPECT_LE(own_cores(), before.size());
}

TEST(PlacingVariables, AreThoseOfMpiLibrariesAndSchedulersAndNoOthers) {
  const std::array environment{"UCX_TLS=tcp",
                               "PATH=/bin",
                               "SLURM_JOB_ID=7",
                               "FI_PROVIDER=a=b",
                               "MY_UCX_TLS=secret",
                               "SECRET_TOKEN=x",
                               "PBS_NODEFILE=/\x1b[2J",
                               "OMPI_MCA_btl=",
                               "MPIR_CVAR_NOLOCAL=1",
                               "SLURM_",
                               static_cast<const char*>(nullptr)};
  EXPECT_THAT(placing_variables(environment.data()),
              ElementsAre(Pair("FI_PROVIDER", "a=b"), Pair("MPIR_CVAR_NOLOCAL", "1"),
                          Pair("OMPI_MCA_btl", ""), Pair("PBS_NODEFILE", "/\xEF\xBF\xBD[2J"),
                          Pair("SLURM_JOB_ID", "7"), Pair("UCX_TLS", "tcp")));
}

TEST(JobId, IsThatOfWhicheverSchedulerThereIs) {
  for (const char* name : {"SLURM_JOB_ID", "PBS_JOBID", "FLUX_JOB_ID", "LSB_JOBID"}) {
    ASSERT_EQ(unsetenv(name), 0);
  }
  EXPECT_EQ(job_id(), "");
  for (const char* name : {"SLURM_JOB_ID", "PBS_JOBID", "FLUX_JOB_ID", "LSB_JOBID"}) {
    ASSERT_EQ(setenv(name, "12.server", 1), 0);
    EXPECT_EQ(job_id(), "12.server") << name;
    ASSERT_EQ(unsetenv(name), 0);
  }
}

}  // namespace
}  // namespace regroup::places_test
