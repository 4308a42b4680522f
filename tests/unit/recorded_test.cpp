// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/workloads/recorded.hpp"

#include <gmock/gmock.h>

#include <string>

#include "kernel/starting_groups.hpp"
#include "kernel/text/plain_text.hpp"
#include "library/resolve.hpp"
#include "tests/tasks.hpp"
#include "tests/unit/text_file.hpp"

namespace regroup::recorded_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class RecordedFile : public TextFile {
 public:
  using TextFile::TextFile;

  Items items(int run = 0) const { return read_recording(path(), run).items(); }
  std::string mistake(int run = 0) const {
    return TextFile::mistake<UserError>([&] { items(run); });
  }
  /// Returns a run of `chains` groups of one rank.
  Task run(int chains, NamedValues values = {}) const {
    Task run = virtual_run({{"ranks", std::to_string(chains)},
                            {"group_size", "1"},
                            {"workload", "recorded(recorded_file=\"" + path() + "\")"}});
    return with(run, values);
  }
};

constexpr const char* two_chains =
    "item,chain,seconds,note\n1,0,0.5,\n0,0,0.25,last of a chain\n0,1,3,\"a, b\"\n";

TEST(Recorded, HasAnItemForEachRowInWhateverOrder) {
  const RecordedFile file(two_chains);
  EXPECT_THAT(file.items(), ElementsAre(2, 1));
  const auto recording = read_recording(file.path(), 0);
  EXPECT_EQ(recording.stretch(0, 2).seconds, 0.25);
  EXPECT_EQ(recording.stretch(0, 1).seconds, 0.5);
  EXPECT_EQ(recording.stretch(1, 1).seconds, 3);
  EXPECT_EQ(recording.stretch(1, 1).ranks, 1);
  EXPECT_THAT(RecordedFile("chain,item,ranks,seconds\n2,0,4,1\n").items(), ElementsAre(0, 0, 1));
}

TEST(Recorded, SaysWhatIsWrongAndWhere) {
  const std::string columns = "chain,item,ranks,seconds\n";
  EXPECT_THAT(RecordedFile("chain,item\n0,0\n").mistake(), HasSubstr(":1: neither the columns"));
  EXPECT_EQ(RecordedFile(columns).mistake(), ": all items have a time of 0");
  EXPECT_THAT(RecordedFile(columns + "0,0,1,1\n0,1,0,1\n").mistake(),
              HasSubstr(":3: ranks is '0'"));
  EXPECT_THAT(RecordedFile(columns + "0,0,1,-1\n").mistake(), HasSubstr(":2: seconds is '-1'"));
  EXPECT_THAT(RecordedFile(columns + "0,0,1,nan\n").mistake(), HasSubstr(":2: seconds is 'nan'"));
  EXPECT_THAT(RecordedFile(columns + "9999999999,0,1,1\n").mistake(), HasSubstr(":2: chain is"));
  EXPECT_THAT(RecordedFile(columns + "0,0,1,1\n0,0,1,1\n").mistake(),
              HasSubstr(":3: duplicate item 0 of chain 0"));
  EXPECT_THAT(RecordedFile(columns + "0,0,1,1\n1,1,1,1\n").mistake(),
              HasSubstr(":3: item 1 of chain 1, which has no item 0"));
  EXPECT_THAT(RecordedFile(columns + "0,0,1,1").mistake(), HasSubstr(":2: "));
  EXPECT_EQ(RecordedFile("").mistake().substr(0, 1), ":");
}

// ---- events.csv

constexpr const char* events =
    "run,begin_event,begin_s,group_ranks,walker_id,items_left_begin,busy_until_s,end_event,end_s,"
    "items_left_end,executed_items_min,executed_items_max\n"
    "a,start,0,0-1,0,2,1,regroup,1,0,2,2\n"
    "a,start,0,2-3,2,10,2,regroup,2,6,4,4\n"
    "b,start,0,0-1,0,1,1,stop,1,0,1,1\n"
    "a,regroup,2,0-3,2,6,3.5,stop,4,0,6,6\n";

TEST(Recorded, TakesTheMeanOfEachIntervalOfARun) {
  const RecordedFile file(events);
  EXPECT_THAT(file.items(1), ElementsAre(2, 10));
  EXPECT_THAT(file.items(2), ElementsAre(1));
  const auto recording = read_recording(file.path(), 1);
  EXPECT_EQ(recording.stretch(1, 10).seconds, 0.5);
  EXPECT_EQ(recording.stretch(1, 7).ranks, 2);
  EXPECT_EQ(recording.stretch(1, 6).ranks, 4);
  EXPECT_EQ(recording.stretch(1, 1).seconds, 0.25);
  EXPECT_EQ(file.mistake(0), ": recorded_run must be one of the 2 runs in it: 1 is a, 2 is b");
  EXPECT_THAT(file.mistake(3), HasSubstr("one of the 2 runs"));
  std::string torn(events);
  torn.replace(torn.find(",6,4,4"), 6, ",7,3,3");
  EXPECT_THAT(RecordedFile(torn).mistake(1), HasSubstr(":3: the number of items left of walker 2"));
}

