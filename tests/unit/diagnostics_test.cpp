// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/chains/diagnostics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "kernel/numbers/statistics.hpp"
#include "regroup/numbers.hpp"

namespace regroup::diagnostics_test {
namespace {

using Chain = std::vector<double>;
using Chains = std::vector<Chain>;

/// Replaces each draw x, number i of its chain, by `change(x, chain, i)`.
template <typename Change>
Chains changed(Chains chains, const Change& change) {
  for (std::size_t chain = 0; chain < chains.size(); ++chain) {
    for (std::size_t i = 0; i < chains[chain].size(); ++i) {
      double& x = chains[chain][i];
      x = change(x, static_cast<double>(chain), static_cast<double>(i));
    }
  }
  return chains;
}

/// Returns chains x' = φ x + √(1 - φ²) z, with mean 0 and variance 1, the same on every machine.
Chains autoregressive(std::uint64_t seed, std::size_t count, std::size_t length, double phi) {
  Chains chains(count, Chain(length));
  const double rest = std::sqrt(1 - phi * phi);
  for (std::size_t chain = 0; chain < count; ++chain) {
    for (std::size_t i = 0; i < length; ++i) {
      const double z = standard_normal(random_bits(seed, Purpose::exploration, chain, i));
      chains[chain][i] = i == 0 ? z : phi * chains[chain][i - 1] + rest * z;
    }
  }
  return chains;
}

Chains independent(std::uint64_t seed, std::size_t count, std::size_t length) {
  return autoregressive(seed, count, length, 0);
}

/// A standard Cauchy variate is the quotient of two normal ones.
Chains cauchy(std::uint64_t seed, std::size_t count, std::size_t length) {
  const Chains divisors = independent(seed + 1'000'000, count, length);
  return changed(independent(seed, count, length), [&](double x, double chain, double i) {
    return x / divisors[static_cast<std::size_t>(chain)][static_cast<std::size_t>(i)];
  });
}

/// Rounds draws to multiples of 2^-20, so that sums with integers up to 2^32 are exact.
Chains rounded(const Chains& chains) {
  return changed(chains, [](double x, double, double) { return std::round(x * 0x1p20) * 0x1p-20; });
}

struct Set {
  std::string name;
  Chains chains;
};

std::vector<Set> sets() {
  const auto walk = [](Chain chain) {
    for (std::size_t i = 1; i < chain.size(); ++i) chain[i] += chain[i - 1];
    return chain;
  };
  std::vector<Set> sets{
      {"independent", independent(1, 4, 1000)},
      {"correlated", autoregressive(2, 4, 500, 0.9)},
      {"strongly correlated", autoregressive(3, 4, 400, 0.99)},
      {"weakly antithetic", autoregressive(4, 4, 500, -0.3)},
      {"antithetic", autoregressive(5, 4, 500, -0.9)},
      {"strongly antithetic", autoregressive(6, 2, 300, -0.999)},
      {"alternating",
       changed(independent(7, 3, 100),
               [](double x, double, double i) { return std::fmod(i, 2) + 0.01 * x; })},
      {"ties", changed(autoregressive(8, 4, 300, 0.5),
                       [](double x, double, double) { return std::floor(2 * x); })},
      {"two values",
       changed(independent(9, 4, 250), [](double x, double, double) { return x > 1 ? 1 : 0; })},
      {"rare value",
       changed(independent(10, 4, 250), [](double x, double, double) { return x > 1.8 ? 1 : 0; })},
      {"two equally frequent values", changed(independent(11, 2, 100),
                                              [](double, double chain, double i) {
                                                return std::fmod(std::floor(i / 3) + chain, 2);
                                              })},
      {"tenths", changed(independent(12, 4, 200),
                         [](double x, double, double) { return std::round(10 * x) / 10; })},
      {"Cauchy", cauchy(13, 4, 400)},
      {"one Cauchy chain", independent(14, 4, 400)},
      {"exponential", changed(autoregressive(15, 4, 300, 0.6),
                              [](double x, double, double) { return exact::exp(2 * x); })},
      {"shifted chain",
       changed(independent(16, 4, 200),
               [](double x, double chain, double) { return chain == 2 ? x + 1 : x; })},
      {"scaled chain",
       changed(independent(17, 4, 200),
               [](double x, double chain, double) { return chain == 1 ? 3 * x : x; })},
      {"one chain", autoregressive(18, 1, 600, 0.5)},
      {"odd length", autoregressive(19, 3, 333, 0.3)},
      {"trend",
       changed(independent(20, 4, 250), [](double x, double, double i) { return x + i / 125; })},
      {"trend of one chain", changed(autoregressive(21, 1, 501, 0.2),
                                     [](double x, double, double i) { return x - i / 100; })},
      {"random walks", independent(22, 4, 256)},
      {"far from 0", changed(rounded(autoregressive(23, 4, 250, 0.4)),
                             [](double x, double, double) { return x - 1e6; })},
      {"small",
       changed(autoregressive(24, 4, 250, 0.4), [](double x, double, double) { return 1e-9 * x; })},
      {"large",
       changed(autoregressive(25, 4, 250, 0.4), [](double x, double, double) { return 1e30 * x; })},
      {"many chains", autoregressive(26, 50, 10, 0.2)},
      {"halves constant at two values",
       changed(independent(27, 4, 20), [](double, double, double i) { return i < 10 ? 0 : 1; })},
      {"halves constant at many values",
       changed(independent(28, 4, 20),
               [](double, double chain, double i) { return chain + (i < 10 ? 0 : 0.3); })},
      {"only middle draws differ",
       changed(independent(61, 4, 21),
               [](double x, double, double i) { return i == 10 ? x : 0.1; })},
      {"one half constant",
       changed(independent(29, 4, 60),
               [](double x, double chain, double i) { return chain == 3 && i >= 30 ? 0.1 : x; })},
  };
  for (std::size_t length = 4; length <= 13; ++length) {
    sets.push_back({"length " + std::to_string(length), independent(30 + length, 4, length)});
  }
  for (std::size_t length : {4, 5, 7, 8, 21}) {
    sets.push_back({"one chain of length " + std::to_string(length),
                    autoregressive(50 + length, 1, length, 0.3)});
  }
  for (Set& set : sets) {
    if (set.name == "one Cauchy chain") set.chains[3] = cauchy(60, 1, 400)[0];
    if (set.name == "random walks") std::ranges::transform(set.chains, set.chains.begin(), walk);
  }
  return sets;
}

/// Results of the R package posterior 1.4.0: mean(), sd(), rhat(), ess_bulk(), ess_tail() and
/// mcse_mean(). An R-hat of 9.6e15, which is rounding noise, is replaced by infinity.
std::map<std::string, Diagnostics> figures_of_posterior() {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  return {
      {"independent",
       {0.019578136057235355, 1.0127230727485261, 1.0004590684974091, 3976.97969300366,
        3789.229815222905, 0.016059928119988156}},
      {"correlated",
       {-0.057035168092912147, 0.99233120965609567, 1.0395154121268952, 108.04906968039752,
        204.46169391500737, 0.095393252274668799}},
      {"strongly correlated",
       {-0.25734328185926675, 1.1339741007392565, 1.4117998949134898, 8.4141863063888938,
        17.58540105412666, 0.39314692865958556}},
      {"weakly antithetic",
       {-0.028678306132519489, 0.97856963849932133, 1.0001288015004481, 3917.7355279797057,
        2078.4206449886842, 0.015655098746384127}},
      {"antithetic",
       {4.1719279736501905e-06, 1.0155942920719756, 1.005257003288119, 6602.0599913279621,
        690.04016963222728, 0.012499151099422557}},
      {"strongly antithetic",
       {-9.7226934570274895e-05, 0.76396469107745935, 1.6387755765657646, 1666.8907502301861,
        17.886602623393884, 0.018711978874634383}},
      {"alternating",
       {0.49954112178351923, 0.50226521262788804, 1.0020106997868541, 743.13637641589878,
        350.32944145154511, 0.018424632719885585}},
      {"ties",
       {-0.44916666666666666, 2.020515951305538, 1.0013218949920195, 432.03753279238646,
        739.1451129255463, 0.097278404596543244}},
      {"two values",
       {0.16700000000000001, 0.3731624984510773, 1.0012924746488332, 945.37596646842962, no_figure,
        0.012136562967732918}},
      {"rare value",
       {0.031, 0.17340435135563662, 0.99978028991965751, 1080.3793813585189, 1080.3793813585196,
        0.0052755998557134356}},
      {"two equally frequent values",
       {0.5, 0.50125470711708553, no_figure, 124.90964729075074, no_figure, 0.044849796098718996}},
      {"tenths",
       {-0.054625, 0.98413121695749384, 1.0020101435569864, 769.75674824577652, 715.60983611982624,
        0.035454380386003903}},
      {"Cauchy",
       {0.87302179262421054, 37.815437126548815, 1.0005435232874214, 1461.4627047935753,
        1422.9490667477937, 0.93540623050785487}},
      {"one Cauchy chain",
       {-0.15777157067965764, 5.40354294246759, 1.0274469645523807, 1607.1952460751515,
        148.82551007255978, 0.13334682527697123}},
      {"exponential",
       {6.1430120405023709, 23.073093501198805, 1.0105653675149029, 267.54776971488297,
        647.74159234728074, 0.97416692891381285}},
      {"shifted chain",
       {0.26587074382196813, 1.0670783362355716, 1.0769256360211923, 37.514671772282661,
        283.74751100710574, 0.1770218116419307}},
      {"scaled chain",
       {-0.015336945204796651, 1.8113430207926737, 1.1631116705801505, 790.5406067264845,
        42.389336205779358, 0.065512417567389028}},
      {"one chain",
       {-0.020289276178205053, 1.073767967065385, 1.0018829108897644, 188.95211403425623,
        231.1831851648345, 0.079864324090890879}},
      {"odd length",
       {-0.026929935923662138, 1.0056852684779267, 1.0002970170303485, 597.95708574699836,
        816.02282688328216, 0.0411854377823987}},
      {"trend",
       {1.0054010381747689, 1.1507149735021076, 1.158496232738252, 17.435613721347732,
        265.46179525167565, 0.27597495989406473}},
      {"trend of one chain",
       {-2.349999782703541, 1.762395642064432, 1.6728236769195894, 1.6130409524002851,
        14.907350279194926, 1.4176323308364882}},
      {"random walks",
       {-4.2340174512958759, 7.0396117390818427, 1.8337799196771087, 6.0203459700824515,
        17.68969162370983, 2.9697574320198448}},
      {"far from 0",
       {-1000000.0057700215, 1.0467821219976574, 1.0075381770739946, 421.79852240304018,
        763.34466352175525, 0.051863848946866666}},
      {"small",
       {4.9073864727385562e-11, 1.0007410454266538e-09, 1.0029108351783305, 477.67360901864146,
        694.80125872556948, 4.5729576763317378e-11}},
      {"large",
       {-1.1826039180451392e+29, 9.9119815093067837e+29, 0.99937740471474656, 487.17790927796,
        689.94822706165485, 4.49327541387038e+28}},
      {"many chains",
       {-0.036072433401789693, 1.0239443569111373, 1.0447127923253998, 250, 250,
        0.064759927302311338}},
      {"halves constant at two values",
       {0.5, 0.5031546054266276, no_figure, 6.666666666666667, no_figure, 0.19487094073848926}},
      {"halves constant at many values",
       {1.6499999999999999, 1.135168531512704, infinite, 6.666666666666667, no_figure,
        0.43964888176874323}},
      {"only middle draws differ",
       {0.10507838674565485, 0.14174248691901345, no_figure, no_figure, no_figure, no_figure}},
      {"one half constant",
       {-0.0046278082960725464, 0.92316658346456537, 1.3191905694919142, 257.63193331450464,
        238.46713705577972, 0.056867287243345721}},
      {"length 4",
       {-0.56994727894537367, 0.88282109430544675, 1.1511656127327092, no_figure, no_figure,
        no_figure}},
      {"length 5",
       {0.16256222218663929, 1.0569875391979708, 1.019090245821354, no_figure, no_figure,
        no_figure}},
      {"length 6",
       {-0.09409571559114549, 0.90762012639853029, 1.2756051490758256, 12, 12,
        0.26200736214905684}},
      {"length 7",
       {0.10815042346536774, 1.0300871661751381, 1.1985277515031412, 12, 12, 0.29736055133999739}},
      {"length 8",
       {0.16525363081996078, 1.1862546089555615, 1.2873389691109804, 16, 16, 0.29656365223889036}},
      {"length 9",
       {-0.14917854444205078, 1.1174989300225291, 1.0228588455647867, 16, 16, 0.27937473250563227}},
      {"length 10",
       {0.23442360755510278, 1.0312740400104745, 1.0172684437128661, 20, 20, 0.23059988568942588}},
      {"length 11",
       {-0.014897624527031191, 1.0401910918970116, 1.0531668817419368, 20, 20,
        0.23259379910714487}},
      {"length 12",
       {0.1544655001470373, 1.0759881776161162, 1.1339551661662357, 38.269244852212289,
        35.72183814558764, 0.15699528629798457}},
      {"length 13",
       {-0.26711258604590632, 1.2680017514414352, 0.97389581018375226, 80.699579394028191,
        66.206896551724128, 0.14115108402394969}},
      {"one chain of length 4",
       {-1.5793937489945129, 0.53804147519531109, 0.8995624064403569, no_figure, no_figure,
        no_figure}},
      {"one chain of length 5",
       {0.30748851808336175, 0.75045094569185067, 0.8995624064403569, no_figure, no_figure,
        no_figure}},
      {"one chain of length 7",
       {-0.27167414846760912, 1.212656926843485, 1.3631179632564319, 3, no_figure,
        0.70012780314775047}},
      {"one chain of length 8",
       {-1.0465850334335731, 0.83146339878053677, 2.0596821006296668, 4, 4, 0.41573169939026838}},
      {"one chain of length 21",
       {-0.27698874351050901, 0.93004309653928463, 1.2070887219264528, 6.1954868573127051,
        25.641025641025632, 0.38219812868848829}},
  };
}

/// Compares means relative to the standard deviation, since a mean may be near 0.
void expect_near(const Diagnostics& found, const Diagnostics& expected, double tolerance) {
  const auto compare = [&](double a, double b, double scale, const char* name) {
    SCOPED_TRACE(name);
    if (std::isfinite(b)) {
      EXPECT_NEAR(a, b, tolerance * scale);
    } else {
      EXPECT_EQ(std::isnan(a), std::isnan(b));
      EXPECT_EQ(std::isinf(a), std::isinf(b));
    }
  };
  compare(found.mean, expected.mean, std::isnan(expected.sd) ? 1 : expected.sd, "mean");
  compare(found.sd, expected.sd, expected.sd, "sd");
  compare(found.r_hat, expected.r_hat, expected.r_hat, "r_hat");
  compare(found.bulk_ess, expected.bulk_ess, expected.bulk_ess, "bulk_ess");
  compare(found.tail_ess, expected.tail_ess, expected.tail_ess, "tail_ess");
  compare(found.mcse, expected.mcse, expected.mcse, "mcse");
}

void expect_only_mean_and_sd(const Chains& chains, double mean, double sd) {
  expect_near(diagnostics_of(chains), {.mean = mean, .sd = sd}, 1e-12);
}

TEST(Diagnostics, AreThoseOfPosterior) {
  const auto expected = figures_of_posterior();
  for (const Set& set : sets()) {
    SCOPED_TRACE(set.name);
    expect_near(diagnostics_of(set.chains), expected.at(set.name), 1e-10);
  }
}

TEST(Diagnostics, CutChainsToTheShortest) {
  const auto expected = figures_of_posterior();
  for (Set& set : sets()) {
    SCOPED_TRACE(set.name);
    for (std::size_t chain = 1; chain < set.chains.size(); ++chain) {
      set.chains[chain].insert(set.chains[chain].end(), chain, 1e6);
    }
    expect_near(diagnostics_of(set.chains), expected.at(set.name), 1e-10);
  }
}

TEST(Diagnostics, AreTheSameFarFromZero) {
  for (const Chains& chains : {independent(1, 4, 1000), autoregressive(2, 3, 501, 0.9),
                               autoregressive(3, 4, 100, -0.9), cauchy(4, 4, 20)}) {
    const Chains near = rounded(chains);
    for (const double shift : {3e9, -1e6}) {
      Diagnostics found =
          diagnostics_of(changed(near, [shift](double x, double, double) { return x + shift; }));
      EXPECT_NEAR(found.mean, shift + diagnostics_of(near).mean, 1e-6);
      found.mean = diagnostics_of(near).mean;
      expect_near(found, diagnostics_of(near), 1e-9);
    }
  }
}

TEST(Diagnostics, AreMissingWithoutVariance) {
  expect_only_mean_and_sd(Chains(4, Chain(1000, 0.1)), 0.1, 0);
  expect_only_mean_and_sd(Chains(1, Chain(999, 0.1)), 0.1, 0);
  Chains apart(4);
  for (std::size_t i = 0; i < 4; ++i) apart[i].assign(1000, 0.1 * static_cast<double>(i));
  expect_only_mean_and_sd(apart, 0.15, std::sqrt(0.0125 * 4000 / 3999));
}

TEST(Diagnostics, AreMissingIfOneChainDoesNotMove) {
  Chains chains = independent(1, 4, 1000);
  chains[2].assign(1000, 0.1);
  const Diagnostics found = diagnostics_of(chains);
  EXPECT_GT(found.sd, 0.8);
  expect_only_mean_and_sd(chains, found.mean, found.sd);
  chains[2].push_back(0.2);  // the longer chain is truncated
  expect_only_mean_and_sd(chains, found.mean, found.sd);
}

TEST(Diagnostics, AreMissingWithTooFewDraws) {
  expect_near(diagnostics_of({}), {}, 0);
  expect_near(diagnostics_of(Chains(4)), {}, 0);
  expect_near(diagnostics_of(Chains{{1, 2, 3, 4, 5}, {}}), {}, 0);
  expect_near(diagnostics_of(Chains{{3}}), {.mean = 3}, 0);
  expect_only_mean_and_sd({{1}, {3}}, 2, std::sqrt(2));
  expect_only_mean_and_sd({{1, 2, 3}}, 2, 1);
  expect_only_mean_and_sd({{1, 2, 3}, {2, 3, 4, 9, 9}}, 2.5, std::sqrt(1.1));
}

// The draws are the same on every machine. Builds without optimization try fewer sets.
#ifdef NDEBUG
constexpr std::uint64_t autoregressive_sets = 1000;
constexpr std::uint64_t differing_sets = 200;
#else
constexpr std::uint64_t autoregressive_sets = 200;
constexpr std::uint64_t differing_sets = 20;
#endif

TEST(Diagnostics, EstimateEffectiveSamplesAndErrorOfAutoregressiveChains) {
  for (const double phi : {0.0, 0.5, 0.9}) {
    SCOPED_TRACE(phi);
    std::vector<double> bulk_ess;
    int covered = 0;
    for (std::uint64_t seed = 0; seed < autoregressive_sets; ++seed) {
      const Diagnostics found = diagnostics_of(autoregressive(1000 + seed, 4, 1000, phi));
      bulk_ess.push_back(found.bulk_ess);
      if (std::abs(found.mean) <= 1.96 * found.mcse) ++covered;
    }
    EXPECT_NEAR(median(bulk_ess) / (4000 * (1 - phi) / (1 + phi)), 1, 0.1);
    EXPECT_GE(covered, 0.92 * autoregressive_sets);
    EXPECT_LE(covered, 0.97 * autoregressive_sets);
  }
}

TEST(Diagnostics, FindAChainThatDiffers) {
  for (std::uint64_t seed = 0; seed < differing_sets; ++seed) {
    SCOPED_TRACE(seed);
    const Chains chains = independent(5000 + seed, 4, 1000);
    Chains differing = chains;
    for (double& x : differing[1]) x += 1;
    EXPECT_GT(diagnostics_of(differing).r_hat, 1.01);
    differing = chains;
    for (double& x : differing[2]) x *= 3;
    EXPECT_GT(diagnostics_of(differing).r_hat, 1.01);
    differing = chains;
    differing[3] = cauchy(7000 + seed, 1, 1000)[0];
    EXPECT_GT(diagnostics_of(differing).r_hat, 1.01);
  }
}

}  // namespace
}  // namespace regroup::diagnostics_test
