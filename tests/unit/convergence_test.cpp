// SPDX-License-Identifier: BSD-3-Clause
#include "regroup/convergence.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "kernel/chains/diagnostics.hpp"
#include "regroup/numbers.hpp"

namespace regroup::convergence_test {
namespace {

using testing::HasSubstr;

const std::vector<std::string> names{"x"};

double normal(std::uint64_t stream, std::int64_t chain, std::int64_t i) {
  return standard_normal(random_bits(stream, Purpose::exploration,
                                     static_cast<std::uint64_t>(chain),
                                     static_cast<std::uint64_t>(i)));
}

/// Returns draws of a chain x' = r x + √(1 - r²) z around `middle`, with variance 1. One draw is
/// worth `(1 - r) / (1 + r)` independent draws.
std::vector<double> draws_of(std::uint64_t stream, int chain, std::int64_t count, double r,
                             double middle) {
  std::vector<double> draws;
  double x = normal(stream, chain, 0);
  for (std::int64_t i = 1; i <= count; ++i) {
    x = r * x + std::sqrt(1 - r * r) * normal(stream, chain, i);
    draws.push_back(middle + x);
  }
  return draws;
}

/// Appends reports of `every` draws each, and one of the remaining draws.
void add_chain(std::vector<ChainReport>& reports, int chain, std::int64_t every,
               const std::vector<double>& draws, bool keep_draws = false) {
  ChainReport report{chain, 0, 0, {{}}, {}};
  for (std::size_t i = 0; i < draws.size(); ++i) {
    report.quantities.front().add(draws[i]);
    if (keep_draws) report.draws.push_back(draws[i]);
    report.items = static_cast<std::int64_t>(i) + 1;
    if (report.items % every != 0 && i + 1 < draws.size()) continue;
    reports.push_back(report);
    report = {chain, 0, 0, {{}}, {}};
  }
}

/// Returns four chains of 20,000 draws each, in 200 reports each.
std::vector<ChainReport> four_chains(double r, std::vector<double> middles = {0, 0, 0, 0}) {
  std::vector<ChainReport> reports;
  for (int chain = 0; chain < 4; ++chain) {
    add_chain(reports, chain, 100,
              draws_of(7, chain, 20'000, r, middles[static_cast<std::size_t>(chain)]));
  }
  return reports;
}

Diagnostics figures(const std::vector<ChainReport>& reports) {
  return convergence_of(reports, names).quantities.front();
}

TEST(Moments, KeepTheirDigitsWhateverTheMean) {
  // Multiples of 2^-20 can be added to these means without rounding.
  std::vector<double> draws = draws_of(1, 0, 1000, 0.3, 0);
  for (double& draw : draws) draw = std::round(draw * 1048576) / 1048576;
  const auto of = [&](double middle) {
    Moments whole;
    Moments parts;
    for (std::size_t i = 0; i < draws.size(); i += 10) {
      Moments part;
      for (std::size_t k = i; k < i + 10; ++k) {
        whole.add(middle + draws[k]);
        part.add(middle + draws[k]);
      }
      parts += part;
    }
    EXPECT_NEAR(parts.mean - whole.mean + parts.mean_rest - whole.mean_rest, 0, 1e-12);
    EXPECT_NEAR(parts.variance(), whole.variance(), 1e-12);
    return std::pair((whole.mean - middle) + whole.mean_rest, whole.variance());
  };
  for (const double middle : {-1e6, 1e8, 3e9}) {
    EXPECT_NEAR(of(middle).first, of(0).first, 1e-12) << middle;
    EXPECT_NEAR(of(middle).second, of(0).second, 1e-12) << middle;
  }
  Moments none;
  none += Moments();
  EXPECT_EQ(none, Moments());
  EXPECT_EQ(none.variance(), 0);
}

TEST(BatchFigures, AreNearTheTruthWhereChainsAgree) {
  for (const double r : {0.0, 0.5, 0.9}) {
    const auto reports = four_chains(r);
    const Convergence found = convergence_of(reports, names);
    EXPECT_FALSE(found.of_draws);
    EXPECT_EQ(found.per_chain, 200);
    EXPECT_LT(found.r_hat(), 1.01) << r;
    EXPECT_NEAR(figures(reports).sd, 1, 0.05);
    const double right = 80'000 * (1 - r) / (1 + r);
    EXPECT_GT(found.effective_samples(), 0.4 * right) << r;
    EXPECT_LT(found.effective_samples(), 1.1 * right) << r;
    EXPECT_NEAR(figures(reports).mean, 0, 4 * figures(reports).mcse);
  }
}

TEST(BatchFigures, AreOnTheSafeSideWhereReportsAreShorterThanTheChainRemembers) {
  std::vector<ChainReport> reports;
  for (int chain = 0; chain < 4; ++chain)
    add_chain(reports, chain, 1, draws_of(7, chain, 2000, 0.9, 0));
  EXPECT_LT(convergence_of(reports, names).effective_samples(), 1.2 * 8000 * 0.1 / 1.9);
}

TEST(BatchFigures, ShowChainsThatDisagree) {
  // The variance of the means 0, 1, 2, 3 is 5/3; the variance within each chain is 1.
  const auto reports = four_chains(0, {0, 1, 2, 3});
  EXPECT_GT(convergence_of(reports, names).r_hat(), 1.4);
  EXPECT_LT(convergence_of(reports, names).effective_samples(), 10);
  std::vector<ChainReport> drifting;  // all chains drift alike
  for (int chain = 0; chain < 4; ++chain) {
    std::vector<double> draws = draws_of(7, chain, 1000, 0, 0);
    for (std::size_t i = 0; i < draws.size(); ++i) draws[i] += static_cast<double>(i) / 250;
    add_chain(drifting, chain, 10, draws);
  }
  EXPECT_GT(convergence_of(drifting, names).r_hat(), 1.3);
}

TEST(Figures, AreTheSameAroundALargeMean) {
  for (const bool keep_draws : {false, true}) {
    const auto of = [&](double middle) {
      std::vector<ChainReport> reports;
      for (int chain = 0; chain < 4; ++chain) {
        auto draws = draws_of(5, chain, 1000, 0.5, 0.1 * chain);
        for (double& draw : draws) draw = middle + std::round(draw * 1048576) / 1048576;
        add_chain(reports, chain, 10, draws, keep_draws);
      }
      return figures(reports);
    };
    const Diagnostics right = of(0);
    for (const double middle : {-1e6, 3e9}) {
      const Diagnostics found = of(middle);
      // Means are rounded to their last digit: 5e-7 near 3e9.
      const double of_means = std::abs(middle) * std::numeric_limits<double>::epsilon();
      EXPECT_NEAR(found.mean - middle, right.mean, of_means);
      const double allowed = keep_draws ? 1e-9 : 1e-9 + of_means;
      EXPECT_NEAR(found.sd, right.sd, allowed);
      EXPECT_NEAR(found.r_hat, right.r_hat, allowed);
      EXPECT_NEAR(found.bulk_ess / right.bulk_ess, 1, 10 * allowed);
      EXPECT_NEAR(found.mcse, right.mcse, allowed);
    }
  }
}

TEST(Figures, OfChainsOfUnequalLengthAreThoseOfTheirFirstDraws) {
  for (const bool keep_draws : {false, true}) {
    std::vector<ChainReport> cut;
    std::vector<ChainReport> whole;
    for (int chain = 0; chain < 3; ++chain) {
      const auto draws = draws_of(5, chain, 400 + 300 * chain, 0.5, 0.2 * chain);
      add_chain(whole, chain, 10, draws, keep_draws);
      add_chain(cut, chain, 10, {draws.begin(), draws.begin() + 400}, keep_draws);
    }
    EXPECT_EQ(convergence_of(whole, names).of_draws, keep_draws);
    EXPECT_EQ(convergence_of(whole, names).per_chain, keep_draws ? 400 : 40);
    EXPECT_EQ(figures(whole).mean, figures(cut).mean);
    EXPECT_EQ(figures(whole).r_hat, figures(cut).r_hat);
    EXPECT_EQ(figures(whole).bulk_ess, figures(cut).bulk_ess);
    EXPECT_EQ(figures(whole).mcse, figures(cut).mcse);
  }
}

TEST(Figures, AreNoneWhereAQuantityStandsStill) {
  for (const bool keep_draws : {false, true}) {
    for (const double apart : {0.0, 0.3}) {
      std::vector<ChainReport> reports;
      for (int chain = 0; chain < 4; ++chain) {
        // Sums of 0.1 have rounding errors.
        add_chain(reports, chain, 11, std::vector<double>(1100, 0.1 + apart * chain), keep_draws);
      }
      const Convergence found = convergence_of(reports, names);
      EXPECT_NEAR(figures(reports).mean, 0.1 + 1.5 * apart, 1e-12);
      EXPECT_TRUE(std::isnan(found.r_hat()));
      EXPECT_TRUE(std::isnan(found.effective_samples()));
      EXPECT_TRUE(std::isnan(figures(reports).mcse));
      EXPECT_EQ(text_of(found), "x does not vary in some chain");
      EXPECT_FALSE((StoppingRule{100, 0}).is_met_by(found));
      EXPECT_FALSE((StoppingRule{0, 1e-9}).is_met_by(found));
    }
  }
}

TEST(Figures, AreNoneWhileAChainWarmsUp) {
  auto reports = four_chains(0);
  reports.push_back({4, 100, 0, {{}}, {}});
  const Convergence found = convergence_of(reports, names);
  EXPECT_EQ(found.per_chain, 0);
  EXPECT_TRUE(std::isnan(found.r_hat()));
  EXPECT_EQ(text_of(found), "");
  EXPECT_EQ(text_of(convergence_of({}, names)), "");
}

TEST(TheWorst, IsNamedAndIsNoQuantityOfTheSampler) {
  const std::vector<std::string> several{"good", "bad", "accept_stat__"};
  std::vector<ChainReport> reports;
  for (int chain = 0; chain < 4; ++chain) {
    ChainReport report{chain, 400, 0, {{}, {}, {}}, {}};
    const auto good = draws_of(1, chain, 400, 0, 0);
    const auto bad = draws_of(2, chain, 400, 0.9, 0.5 * chain);
    for (std::size_t i = 0; i < good.size(); ++i) {
      const std::vector<double> draw{good[i], bad[i], 1};
      for (std::size_t k = 0; k < draw.size(); ++k) report.quantities[k].add(draw[k]);
      report.draws.insert(report.draws.end(), draw.begin(), draw.end());
    }
    reports.push_back(report);
  }
  const Convergence found = convergence_of(reports, several);
  EXPECT_EQ(found.worst()->name, "bad");
  EXPECT_EQ(found.r_hat(), found.quantities[1].r_hat);
  EXPECT_EQ(found.effective_samples(), found.quantities[1].effective_samples());
  EXPECT_LT(found.quantities[0].r_hat, 1.02);
  EXPECT_TRUE(std::isnan(found.quantities[2].r_hat));
  EXPECT_THAT(text_of(found), HasSubstr("(worst: bad)"));
}

TEST(AReport, ComesBackFromItsLine) {
  ChainReport report{3, 40, 0xfedcba9876543210, {{2, 0.1, 1e-300}, {2, -3e9, 0.3}}, {0.1, 1, 2, 3}};
  EXPECT_EQ(report_from_json(to_json(report)), report);
  EXPECT_ANY_THROW(report_from_json("{}"));
}

std::string wrong_with(const StoppingRule& rule, std::vector<std::int64_t> items, ReportPlan plan) {
  const auto found = complaint(rule, items, plan);
  return found ? found->wrong : "";
}

TEST(AStoppingRule, ThatMakesNoSenseIsRefused) {
  const std::vector<std::int64_t> items{100, 100};
  const ReportPlan plan{5, 1, 0, true};
  EXPECT_EQ(wrong_with({}, {}, {}), "");
  EXPECT_EQ(wrong_with({1.01, 400}, items, plan), "");
  const double infinite = std::numeric_limits<double>::infinity();
  for (const double r_hat : {0.5, -1.0, std::nan(""), infinite}) {
    EXPECT_THAT(wrong_with({r_hat, 0}, items, plan), HasSubstr("is impossible"));
  }
  for (const double samples : {-1.0, std::nan(""), infinite}) {
    EXPECT_THAT(wrong_with({0, samples}, items, plan), HasSubstr("effective samples"));
  }
  EXPECT_THAT(wrong_with({1.01, 0}, items, {0, 1, 0, true}), HasSubstr("needs reports"));
  EXPECT_THAT(wrong_with({1.01, 0}, {100}, plan), HasSubstr("there is one"));
  EXPECT_THAT(wrong_with({1.01, 0}, {0, 100}, plan), HasSubstr("there is one"));
  EXPECT_EQ(wrong_with({0, 400}, {100}, plan), "");
}

TEST(AStoppingRule, ThatCanNeverBeJudgedIsRefused) {
  const StoppingRule rule{1.01, 0};
  const std::string never = "could never end early";
  // The twentieth round is the first that is judged.
  EXPECT_EQ(wrong_with(rule, {100, 20}, {5, 1, 0, true}), "");
  EXPECT_THAT(wrong_with(rule, {99, 20}, {5, 1, 0, true}), HasSubstr(never));
  // Each chain needs twenty draws.
  EXPECT_THAT(wrong_with(rule, {100, 19}, {5, 1, 0, true}), HasSubstr("chain 1"));
  EXPECT_EQ(wrong_with(rule, {120, 60}, {5, 3, 0, true}), "");
  EXPECT_THAT(wrong_with(rule, {120, 59}, {5, 3, 0, true}), HasSubstr("chain 1"));
  EXPECT_EQ(wrong_with(rule, {120, 70}, {5, 1, 50, true}), "");
  EXPECT_THAT(wrong_with(rule, {120, 69}, {5, 1, 50, true}), HasSubstr("in its warm-up"));
  EXPECT_THAT(wrong_with(rule, {120, 40}, {5, 1, 50, true}), HasSubstr("in its warm-up"));
  // Without kept draws, each chain needs twenty reports with draws.
  EXPECT_EQ(wrong_with(rule, {100, 96}, {5, 1, 0, false}), "");
  EXPECT_THAT(wrong_with(rule, {100, 95}, {5, 1, 0, false}), HasSubstr("chain 1"));
  EXPECT_EQ(wrong_with(rule, {150, 146}, {5, 1, 50, false}), "");
  EXPECT_THAT(wrong_with(rule, {150, 145}, {5, 1, 50, false}), HasSubstr("chain 1"));
}

/// Simulates runs of four chains that end at 400 effective samples, with reports of 10 draws.
/// Returns the moments of their means, and the mean of their standard errors.
std::pair<Moments, double> runs_that_end_early(int runs, double r) {
  Moments means;
  double errors = 0;
  for (int run = 0; run < runs; ++run) {
    constexpr std::int64_t items = 20'000;
    ConvergenceMonitor monitor(names, 10, {0, 400}, std::vector<std::int64_t>(4, items));
    std::vector<std::vector<ChainReport>> chains(4);
    for (int chain = 0; chain < 4; ++chain) {
      const auto stream = static_cast<std::uint64_t>(run) + 1000;
      add_chain(chains[static_cast<std::size_t>(chain)], chain, 10,
                draws_of(stream, chain, 1200, r, 0), true);
    }
    for (std::size_t round = 0; round < 120 && monitor.enough_items() == 0; ++round) {
      for (const auto& chain : chains) monitor.add(chain[round], false);
    }
    EXPECT_GT(monitor.enough_items(), 0);
    const Diagnostics found = figures(monitor.reports());
    means.add(found.mean);
    errors += found.mcse / runs;
  }
  return {means, errors};
}

TEST(RunsThatEndEarly, AreAsFarFromTheTruthAsTheySay) {
#ifdef NDEBUG
  constexpr int runs = 200;
  constexpr double allowed = 0.15;
#else  // fewer runs without optimization
  constexpr int runs = 20;
  constexpr double allowed = 0.45;
#endif
  const auto [means, error] = runs_that_end_early(runs, 0.7);
  EXPECT_NEAR(std::sqrt(means.variance()) / error, 1, allowed);
  EXPECT_NEAR(means.mean, 0, 4 * error / std::sqrt(runs));
}

struct Told {
  ChainReport report;
  bool ended;
};

/// Returns the reports of a chain of `items` items; its means are drawn, wide apart at first.
std::vector<Told> reports_of(int number, std::int64_t items, std::int64_t every,
                             std::int64_t before = 0) {
  std::vector<Told> all;
  for (std::int64_t at = before; at < items;) {
    at = std::min(items, (at / every + 1) * every);
    const double drawn =
        standard_normal(random_bits(3, Purpose::exploration, static_cast<std::uint64_t>(number),
                                    static_cast<std::uint64_t>(at)));
    const double mean = drawn / 4 + 0.3 * number / static_cast<double>(at);
    all.push_back(
        {{number, at, static_cast<std::uint64_t>(at * 1000 + number), {{10, mean, 9}}, {}},
         at == items});
  }
  return all;
}

const std::vector<std::int64_t> lengths{300, 159, 0, 300, 250, 300};
constexpr std::int64_t every = 4;
constexpr StoppingRule asked{1.05, 1150};

std::vector<Told> all_reports() {
  std::vector<Told> all;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    std::ranges::copy(reports_of(static_cast<int>(i), lengths[i], every), std::back_inserter(all));
  }
  return all;
}

/// Returns the reports of all chains up to `items` items.
std::vector<ChainReport> up_to(std::int64_t items) {
  std::vector<ChainReport> some;
  for (const Told& told : all_reports()) {
    if (told.report.items <= items) some.push_back(told.report);
  }
  return some;
}

std::int64_t first_that_is_enough() {
  for (std::int64_t items = 20 * every; items < 159; items += every) {
    if (asked.is_met_by(convergence_of(up_to(items), names))) return items;
  }
  return 0;
}

TEST(Rounds, AreJudgedFromTheTwentiethOnAndAtMostTwentyWhileTheirNumberDoubles) {
  std::vector<std::int64_t> judged;
  for (std::int64_t round = next_checked(0); round < 2000; round = next_checked(round)) {
    judged.push_back(round);
  }
  EXPECT_EQ(judged.front(), 20);
  EXPECT_EQ(judged[19], 39);
  for (std::size_t i = 1; i < judged.size(); ++i) {
    EXPECT_GT(judged[i], judged[i - 1]);
    EXPECT_LE(20 * judged[i], 21 * judged[i - 1]);
  }
  EXPECT_LT(judged.size(), 110u);
}

TEST(ConvergenceMonitor, FindsTheFirstRoundThatIsEnoughInWhateverOrderReportsCome) {
  const std::int64_t right = first_that_is_enough();
  ASSERT_GT(right, 20 * every);
  ASSERT_LT(right, 39 * every);  // up to there, every round is judged
  EXPECT_EQ(items_until_met(up_to(right), names, every, asked), right);
  EXPECT_EQ(items_until_met(up_to(300), names, every, asked), right);
  EXPECT_EQ(items_until_met(up_to(right - 1), names, every, asked), 0);
  ASSERT_LT(right, 159);
  std::vector<Told> all = all_reports();
  for (unsigned seed = 0; seed < 50; ++seed) {
    std::ranges::shuffle(all, std::mt19937(seed));
    ConvergenceMonitor monitor(names, every, asked, lengths);
    for (const Told& told : all) {
      EXPECT_FALSE(monitor.complete());
      monitor.add(told.report, told.ended);
    }
    EXPECT_TRUE(monitor.complete());
    EXPECT_EQ(monitor.enough_items(), right);
    EXPECT_EQ(monitor.reports(), up_to(right));
    EXPECT_EQ(monitor.ends(),
              (std::vector<ChainEnd>{{0, right, static_cast<std::uint64_t>(right * 1000)},
                                     {1, right, static_cast<std::uint64_t>(right * 1000 + 1)},
                                     {3, right, static_cast<std::uint64_t>(right * 1000 + 3)},
                                     {4, right, static_cast<std::uint64_t>(right * 1000 + 4)},
                                     {5, right, static_cast<std::uint64_t>(right * 1000 + 5)}}));
  }
}

TEST(ConvergenceMonitor, CountsAChainThatFailsInTheRoundsThatItHasCompleted) {
  // Chain 1 differs most from the others: without it, the rule is met sooner.
  for (const std::int64_t item : {0, 3, 50, 80, 85, 120, 158}) {
    const ChainFailure failure{1, item, "broken"};
    std::vector<ChainReport> made;
    std::vector<Told> all = all_reports();
    std::erase_if(all, [&](const Told& told) {
      return told.report.number == 1 && (told.report.items > item || told.report.items % every > 0);
    });
    std::ranges::transform(all, std::back_inserter(made), &Told::report);
    const std::int64_t right =
        items_until_met(made, names, every, asked, std::vector<ChainFailure>{failure});
    for (unsigned seed = 0; seed < 20; ++seed) {
      std::ranges::shuffle(all, std::mt19937(seed));
      ConvergenceMonitor monitor(names, every, asked, lengths);
      const std::size_t when = seed * all.size() / 20;
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (i == when) monitor.add(failure);
        EXPECT_FALSE(monitor.complete());
        monitor.add(all[i].report, all[i].ended);
      }
      EXPECT_TRUE(monitor.complete());
      EXPECT_EQ(monitor.enough_items(), right) << item;
      EXPECT_EQ(monitor.found().chains, 4u);
      if (right == 0) continue;
      const bool counts = item >= right;
      EXPECT_EQ(monitor.ends().size(), counts ? 5u : 4u);
      for (const ChainReport& report : monitor.reports()) EXPECT_LE(report.items, right);
    }
  }
}

TEST(Convergence, LeavesOutChainsThatHaveFailed) {
  const std::vector<ChainReport> all = up_to(300);
  std::vector<ChainReport> others = all;
  std::erase_if(others, [](const ChainReport& report) { return report.number == 1; });
  const std::vector<ChainFailure> failures{{1, 159, "broken"}};
  const Convergence found = convergence_of(all, names, failures);
  EXPECT_EQ(found.chains, 4u);
  EXPECT_EQ(found.r_hat(), convergence_of(others, names).r_hat());
  EXPECT_EQ(convergence_of(all, names, failures, 159).chains, 5u);
  EXPECT_EQ(convergence_of(all, names, failures, 160).chains, 4u);
  std::vector<ChainReport> first = all;
  std::erase_if(first, [](const ChainReport& report) { return report.number > 0; });
  const StoppingRule agree{10, 0};
  EXPECT_TRUE(agree.is_met_by(found));
  EXPECT_FALSE(agree.is_met_by(convergence_of(first, names))) << "one chain agrees with nobody";
}

TEST(ConvergenceMonitor, JudgesARoundAsSoonAsItIsThereAndNotBefore) {
  ConvergenceMonitor monitor(names, every, asked, std::vector<std::int64_t>{9, 12});
  const auto first = reports_of(0, 9, every);
  const auto second = reports_of(1, 12, every);
  monitor.add(second[0].report, false);
  monitor.add(second[1].report, false);
  EXPECT_EQ(monitor.items(), 0);
  monitor.add(first[1].report, false);  // the previous report has not arrived yet
  EXPECT_EQ(monitor.items(), 0);
  monitor.add(first[0].report, false);
  EXPECT_EQ(monitor.items(), 8);
  monitor.add(second[2].report, true);
  EXPECT_EQ(monitor.items(), 8);
  EXPECT_FALSE(monitor.complete());
  monitor.add(first[2].report, true);
  EXPECT_EQ(monitor.items(), 12);
  EXPECT_TRUE(monitor.complete());
}

TEST(ConvergenceMonitor, KeepsAllReportsWhereTheyNeverAreEnough) {
  for (const StoppingRule& enough :
       {StoppingRule{}, StoppingRule{1.0001, 1e9}, StoppingRule{0, 1e9}}) {
    ConvergenceMonitor monitor(names, every, enough, lengths);
    for (const Told& told : all_reports()) monitor.add(told.report, told.ended);
    EXPECT_TRUE(monitor.complete());
    EXPECT_EQ(monitor.enough_items(), 0);
    EXPECT_EQ(monitor.reports(), up_to(300));
    const Convergence found = monitor.found();
    EXPECT_EQ(found.r_hat(), convergence_of(up_to(300), names).r_hat());
  }
}

TEST(ConvergenceMonitor, KnowsHowFarChainsAreThatObserveNothingNow) {
  ConvergenceMonitor monitor(names, 5, {0, 1}, std::vector<std::int64_t>{10});
  monitor.add({0, 5, 0, {{}}, {}}, false);
  EXPECT_EQ(monitor.items(), 5);
  monitor.add({0, 10, 0, {{}}, {}}, true);
  EXPECT_TRUE(monitor.complete());
  EXPECT_EQ(monitor.reports().size(), 2u);
  EXPECT_EQ(monitor.enough_items(), 0);
  EXPECT_TRUE(ConvergenceMonitor(names, 5, asked, std::vector<std::int64_t>{0, 0}).complete());
}

TEST(ConvergenceMonitor, GoesOnFromReportsOfAnEarlierRun) {
  const std::int64_t right = first_that_is_enough();
  for (const std::int64_t saved_at : {std::int64_t{0}, std::int64_t{42}, right, right + 9}) {
    std::vector<ChainReport> before;
    std::vector<Told> after;
    std::vector<std::int64_t> executed;
    std::vector<std::int64_t> left;
    for (const std::int64_t items : lengths) {
      executed.push_back(std::min(items, saved_at));
      left.push_back(items - executed.back());
    }
    for (const Told& told : all_reports()) {
      if (told.report.items <= saved_at) before.push_back(told.report);
      if (told.report.items > saved_at) after.push_back(told);
    }
    ConvergenceMonitor monitor(names, every, asked, left, executed, before);
    EXPECT_EQ(monitor.enough_items(), saved_at < right ? 0 : right);
    for (const Told& told : after) monitor.add(told.report, told.ended);
    EXPECT_TRUE(monitor.complete());
    EXPECT_EQ(monitor.enough_items(), right);
    EXPECT_EQ(monitor.reports(), up_to(right));
  }
}

TEST(ConvergenceMonitor, ExpectsNothingOfWhatWasExecutedBefore) {
  const std::vector<std::int64_t> left{3, 0, 9};
  const std::vector<std::int64_t> before{7, 30, 11};
  ConvergenceMonitor monitor(names, 5, {}, left, before);
  for (const Told& told : reports_of(0, 10, 5, 7)) monitor.add(told.report, told.ended);
  EXPECT_FALSE(monitor.complete());
  for (const Told& told : reports_of(2, 20, 5, 11)) monitor.add(told.report, told.ended);
  EXPECT_TRUE(monitor.complete());
  EXPECT_EQ(monitor.items(), 20);
}

}  // namespace
}  // namespace regroup::convergence_test
