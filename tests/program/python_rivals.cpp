// SPDX-License-Identifier: BSD-3-Clause
//
// C++ versions of the walkers in examples/python/gaussians.py and tests/program/trivial_walkers.py:
// a program like regroup that contains them, for comparison.
#include <array>
#include <cmath>
#include <memory>
#include <regroup/program.hpp>
#include <vector>

namespace {

using namespace regroup;

constexpr double width_of_data = 0.7;

std::vector<double> data_of(int number) {
  std::vector<double> data;
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(number); ++i) {
    const bool low = unit_interval(random_bits(1, Purpose::chain, 0, 2 * i)) < 0.4;
    const double normal = standard_normal(random_bits(1, Purpose::chain, 0, 2 * i + 1));
    data.push_back((low ? -1.0 : 1.5) + width_of_data * normal);
  }
  return data;
}

class GaussianMixture final : public Walker {
 public:
  GaussianMixture(int data, int steps, double width, ChainName chain)
      : data_(data_of(data)), steps_(steps), width_(width), chain_(chain) {
    now_.means = {-0.5 + standard_normal(draw()) / 4, 0.5 + standard_normal(draw()) / 4};
  }

  void execute(const Item& item, Team& team) override {
    if (item.number == 0) now_.log_p = log_likelihood(now_.means, team);
    for (int step = 0; step < steps_; ++step) {
      const std::array<double, 2> moved{now_.means[0] + width_ * standard_normal(draw()),
                                        now_.means[1] + width_ * standard_normal(draw())};
      const FixedPoint log_p = log_likelihood(moved, team);
      const double ratio = log_p.value() - now_.log_p.value();
      if (metropolis_accepts(ratio, draw())) now_.means = moved, now_.log_p = log_p;
    }
  }

  void pack(Packer& state) const override {
    state.put(now_);
    state.put(draws_);
  }
  void unpack(Unpacker& state) override {
    now_ = state.take<Place>();
    draws_ = state.take<std::uint64_t>();
  }
  void observe(std::span<double> draw) const override {
    std::ranges::copy(now_.means, draw.begin());
  }

 private:
  struct Place {
    std::array<double, 2> means;
    FixedPoint log_p;
  };

  std::uint64_t draw() {
    return random_bits(chain_.stream, Purpose::chain, static_cast<std::uint64_t>(chain_.number),
                       draws_++);
  }

  FixedPoint log_likelihood(const std::array<double, 2>& means, Team& team) const {
    const auto density = [](double seen, double mean) {
      const double off = (seen - mean) / width_of_data;
      return exact::exp(-0.5 * off * off);
    };
    FixedPoint sum;
    for (auto i = static_cast<std::size_t>(team.rank()); i < data_.size();
         i += static_cast<std::size_t>(team.size())) {
      sum += FixedPoint::of(
          exact::log(0.4 * density(data_[i], means[0]) + 0.6 * density(data_[i], means[1])));
    }
    return team.sum(sum);
  }

  std::vector<double> data_;
  int steps_;
  double width_;
  ChainName chain_;
  Place now_{};
  std::uint64_t draws_ = 0;
};

/// Does nothing, or sums ten numbers over all members.
class Trivial final : public Walker {
 public:
  explicit Trivial(bool adds) : adds_(adds) {}

  void execute(const Item&, Team& team) override {
    if (!adds_) return;
    std::array<FixedPoint, 10> numbers{};
    team.sum(numbers);
  }
  void pack(Packer& state) const override { state.put(adds_); }
  void unpack(Unpacker& state) override { adds_ = state.take<bool>(); }

 private:
  bool adds_;
};

template <bool adds>
std::unique_ptr<Walker> make_trivial(const Options&, ChainName) {
  return std::make_unique<Trivial>(adds);
}

std::unique_ptr<Walker> make_mixture(const Options& options, ChainName chain) {
  return std::make_unique<GaussianMixture>(static_cast<int>(options.integer("data")),
                                           static_cast<int>(options.integer("steps")),
                                           options.real("width"), chain);
}

constexpr std::array options{integer_option("data", "2000", 1, 1e7, "observations"),
                             integer_option("steps", "20", 1, 1e6, "steps of the chain per item"),
                             real_option("width", "0.05", 1e-6, 10, "of proposals")};
constexpr std::array<std::string_view, 2> quantities{"low", "high"};

WalkerEntry row(std::string_view name, decltype(WalkerEntry::make) make) {
  WalkerEntry entry;
  entry.name = name;
  entry.help = "as in Python";
  entry.make = std::move(make);
  entry.state_bytes = [](const Options&) { return 40; };
  entry.smpi = false;
  entry.timed = false;
  return entry;
}

}  // namespace

void regroup::add_rows(Catalog& catalog) {
  WalkerEntry mixture = row("cpp_mixture", make_mixture);
  mixture.options = options;
  mixture.quantities = quantities;
  catalog.walkers.push_back(std::move(mixture));
  catalog.walkers.push_back(row("cpp_empty", make_trivial<false>));
  catalog.walkers.push_back(row("cpp_ten", make_trivial<true>));
}
