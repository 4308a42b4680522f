// SPDX-License-Identifier: BSD-3-Clause
//
// Tests the reports of `regroup check` for correct and for broken balancers.
#include "driver/check/check_balancer.hpp"

#include <gmock/gmock.h>

#include <csignal>
#include <cstdlib>

#include "kernel/text/plain_text.hpp"
#include "tests/explorer/twisted.hpp"
#include "tests/tasks.hpp"

namespace regroup::check_balancer_test {
namespace {

using testing::HasSubstr;

Inner inner_balancer() {
  const auto chosen = balancer("asynchronous");
  return chosen->make(chosen.options);
}

std::unique_ptr<Balancer> twisted(void (*change)(Decision&, const Inner&, const Knowledge&)) {
  return std::make_unique<Twisted>(inner_balancer(), changing(change));
}

/// Stops instead of waiting for an answer.
std::unique_ptr<Balancer> make_impatient(const Options&) {
  return twisted([](Decision& decision, const Inner&, const Knowledge&) {
    if (std::holds_alternative<Wait>(decision.next)) decision.next = Stop{};
  });
}

/// Works on too many items, but only in runs with more ranks than the explorer uses.
std::unique_ptr<Balancer> make_wrong_when_large(const Options&) {
  return twisted([](Decision& decision, const Inner&, const Knowledge& known) {
    if (known.ranks > 500 && std::holds_alternative<Work>(decision.next)) {
      decision.next = Work{known.group.chain.items_left + 1, false};
    }
  });
}

/// Aborts its process in runs with more ranks than the explorer uses.
std::unique_ptr<Balancer> make_crashing_when_large(const Options&) {
  return twisted([](Decision&, const Inner&, const Knowledge& known) {
    if (known.ranks <= 500) return;
    std::signal(SIGABRT, SIG_DFL);  // the handler of the tests would report a crash of the test
    std::abort();
  });
}

/// The catalog of Regroup with the broken balancers above.
const Catalog& with_wrong_balancers() {
  static const Catalog all = make_catalog(
      [](Catalog& catalog) {
        const auto add = [&](std::string_view name, auto make) {
          catalog.balancers.push_back(
              {{name, "wrong", {}}, Regrouping::any_time, Shapes::ranges, make, draws_nothing});
        };
        add("impatient", make_impatient);
        add("wrong_when_large", make_wrong_when_large);
        add("crashing", make_crashing_when_large);
      },
      engines());
  return all;
}

struct Said {
  int code;
  std::string text;
};

Said said_of(const AskedCheck& asked) {
  testing::internal::CaptureStdout();
  const int code = check_balancer(asked, with_wrong_balancers());
  std::fflush(stdout);
  return {code, testing::internal::GetCapturedStdout()};
}

TEST(CheckOfABalancer, SaysThatItIsRightAndWhatWasTried) {
  const Said said = said_of({"collective", 0, 20});
  EXPECT_EQ(said.code, 0);
  EXPECT_THAT(said.text, HasSubstr("right: collective(exchange_interval=3): "));
  EXPECT_THAT(said.text, HasSubstr("skipped because the time limit was reached"));
  EXPECT_THAT(said.text, HasSubstr("right: 20 random runs in virtual time"));
  EXPECT_THAT(said.text, HasSubstr("collective: no error found\n"));
}

TEST(CheckOfABalancer, TellsTheShortestWayToWhatIsWrong) {
  const Said said = said_of({"impatient", 20, 0});
  EXPECT_EQ(said.code, 1);
  EXPECT_THAT(said.text, HasSubstr("wrong: impatient, with 2 groups of 1, 0 to 1 item each\n"));
  EXPECT_THAT(said.text, HasSubstr("request of rank"));
  EXPECT_THAT(said.text, HasSubstr("impatient: wrong\n"));
}

TEST(CheckOfABalancer, TriesLargeRunsToo) {
  const Said said = said_of({"wrong_when_large", 0.5, 300});
  EXPECT_EQ(said.code, 1);
  EXPECT_THAT(said.text, HasSubstr("right: wrong_when_large: "));
  EXPECT_THAT(said.text, HasSubstr("wrong: random run "));
  EXPECT_THAT(said.text, HasSubstr("engine: virtual\nranks: "));
  EXPECT_THAT(said.text, HasSubstr("balancers: [wrong_when_large]\n"));
}

TEST(CheckOfABalancer, OutlivesABalancerThatCrashes) {
  const Said said = said_of({"crashing", 0, 300});
  EXPECT_EQ(said.code, 1);
  EXPECT_THAT(said.text, HasSubstr("balancers: [crashing]\nits process was killed by signal 6"));
}

TEST(CheckOfABalancer, RefusesWhatIsNoBalancer) {
  EXPECT_THAT([] { check_balancer({"colective"}, catalog()); },
              testing::ThrowsMessage<UserError>(HasSubstr("did you mean 'collective'?")));
}

}  // namespace
}  // namespace regroup::check_balancer_test
