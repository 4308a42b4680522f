// SPDX-License-Identifier: BSD-3-Clause
#include "posterior.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string_view>

namespace {

double log_likelihood(const Observation& seen, const Parameters& at) {
  const double z = (seen.y ? 1 : -1) * (at.a + at.b * seen.x);
  return -regroup::exact::log(1 + regroup::exact::exp(-z));
}

}  // namespace

std::vector<Observation> synthetic_data(int number) {
  std::vector<Observation> data;
  for (int i = 0; i < number; ++i) {
    const double x = -3 + 6 * (i + 0.5) / number;
    const double even = std::fmod(i * 0.6180339887498949, 1);  // spread evenly from 0 to 1
    data.push_back({x, even < 1 / (1 + regroup::exact::exp(0.5 - x))});
  }
  return data;
}

Posterior::Posterior(int observations, int steps, int burn_in, double width,
                     regroup::ChainName chain)
    : data_(synthetic_data(observations)),
      steps_in_item_(steps),
      burn_in_(std::int64_t{burn_in} * steps),
      width_(width),
      chain_(chain) {}

// Random numbers depend only on the chain and on the number of the step.
std::uint64_t Posterior::draw(int which) const {
  return regroup::random_bits(chain_.stream, regroup::Purpose::chain, chain_.number,
                              3 * steps_ + which);
}

// Members share the observations. Real numbers are summed as integers, so the sum does not depend
// on the number of members.
FixedPoint Posterior::log_posterior(const Parameters& at, regroup::Team& team) const {
  FixedPoint own;
  for (std::size_t i = team.rank(); i < data_.size(); i += team.size()) {
    own += FixedPoint::of(log_likelihood(data_[i], at));
  }
  return team.sum(own) + FixedPoint::of(-(at.a * at.a + at.b * at.b) / (2 * 2 * 2));
}

void Posterior::step(regroup::Team& team) {
  if (steps_ == 0) now_.log_p = log_posterior(now_.at, team);
  Place next;
  next.at = {now_.at.a + width_ * regroup::standard_normal(draw(0)),
             now_.at.b + width_ * regroup::standard_normal(draw(1))};
  next.log_p = log_posterior(next.at, team);
  if (regroup::metropolis_accepts((next.log_p - now_.log_p).value(), draw(2))) {
    now_ = next;
    ++accepted_;
  }
  ++steps_;
  if (steps_ > burn_in_) sum_ = {sum_.a + now_.at.a, sum_.b + now_.at.b};
}

void Posterior::execute(const regroup::Item&, regroup::Team& team) {
  accepted_ = 0;
  for (int i = 0; i < steps_in_item_; ++i) step(team);
}

// In the order of the names in the row below.
void Posterior::observe(std::span<double> draw) const {
  draw[0] = now_.at.a;
  draw[1] = now_.at.b;
  draw[2] = static_cast<double>(accepted_) / steps_in_item_;
}

// Everything that another rank needs to continue.
void Posterior::pack(regroup::Packer& state) const {
  state.put(now_);
  state.put(sum_);
  state.put(steps_);
}

void Posterior::unpack(regroup::Unpacker& state) {
  now_ = state.take<Place>();
  sum_ = state.take<Parameters>();
  steps_ = state.take<std::int64_t>();
}

Parameters Posterior::mean() const {
  const auto counted = static_cast<double>(std::max<std::int64_t>(1, steps_ - burn_in_));
  return {sum_.a / counted, sum_.b / counted};
}

namespace {

constexpr std::array options{
    regroup::integer_option("observations", "200", 1, 1e6, "number of observations"),
    regroup::integer_option("steps_per_item", "20", 1, 1e6, "steps of the chain in an item"),
    regroup::integer_option("burn_in_items", "10", 0, 1e6, "items whose draws do not count"),
    regroup::real_option("width", "0.4", 1e-6, 100, "standard deviation of proposals"),
};

std::unique_ptr<regroup::Walker> make(const regroup::Options& options, regroup::ChainName chain) {
  return std::make_unique<Posterior>(
      options.integer("observations"), options.integer("steps_per_item"),
      options.integer("burn_in_items"), options.real("width"), chain);
}

std::int64_t state_bytes(const regroup::Options&) { return 56; }

constexpr std::array<std::string_view, 3> quantities{"a", "b", "accept_stat__"};

}  // namespace

const regroup::WalkerEntry posterior_row{
    {"posterior", "the posterior of a logistic regression, by Metropolis", options},
    make,
    state_bytes,
    /*smpi=*/false,
    /*timed=*/false,
    /*quantities=*/quantities,
    /*open_end=*/false,
    /*warm_up_option=*/"burn_in_items"};
