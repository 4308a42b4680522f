// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include "kernel/text/plain_text.hpp"
#include "regroup/costs.hpp"
#include "tests/unit/text_file.hpp"

namespace regroup::measured_costs_test {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

/// Two files of measurements, removed at the end of the test.
class MeasuredCostsTest : public testing::Test {
 protected:
  MeasuredCostsTest() {
    write("creation.csv",
          "communicator,pattern,ranks,group_size,create_median_s,status\n"
          "create_group,one_group,32,2,0.001,ok\n"
          "create_group,one_group,32,8,0.003,ok\n"
          "create_group,halves,32,16,9,ok\n"
          "create_group,one_group,32,16,,failed\n"
          "create_group,one_group,32,4,9,killed\n"
          "create_group,one_group,256,2,0.5,ok\n"
          "comm_split,one_group,32,2,0.004,ok\n"
          "comm_split,one_group,128,2,0.008,ok\n");
    write("steps.csv",
          "ranks,group_size,look_for_request_s,message_s,tell_members_s,exchange_loads_s,status\n"
          "32,4,8,8,8,8,ok\n"  // superseded below
          "32,4,1e-7,1e-4,5e-5,0.002,ok\n"
          "32,4,7,7,7,7,timeout\n"
          "32,16,1e-7,1e-4,7e-5,0.001,ok\n"
          "256,4,9,9,9,9,ok\n");
  }

  void write(const std::string& name, const std::string& text) const {
    directory_.write(name, text);
  }

  Costs costs(int ranks, std::string_view strategy) const {
    const Options options{{"costs_file", directory_.path("creation.csv")},
                          {"steps_file", directory_.path("steps.csv")}};
    return find_entry(cost_models(), "measured")
        ->make(options, ranks, find_entry(strategies(), strategy));
  }

 private:
  TestDirectory directory_;
};

TEST_F(MeasuredCostsTest, OfAGroupCollectiveStrategyGoByMembersWithTheNearestNumberOfRanks) {
  const Costs measured = costs(40, "create_group");
  EXPECT_DOUBLE_EQ(measured.create(2), 0.001);
  EXPECT_DOUBLE_EQ(measured.create(4), 0.002);   // interpolated
  EXPECT_DOUBLE_EQ(measured.create(16), 0.004);  // extrapolated beyond the last point
  EXPECT_DOUBLE_EQ(measured.create(1), 0.001);   // the value of the first point
}

TEST_F(MeasuredCostsTest, OfAParentCollectiveStrategyGoByRanks) {
  EXPECT_DOUBLE_EQ(costs(64, "comm_split").create(2), 0.006);
  EXPECT_DOUBLE_EQ(costs(64, "comm_split").create(64), 0.006);
  EXPECT_EQ(costs(32, "range").create(8), 0);
}

TEST_F(MeasuredCostsTest, AreThoseOfTheNumberOfRanksWithTheSmallestRatio) {
  // 100 is 3.1 times 32, and 256 is 2.6 times 100.
  EXPECT_EQ(costs(100, "create_group").create(2), 0.5);
  EXPECT_EQ(costs(100, "create_group").message(), 9);
  EXPECT_EQ(costs(90, "create_group").message(), 1e-4);
}

TEST_F(MeasuredCostsTest, CountTheSmallerLastGroupAmongTheLeaders) {
  write("steps.csv",
        "ranks,group_size,look_for_request_s,message_s,tell_members_s,exchange_loads_s,status\n"
        "10,4,1,1,1,3,ok\n"
        "10,2,1,1,1,5,ok\n");
  const Costs measured = costs(10, "range");
  EXPECT_EQ(measured.exchange(3), 3);
  EXPECT_EQ(measured.exchange(5), 5);
}

TEST_F(MeasuredCostsTest, OfStepsGoByMembersAndLeaders) {
  const Costs measured = costs(32, "create_group");
  EXPECT_DOUBLE_EQ(measured.message(), 1e-4);
  EXPECT_DOUBLE_EQ(measured.look(), 1e-7);
  EXPECT_DOUBLE_EQ(measured.tell(8), 6e-5);
  EXPECT_DOUBLE_EQ(measured.tell(1), 0);
  EXPECT_EQ(measured.exchange(1), 0);
  EXPECT_DOUBLE_EQ(measured.exchange(2), 0.001);  // 32 ranks in groups of 16
  EXPECT_DOUBLE_EQ(measured.exchange(4), 0.0015);
  EXPECT_DOUBLE_EQ(measured.exchange(8), 0.002);
}

TEST_F(MeasuredCostsTest, ThatWereNotMeasuredOrAreOfAnotherSchemaAreTheUsersMistake) {
  EXPECT_THAT([&] { costs(32, "comm_create"); },
              ThrowsMessage<UserError>(HasSubstr("no row with communicator comm_create")));
  write("provenance.yaml", "invocation: 1\nschema: 1\n");
  EXPECT_THAT([&] { costs(32, "create_group"); },
              ThrowsMessage<UserError>(HasSubstr("provenance.yaml:1: ")));
}

TEST_F(MeasuredCostsTest, ThatCannotBeAreTheUsersMistake) {
  const std::string header =
      "ranks,group_size,look_for_request_s,message_s,tell_members_s,exchange_loads_s,status\n";
  for (const char* time :
       {"x", "-1e-9", "nan", "inf", "1001", "1e18", "1e400", "0x1p-4", " 1", "1,5", ""}) {
    write("steps.csv", header + "32,4,1,1,\"" + time + "\",1,ok\n");
    EXPECT_THROW(costs(32, "create_group"), UserError) << time;
  }
  for (const char* ranks : {"0", "-4", "4.5", "nan", "1048577"}) {
    write("steps.csv", header + ranks + ",4,1,1,1,1,ok\n");
    EXPECT_THROW(costs(32, "create_group"), UserError) << ranks;
  }
  write("steps.csv", header + "32,4,x,1,1,1,ok\n");
  EXPECT_THAT([&] { costs(32, "create_group"); },
              ThrowsMessage<UserError>(
                  HasSubstr("steps.csv:2: 'x' is not a valid value of look_for_request_s; "
                            "allowed: number from 0 to 1000")));
}

}  // namespace
}  // namespace regroup::measured_costs_test
