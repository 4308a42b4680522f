// SPDX-License-Identifier: BSD-3-Clause
//
// What `regroup check` says of balancers that are right, and of such that are not.
#include "driver/check/check_balancer.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

#include "kernel/text/plain_text.hpp"
#include "library/resolve.hpp"
#include "tests/explorer/twisted.hpp"

namespace regroup::check_balancer_test {
namespace {

using testing::HasSubstr;

Inner inner_balancer() {
  return make_balancer({"asynchronous", {{"finished_groups", "release"}, {"listen_ms", "1"}}});
}

/// Stops where it ought to wait for an answer.
std::unique_ptr<Balancer> make_impatient(const Options&) {
  return std::make_unique<Twisted>(inner_balancer(), [](Inner& inner, const Knowledge& known) {
    Decision decision = inner->decide(known);
    if (std::holds_alternative<Wait>(decision.next)) decision.next = Stop{};
    return decision;
  });
}

/// Right where there are few ranks, as the explorer's runs have them.
std::unique_ptr<Balancer> make_wrong_when_large(const Options&) {
  return std::make_unique<Twisted>(inner_balancer(), [](Inner& inner, const Knowledge& known) {
    Decision decision = inner->decide(known);
    if (known.ranks > 500 && std::holds_alternative<Work>(decision.next)) {
      decision.next = Work{known.group.chain.items_left + 1, false};
    }
    return decision;
  });
}

/// … and then ends its process.
std::unique_ptr<Balancer> make_crashing_when_large(const Options&) {
  return std::make_unique<Twisted>(inner_balancer(), [](Inner& inner, const Knowledge& known) {
    Decision decision = inner->decide(known);
    if (known.ranks > 500) std::abort();
    return decision;
  });
}

Catalog with(std::string_view name, std::unique_ptr<Balancer> (*make)(const Options&)) {
  Catalog catalog = standard_catalog();
  catalog.balancers.push_back(BalancerEntry{
      {name, "wrong", {}}, Regrouping::any_time, Shapes::ranges, make, draws_nothing});
  return catalog;
}

struct Said {
  int code;
  std::string text;
};

Said said_of(const AskedCheck& asked, const Catalog& catalog = standard_catalog()) {
  testing::internal::CaptureStdout();
  const int code = check_balancer(asked, catalog);
  std::fflush(stdout);
  return {code, testing::internal::GetCapturedStdout()};
}

TEST(CheckOfABalancer, SaysThatItIsRightAndWhatWasTried) {
  const Said said = said_of({"collective", 0, 20});
  EXPECT_EQ(said.code, 0);
  EXPECT_THAT(said.text, HasSubstr("right: collective(exchange_interval=3): "));
  EXPECT_THAT(said.text, HasSubstr("left out for want of time"));
  EXPECT_THAT(said.text, HasSubstr("right: 20 random runs in virtual time"));
  EXPECT_THAT(said.text, HasSubstr("collective is right in all that was tried\n"));
}

TEST(CheckOfABalancer, TellsTheShortestWayToWhatIsWrong) {
  const Said said = said_of({"impatient", 20, 0}, with("impatient", make_impatient));
  EXPECT_EQ(said.code, 1);
  EXPECT_THAT(said.text, HasSubstr("wrong: impatient, with 2 groups of 1, 0 to 1 item each\n"));
  EXPECT_THAT(said.text, HasSubstr("request of rank"));
  EXPECT_THAT(said.text, HasSubstr("impatient is wrong\n"));
}

TEST(CheckOfABalancer, TriesLargeRunsToo) {
  const Said said =
      said_of({"wrong_when_large", 0.5, 300}, with("wrong_when_large", make_wrong_when_large));
  EXPECT_EQ(said.code, 1);
  EXPECT_THAT(said.text, HasSubstr("right: wrong_when_large: "));
  EXPECT_THAT(said.text, HasSubstr("wrong: random run "));
  EXPECT_THAT(said.text, HasSubstr("engine: virtual\nranks: "));
  EXPECT_THAT(said.text, HasSubstr("balancers: [wrong_when_large]\n"));
}

TEST(CheckOfABalancer, OutlivesABalancerThatCrashes) {
  const Said said = said_of({"crashing", 0, 300}, with("crashing", make_crashing_when_large));
  EXPECT_EQ(said.code, 1);
  EXPECT_THAT(said.text, HasSubstr("balancers: [crashing]\nit ended its process: signal 6"));
}

TEST(CheckOfABalancer, RefusesWhatIsNoBalancer) {
  EXPECT_THAT([] { check_balancer({"colective"}); },
              testing::ThrowsMessage<UserError>(HasSubstr("did you mean 'collective'?")));
}

}  // namespace
}  // namespace regroup::check_balancer_test
