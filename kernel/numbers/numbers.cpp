// SPDX-License-Identifier: BSD-3-Clause
#include "regroup/numbers.hpp"

#include <Random123/philox.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "kernel/numbers/parse.hpp"

namespace regroup {

std::uint64_t random_bits(std::uint64_t seed, Purpose purpose, std::uint64_t who,
                          std::uint64_t count) {
  const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
  const auto high = [](std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); };
  const r123::Philox4x32::ctr_type counter{{low(count), high(count), low(who), high(who)}};
  const r123::Philox4x32::ukey_type key{
      {low(seed), high(seed) ^ (static_cast<std::uint32_t>(purpose) << 24)}};
  const auto drawn = r123::Philox4x32{}(counter, key);
  return (static_cast<std::uint64_t>(drawn[1]) << 32) | drawn[0];
}

double unit_interval(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1.0p-53; }

// Uses the midpoints of 2^52 equal intervals. With 2^53 intervals, they would be rounded.
double standard_normal(std::uint64_t bits) {
  return exact::normal_quantile((static_cast<double>(bits >> 12) + 0.5) * 0x1.0p-52);
}

}  // namespace regroup

namespace regroup::exact {
namespace {

// ln 2 in two parts; the first has few enough bits that its product with an exponent is exact.
constexpr double ln2_high = 0x1.62e42feep-1;
constexpr double ln2_low = 0x1.a39ef35793c76p-33;
constexpr double ln2 = 0x1.62e42fefa39efp-1;

/// x = mantissa · 2^exponent with a mantissa around 1, which frexp computes without rounding.
struct Parts {
  double mantissa;
  int exponent;
};

Parts parts(double x) {
  Parts p{};
  p.mantissa = std::frexp(x, &p.exponent);
  if (p.mantissa < 0x1.6a09e667f3bcdp-1) {  // √½
    p.mantissa *= 2;
    --p.exponent;
  }
  return p;
}

/// log m = 2 artanh s with s = (m − 1) / (m + 1), by its series; |s| < 0.172.
double log_of_mantissa(double m) {
  const double s = (m - 1) / (m + 1);
  const double square = s * s;
  double sum = 0;
  for (int k = 25; k >= 3; k -= 2) sum = (sum + 1.0 / k) * square;
  return 2 * s + 2 * s * sum;
}

template <std::size_t N>
double polynomial(const std::array<double, N>& coefficients, double x) {
  double sum = 0;
  for (std::size_t i = N; i > 0; --i) sum = sum * x + coefficients[i - 1];
  return sum;
}

/// The three rational functions of AS 241: for the centre, the flanks and the far tails.
struct Rational {
  std::array<double, 8> above;
  std::array<double, 8> below;

  double operator()(double x) const { return polynomial(above, x) / polynomial(below, x); }
};

constexpr Rational centre{
    {3.3871328727963666080e0, 1.3314166789178437745e+2, 1.9715909503065514427e+3,
     1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
     3.3430575583588128105e+4, 2.5090809287301226727e+3},
    {1, 4.2313330701600911252e+1, 6.8718700749205790830e+2, 5.3941960214247511077e+3,
     2.1213794301586595867e+4, 3.9307895800092710610e+4, 2.8729085735721942674e+4,
     5.2264952788528545610e+3}};

constexpr Rational flank{
    {1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0,
     3.64784832476320460504e0, 1.27045825245236838258e0, 2.41780725177450611770e-1,
     2.27238449892691845833e-2, 7.74545014278341407640e-4},
    {1, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
     1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
     1.05075007164441684324e-9}};

constexpr Rational tail{
    {6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0,
     2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
     2.71155556874348757815e-5, 2.01033439929228813265e-7},
    {1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
     7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
     2.04426310338993978564e-15}};

}  // namespace

double log(double x) {
  const auto [mantissa, exponent] = parts(x);
  return exponent * ln2_high + (log_of_mantissa(mantissa) + exponent * ln2_low);
}

double log2(double x) {
  const auto [mantissa, exponent] = parts(x);
  return exponent + log_of_mantissa(mantissa) / ln2;
}

// exp x = 2^k · exp r with |r| <= ½ ln 2; exp r by its series.
double exp(double x) {
  if (x < -700) return 0;
  const double k = std::floor(std::min(x, 1000.0) / ln2 + 0.5);
  const double r = (x - k * ln2_high) - k * ln2_low;
  double sum = 1;
  for (int n = 14; n >= 1; --n) sum = 1 + sum * r / n;
  return std::ldexp(sum, static_cast<int>(k));
}

double normal_quantile(double p) {
  const double q = p - 0.5;
  if (std::abs(q) <= 0.425) return q * centre(0.180625 - q * q);
  const double r = std::sqrt(-log(std::min(p, 1 - p)));
  const double z = r <= 5 ? flank(r - 1.6) : tail(r - 5);
  return q < 0 ? -z : z;
}

}  // namespace regroup::exact

namespace regroup {

std::uint64_t hash_number(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

std::string hash_text(std::string_view text) { return hash_digits(hash_number(text)); }

std::string hash_digits(std::uint64_t number) { return fmt::format("{:016x}", number); }

std::optional<std::uint64_t> hash_from(std::string_view digits) {
  if (digits.size() != 16) return std::nullopt;
  return parse<std::uint64_t>(digits, 16);
}

}  // namespace regroup
