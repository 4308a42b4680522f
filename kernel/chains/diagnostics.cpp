// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/chains/diagnostics.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
#include <numeric>

#include "regroup/numbers.hpp"

namespace regroup {
namespace {

using Draws = std::span<const double>;
using Complex = std::complex<double>;

/// Compares the draws, because a computed variance may be rounding noise.
bool is_constant(Draws draws) {
  return std::ranges::adjacent_find(draws, std::ranges::not_equal_to()) == draws.end();
}

struct MeanAndVariance {
  double mean;
  double variance;  // with divisor n - 1
};

/// `draws`: at least one.
MeanAndVariance moments_of(Draws draws) {
  if (is_constant(draws)) return {draws.front(), draws.size() > 1 ? 0 : no_figure};
  const auto n = static_cast<double>(draws.size());
  const double near_mean = std::accumulate(draws.begin(), draws.end(), 0.0) / n;
  double rest = 0;
  for (const double x : draws) rest += x - near_mean;
  const double mean = near_mean + rest / n;
  double squares = 0;
  for (const double x : draws) squares += (x - mean) * (x - mean);
  return {mean, squares / (n - 1)};
}

/// The first and last halves of all chains in turn, without the middle draw if the length is odd.
class Halves {
 public:
  Halves(Draws draws, std::size_t length_of_chain) : length_(length_of_chain / 2) {
    draws_.reserve(draws.size());
    for (; !draws.empty(); draws = draws.subspan(length_of_chain)) {
      const auto chain = draws.first(length_of_chain);
      const auto append = [this](Draws half) {
        draws_.insert(draws_.end(), half.begin(), half.end());
      };
      append(chain.first(length_));
      append(chain.last(length_));
    }
  }

  Draws draws() const { return draws_; }
  std::vector<double>& draws() { return draws_; }
  std::size_t length() const { return length_; }
  std::size_t count() const { return draws_.size() / length_; }
  Draws operator[](std::size_t i) const { return draws().subspan(i * length_, length_); }

 private:
  std::size_t length_;
  std::vector<double> draws_;
};

/// Normal quantiles of the ranks of draws. Sorts the draws only once.
class RankNormalization {
 public:
  explicit RankNormalization(const Halves& halves) : of_ranks_(halves.draws().size()) {
    const std::size_t count = of_ranks_.size();
    for (std::size_t i = 0; i < count / 2; ++i) {
      of_ranks_[i] = score(static_cast<double>(i + 1));
      of_ranks_[count - 1 - i] = -of_ranks_[i];
    }
    order_.reserve(count);
    for (const double x : halves.draws()) order_.push_back({x, order_.size()});
    std::ranges::sort(order_, {}, &Draw::value);
  }

  /// Replaces each draw by its distance from `centre`.
  void fold(double centre) {
    const auto above = std::ranges::lower_bound(order_, centre, {}, &Draw::value);
    std::reverse(order_.begin(), above);
    for (Draw& draw : order_) draw.value = std::abs(draw.value - centre);
    std::ranges::inplace_merge(order_, above, {}, &Draw::value);
  }

  /// Returns `halves` with quantiles instead of draws. Equal draws get that of their mean rank.
  Halves scores(Halves halves) const {
    for (std::size_t begin = 0; begin < order_.size();) {
      const auto rest = std::span(order_).subspan(begin);
      const auto other = std::ranges::find_if(
          rest, [&](const Draw& draw) { return draw.value != rest.front().value; });
      const std::span equal(rest.begin(), other);
      const std::size_t end = begin + equal.size();
      const double z =
          equal.size() == 1 ? of_ranks_[begin] : score(static_cast<double>(begin + 1 + end) / 2);
      for (const Draw& draw : equal) halves.draws()[draw.index] = z;
      begin = end;
    }
    return halves;
  }

 private:
  struct Draw {
    double value;
    std::size_t index;
  };

  double score(double rank) const {
    return exact::normal_quantile((rank - 0.375) / (static_cast<double>(of_ranks_.size()) + 0.25));
  }

