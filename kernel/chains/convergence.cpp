// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/chains/convergence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace regroup {
namespace {

/// What the reports of one chain come to.
struct Chain {
  double samples = 0;
  double mean = 0;
  double variance = 0;   // of its samples
  double of_means = 0;   // variance of the means of its reports, times the samples of each
  bool several = false;  // reports
};

Chain chain_of(std::span<const ChainReport> reports) {
  Chain chain;
  for (const ChainReport& report : reports) {
    const auto samples = static_cast<double>(report.samples);
    chain.samples += samples;
    chain.mean += samples * report.mean;
  }
  chain.mean /= chain.samples;
  for (const ChainReport& report : reports) {
    const auto samples = static_cast<double>(report.samples);
    const double away = samples * (report.mean - chain.mean) * (report.mean - chain.mean);
    chain.variance += samples * report.variance + away;
    chain.of_means += away;
  }
  chain.several = reports.size() > 1;
  chain.variance /= chain.samples;
  if (chain.several) chain.of_means /= static_cast<double>(reports.size() - 1);
  return chain;
}

double r_hat(std::span<const Chain> chains) {
  const auto number = static_cast<double>(chains.size());
  double mean = 0;
  double within = 0;
  double samples = 0;
  for (const Chain& chain : chains) {
    mean += chain.mean / number;
    within += chain.variance / number;
    samples += chain.samples / number;
  }
  double between = 0;
  for (const Chain& chain : chains) {
    between += (chain.mean - mean) * (chain.mean - mean) / (number - 1);
  }
  return within > 0 ? std::sqrt((samples - 1) / samples + between / within) : 0;
}

}  // namespace

Convergence convergence_of(std::span<const ChainReport> reports) {
  std::vector<Chain> chains;
  for (auto rest = reports; !rest.empty();) {
    const auto end = std::ranges::find_if(
        rest, [&](const ChainReport& report) { return report.number != rest.front().number; });
    const auto own = rest.first(static_cast<std::size_t>(end - rest.begin()));
    chains.push_back(chain_of(own.subspan(own.size() / 2)));
    rest = rest.subspan(own.size());
  }
  Convergence found;
  double samples = 0;
  for (const Chain& chain : chains) {
    samples += chain.samples;
    found.mean += chain.samples * chain.mean;
    if (chain.of_means > 0) {
      found.effective_samples += chain.samples * std::min(1.0, chain.variance / chain.of_means);
    }
  }
  if (samples > 0) found.mean /= samples;
  std::erase_if(chains, [](const Chain& chain) { return !chain.several; });
  if (chains.size() > 1) found.r_hat = r_hat(chains);
  return found;
}

std::string text_of(const Convergence& found) {
  std::string text;
  if (found.r_hat > 0) text = fmt::format("R-hat {:.3f}", found.r_hat);
  if (found.effective_samples > 0) {
    text += fmt::format("{}{:.0f} effective samples", text.empty() ? "" : ", ",
                        found.effective_samples);
  }
  return text;
}

}  // namespace regroup