// ---- JSON of vt

std::string vt(const std::string& phases, const std::string& identical = "[]") {
  return R"({"type":"LBDatafile","metadata":{"phases":{"identical_to_previous":{"list":)" +
         identical + R"(,"range":[]}}},"phases":[)" + phases + "]}";
}
std::string phase(int id, const std::string& tasks) {
  return R"({"id":)" + std::to_string(id) + R"(,"tasks":[)" + tasks + "]}";
}
std::string task(int id, int node, double seconds) {
  return R"({"entity":{"home":0,"id":)" + std::to_string(id) +
         R"(,"migratable":true,"type":"object"},"node":)" + std::to_string(node) +
         R"(,"resource":"cpu","time":)" + std::to_string(seconds) + "}";
}

TEST(Recorded, ReadsTheTasksOfVtWhereverTheyMigrate) {
  const TestDirectory directory;
  directory.write(
      "data.0.json",
      vt(phase(0, task(7, 0, 1)) + "," + phase(1, task(7, 0, 2) + "," + task(3, 0, 0.25)), "[2]"));
  directory.write("data.1.json", vt(phase(0, task(3, 1, 0.5))));
  const std::string file = directory.path("data.0.json");
  EXPECT_THAT(files_of_recording(file), ElementsAre(file, directory.path("data.1.json")));
  const auto recording = read_recording(file, 0);
  EXPECT_THAT(recording.items(), ElementsAre(3, 3));  // task 7 starts on node 0, task 3 on node 1
  EXPECT_EQ(recording.stretch(0, 1).seconds, 2);
  EXPECT_EQ(recording.stretch(1, 3).seconds, 0.5);
  EXPECT_EQ(recording.stretch(1, 2).seconds, 0.25);

  const auto mistake = [&](const std::string& text) {
    directory.write("data.1.json", text);
    std::string wrong = "none";
    try {
      read_recording(directory.path("data.1.json"), 0);
    } catch (const UserError& error) {
      wrong = error.what();
    }
    return wrong;
  };
  EXPECT_THAT(mistake("{"), HasSubstr("data.1.json: is not JSON"));
  EXPECT_THAT(mistake("[]"), HasSubstr("is not JSON of load-balancing data"));
  EXPECT_THAT(mistake(R"({"phases":[{"id":0,"tasks":[{"time":1}]}]})"), HasSubstr("is not JSON"));
  EXPECT_THAT(mistake(vt(phase(0, task(1, 0, -1)))), HasSubstr("a task of -1 s"));
  EXPECT_THAT(mistake(vt(phase(0, task(1, 0, 1)), "[5]")), HasSubstr("phase 5"));
}

// ---- runs

TEST(Recorded, TakesItsTimesInVirtualTime) {
  const RecordedFile file(two_chains);
  const Task run = file.run(2, {{"balancer", "none"}, {"communicator", ""}});
  EXPECT_DOUBLE_EQ(simulate(run).makespan_s(), 3);
  const Items items = initial_items(run);
  EXPECT_DOUBLE_EQ(ideal_s(run, items), 3.75 / 2);
  EXPECT_DOUBLE_EQ(bound_s(run, items), 3.75 / 2);
  EXPECT_DOUBLE_EQ(ideal_s(run, Items{1, 0}), 0.5 / 2);  // the last item of chain 0
}

TEST(Recorded, ScalesItemsToTheSizeOfTheirGroupByTheSpeedup) {
  const RecordedFile file("chain,item,ranks,seconds\n0,0,2,1\n0,1,4,1\n");
  const Task perfect = file.run(1, {{"balancer", "none"}, {"communicator", ""}});
  EXPECT_DOUBLE_EQ(simulate(perfect).makespan_s(), 2 + 4);
  const Task amdahl = with(
      perfect, {{"ranks", "4"}, {"group_size", "4"}, {"speedup", "amdahl(serial_fraction=0.5)"}});
  EXPECT_NEAR(simulate(amdahl).makespan_s(), 0.625 / 0.75 + 1, 1e-9);  // rounded to picoseconds
}

TEST(Recorded, RefusesAnotherNumberOfWalkers) {
  const RecordedFile file(two_chains);
  EXPECT_THAT([&] { initial_items(file.run(3)); },
              testing::ThrowsMessage<std::invalid_argument>(HasSubstr("2 chains for 3 walkers")));
}

TEST(Recorded, IsReadAgainAfterAChange) {
  const TestDirectory directory;
  const Options options{{"recorded_file", directory.path("a.csv")}, {"recorded_run", "0"}};
  directory.write("a.csv", "chain,item,seconds\n0,0,1\n");
  const auto first = recording(options);
  EXPECT_EQ(recording(options), first);
  directory.write("a.csv", "chain,item,seconds\n0,0,1\n0,1,1\n");
  using Time = std::filesystem::file_time_type;
  std::filesystem::last_write_time(directory.path("a.csv"),
                                   Time::clock::now() + std::chrono::seconds(5));
  EXPECT_THAT(recording(options)->items(), ElementsAre(2));
}

}  // namespace
}  // namespace regroup::recorded_test