  std::vector<double> of_ranks_;
  std::vector<Draw> order_;
};

double r_hat_of(const Halves& halves) {
  if (is_constant(halves.draws())) return no_figure;
  const auto n = static_cast<double>(halves.length());
  std::vector<double> means;
  double within = 0;
  for (std::size_t i = 0; i < halves.count(); ++i) {
    const auto [mean, variance] = moments_of(halves[i]);
    means.push_back(mean);
    within += variance / static_cast<double>(halves.count());
  }
  return std::sqrt((n * moments_of(means).variance / within + n - 1) / n);
}

/// Faster than the operator of std::complex, which also handles infinities.
Complex product(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// Autocovariances by fast Fourier transforms.
class Autocovariance {
 public:
  /// `length`: of the halves.
  explicit Autocovariance(std::size_t length)
      : size_(std::bit_ceil(2 * length)), roots_{1}, transformed_(size_), spectrum_(size_) {
    // Roots of unity in bit-reversed order, without sine functions, which differ between machines.
    roots_.reserve(size_ / 2);
    Complex root(0, 1);
    while (roots_.size() < size_ / 2) {
      const std::size_t known = roots_.size();
      for (std::size_t i = 0; i < known; ++i) roots_.push_back(product(roots_[i], root));
      const double cosine = std::sqrt((1 + root.real()) / 2);
      root = {cosine, root.imag() / (2 * cosine)};
    }
  }

  /// Returns the mean autocovariances of all halves, with divisor n, at the lags 0 to n - 1.
  std::vector<double> means_of(const Halves& halves) {
    std::ranges::fill(spectrum_, 0);
    // Only the sum of the spectra is needed, so two real halves share a complex transform.
    for (std::size_t i = 0; i < halves.count(); i += 2) {
      std::ranges::fill(transformed_, 0);
      const double first_mean = moments_of(halves[i]).mean;
      const double last_mean = moments_of(halves[i + 1]).mean;
      for (std::size_t t = 0; t < halves.length(); ++t) {
        transformed_[t] = {halves[i][t] - first_mean, halves[i + 1][t] - last_mean};
      }
      transform();
      for (std::size_t k = 0; k < size_; ++k) spectrum_[k] += std::norm(transformed_[k]);
    }
    std::ranges::copy(spectrum_, transformed_.begin());
    transform_back();
    std::vector<double> means;
    means.reserve(halves.length());
    const auto divisor = static_cast<double>(size_) * static_cast<double>(halves.draws().size());
    for (std::size_t t = 0; t < halves.length(); ++t) {
      means.push_back(transformed_[t].real() / divisor);
    }
    return means;
  }

 private:
  /// transform() yields bit-reversed order; transform_back() multiplies by `size_`.
  void transform() {
    for (std::size_t half = size_ / 2; half > 0; half /= 2) {
      for (std::size_t block = 0; 2 * half * block < size_; ++block) {
        Complex* const a = &transformed_[2 * half * block];
        for (std::size_t i = 0; i < half; ++i) {
          const Complex turned = product(a[i + half], roots_[block]);
          a[i + half] = a[i] - turned;
          a[i] += turned;
        }
      }
    }
  }
  void transform_back() {
    for (std::size_t half = 1; half < size_; half *= 2) {
      for (std::size_t block = 0; 2 * half * block < size_; ++block) {
        Complex* const a = &transformed_[2 * half * block];
        for (std::size_t i = 0; i < half; ++i) {
          const Complex difference = a[i] - a[i + half];
          a[i] += a[i + half];
          a[i + half] = product(difference, std::conj(roots_[block]));
        }
      }
    }
  }

  std::size_t size_;
  std::vector<Complex> roots_;
  std::vector<Complex> transformed_;
  std::vector<double> spectrum_;
};

/// Returns the integrated autocorrelation time by Geyer's initial monotone sequence: sums of pairs
/// of autocorrelations, made monotone, up to the first negative pair.
double integrated_time(std::span<const double> autocovariances, double between) {
  const std::size_t n = autocovariances.size();
  const double within = autocovariances[0] * static_cast<double>(n) / static_cast<double>(n - 1);
  const double total = autocovariances[0] + between;
  const auto correlation = [&](std::size_t lag) {
    return lag == 0 ? 1 : 1 - (within - autocovariances[lag]) / total;
  };
  double sum = 0;
  double before = std::numeric_limits<double>::infinity();
  std::size_t lag = 0;
  double even = correlation(0);
  double pair = even + correlation(1);
  while (pair > 0 && lag + 5 < n) {
    before = std::min(before, pair);
    sum += before;
    lag += 2;
    even = correlation(lag);
    pair = even + correlation(lag + 1);
  }
  // If the first pair is also the last, it counts as 1. Of the last pair, only the even lag counts.
  const double last = even > 0 || pair >= 0 ? even : 0;
  return -1 + 2 * (lag == 0 ? 1 : sum) + last;
}

double ess_of(const Halves& halves, Autocovariance& autocovariance) {
  if (halves.length() < 3 || is_constant(halves.draws())) return no_figure;
  std::vector<double> means;
  for (std::size_t i = 0; i < halves.count(); ++i) means.push_back(moments_of(halves[i]).mean);
  const double time = integrated_time(autocovariance.means_of(halves), moments_of(means).variance);
  const auto draws = static_cast<double>(halves.draws().size());
  const double shortest = std::numbers::ln10 / exact::log(draws);  // for antithetic chains
  return draws / std::max(time, shortest);
}

/// Returns the draw at `index` in sorted order. Reorders `draws`.
double ordered(std::vector<double>& draws, std::size_t index) {
  const auto at = draws.begin() + static_cast<std::ptrdiff_t>(index);
  std::ranges::nth_element(draws, at);
  return *at;
}

double median_of(std::vector<double>& draws) {
  const double high = ordered(draws, draws.size() / 2);
  if (draws.size() % 2 == 1) return high;
  return std::midpoint(ordered(draws, draws.size() / 2 - 1), high);
}

}  // namespace

Diagnostics diagnostics_of(std::span<const std::vector<double>> chains) {
  Diagnostics found;
  if (chains.empty()) return found;
  const std::size_t length =
      std::ranges::min_element(chains, {}, &std::vector<double>::size)->size();
  if (length == 0) return found;
  std::vector<double> draws;
  draws.reserve(chains.size() * length);
  bool is_stuck = false;
  for (const std::vector<double>& chain : chains) {
    const auto counted = Draws(chain).first(length);
    draws.insert(draws.end(), counted.begin(), counted.end());
    is_stuck = is_stuck || is_constant(counted);
  }
  found.mean = moments_of(draws).mean;
  // Ranks are computed from the original draws; sums are more accurate around 0.
  std::vector<double> centred = draws;
  for (double& x : centred) x -= found.mean;
  found.sd = std::sqrt(moments_of(centred).variance);
  if (length < 4 || is_stuck) return found;

  std::vector<double> reordered = draws;
  const double median = median_of(reordered);
  const Halves halves(draws, length);
  RankNormalization normalization(halves);
  const Halves bulk = normalization.scores(halves);
  const double bulk_r_hat = r_hat_of(bulk);
  normalization.fold(median);
  const double folded_r_hat = r_hat_of(normalization.scores(halves));
  if (!std::isnan(bulk_r_hat + folded_r_hat)) found.r_hat = std::max(bulk_r_hat, folded_r_hat);

  Autocovariance autocovariance(halves.length());
  found.bulk_ess = ess_of(bulk, autocovariance);
  const auto ess_of_quantile = [&](std::size_t percent) {
    // An interpolated quantile would select the same draws.
    const double quantile = ordered(reordered, (draws.size() - 1) * percent / 100);
    Halves below = halves;
    for (double& x : below.draws()) x = x <= quantile ? 1 : 0;
    return ess_of(below, autocovariance);
  };
  const double low_ess = ess_of_quantile(5);
  const double high_ess = ess_of_quantile(95);
  if (!std::isnan(low_ess + high_ess)) found.tail_ess = std::min(low_ess, high_ess);
  found.mcse = found.sd / std::sqrt(ess_of(Halves(centred, length), autocovariance));
  return found;
}

}  // namespace regroup
