// SPDX-License-Identifier: BSD-3-Clause
//
// The posterior of a logistic regression, sampled by Metropolis. y is 1 with probability
// 1 / (1 + e^-(a + b x)); a and b are normal around 0 a priori, with standard deviation 2.
#pragma once

#include <array>
#include <cstdint>
#include <regroup/walker.hpp>
#include <span>
#include <vector>

using regroup::FixedPoint;

struct Observation {
  double x = 0;
  bool y = false;
};

/// Generated with a = -0.5 and b = 1.
std::vector<Observation> synthetic_data(int number);

struct Parameters {
  double a = 0;
  double b = 0;
};

class Posterior final : public regroup::Walker {
 public:
  /// `steps`: steps of the chain per item; `burn_in`: items at the start that do not count;
  /// `width`: standard deviation of the proposals.
  Posterior(int observations, int steps, int burn_in, double width, regroup::ChainName chain);

  void execute(const regroup::Item& item, regroup::Team& team) override;
  void pack(regroup::Packer& state) const override;
  void unpack(regroup::Unpacker& state) override;
  void observe(std::span<double> draw) const override;
  bool warming_up() const override { return steps_ <= burn_in_; }
  std::uint64_t digest() const override { return now_.log_p.digest(); }

  /// The mean since the burn-in.
  Parameters mean() const;

 private:
  struct Place {
    Parameters at;
    FixedPoint log_p;  ///< of the posterior, up to a constant
  };

  std::uint64_t draw(int which) const;
  FixedPoint log_posterior(const Parameters& at, regroup::Team& team) const;
  void step(regroup::Team& team);

  std::vector<Observation> data_;
  int steps_in_item_;
  std::int64_t burn_in_;  // steps
  double width_;
  regroup::ChainName chain_;

  Place now_;
  Parameters sum_;
  std::int64_t steps_ = 0;
  int accepted_ = 0;  // in the last item
};

/// Its row in the list of walkers.
extern const regroup::WalkerEntry posterior_row;
